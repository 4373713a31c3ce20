#include "tare/read/guess.hpp"

#include <algorithm>

#include "tare/read/text.hpp"

namespace tare::inner::read {

Match columns_of_classes(const std::vector<std::string>& names, const std::vector<std::string>& labels,
                         std::size_t label_column) {
  std::size_t first = names.size(), last = 0;
  for (const std::string& word : labels) {
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), word) - names.begin());
    if (at == names.size() || at == label_column) return {};
    first = std::min(first, at);
    last = std::max(last, at);
  }
  Match out;
  for (std::size_t i = first; i <= last; ++i)
    if (i != label_column) out.members.push_back(i);
  if (out.members.size() < 2) return {};
  for (const std::size_t i : out.members) out.class_names.push_back(names[i]);
  out.spelled = typed(names, out.members);
  return out;
}

std::string options_to_type(const std::vector<std::string>& names, std::size_t label_column) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (i != label_column && !is_index_column(names[i])) others.push_back(i);
  return "`probs` '" + shown(typed(names, others)) + "' `labels` '" + shown(names[label_column]) +
         "' (`logits` for scores before the softmax)";
}

}  // namespace tare::inner::read
