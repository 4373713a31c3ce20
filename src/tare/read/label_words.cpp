#include "tare/read/label_words.hpp"

#include <cmath>
#include <utility>

#include "tare/core/lower.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {

int truth_of(std::string_view text) {
  static constexpr std::pair<std::string_view, int> known[] = {
      {"1", 1},        {"true", 1},    {"t", 1},    {"yes", 1},     {"y", 1},     {"positive", 1}, {"pos", 1},
      {"hit", 1},      {"win", 1},     {"won", 1},  {"correct", 1}, {"right", 1}, {"success", 1},  {"pass", 1},
      {"passed", 1},   {"+", 1},       {"0", 0},    {"false", 0},   {"f", 0},     {"no", 0},       {"n", 0},
      {"negative", 0}, {"neg", 0},     {"miss", 0}, {"loss", 0},    {"lose", 0},  {"lost", 0},     {"incorrect", 0},
      {"wrong", 0},    {"failure", 0}, {"fail", 0}, {"failed", 0},  {"-", 0},
  };
  const std::string word = lower(text);
  for (const auto& [name, meaning] : known)
    if (name == word) return meaning;
  return -1;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  double value = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.empty() || parse_number(at, end, value) != Parsed::number || at != end) return std::nullopt;
  if (!(std::abs(value) < 0x1p31) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

bool counts_from_zero(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != std::to_string(i)) return false;
  return true;
}

LabelWords::LabelWords(const std::vector<std::string>& names, const std::vector<std::string>& columns, std::size_t k,
                       const Reading& reading)
    : k_(k), first_label_(reading.first_label), positive_(k == 1 ? reading.positive : std::string()) {
  bool numbers = !names.empty();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    exact_.emplace(names[i], index);
    const auto [at, fresh] = lower_.emplace(lower(names[i]), index);
    if (!fresh) at->second = -1;
    const auto number = whole_number(names[i]);
    numbers = numbers && number;
    if (number) by_number_.emplace(*number, index);
  }
  numbers_ = numbers;
  numbered_ = numbers && !counts_from_zero(names);
  if (columns.size() == names.size())  // by the whole names of the columns, too
    for (std::size_t i = 0; i < columns.size(); ++i) exact_.emplace(columns[i], static_cast<std::int64_t>(i));
}

bool LabelWords::is_positive(const std::string& word) const {
  if (lower(word) == lower(positive_)) return true;
  const auto a = whole_number(word), b = whole_number(positive_);
  return a && b && *a == *b;
}

std::optional<std::int64_t> LabelWords::of(std::int64_t number) const {
  if (!numbered_) return number - first_label_;
  const auto at = by_number_.find(number);
  return at == by_number_.end() ? std::nullopt : std::optional(at->second);
}

LabelMeaning LabelWords::of(const std::string& word) const {
  if (!positive_.empty()) {
    const bool yes = is_positive(word);
    return !yes && is_missing(word) ? LabelMeaning{LabelForm::missing} : LabelMeaning{LabelForm::truth, yes};
  }
  const auto number = whole_number(word);
  if (k_ > 1 && !(number && numbers_)) {
    if (const auto at = exact_.find(word); at != exact_.end()) return {LabelForm::name, at->second};
    if (const auto at = lower_.find(lower(word)); at != lower_.end() && at->second >= 0)
      return {LabelForm::name, at->second};
  }
  if (number) {
    const auto index = of(*number);
    return index ? LabelMeaning{LabelForm::number, *index} : LabelMeaning{};
  }
  if (is_missing(word)) return {LabelForm::missing};
  if (const int truth = truth_of(word); k_ == 1 && truth >= 0) return {LabelForm::truth, truth};
  return {};
}

}  // namespace tare::detail::read
