#include "tare/read/roles.hpp"

#include <algorithm>
#include <array>

#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

struct Names {
  std::string_view option;
  std::vector<std::string_view> whole;    // one array, or one column
  std::vector<std::string_view> columns;  // beginnings of several columns
};

const Names& names_of(Role role) {
  static const std::array<Names, role_count> table = {{
      {"logits", {"logits", "logit", "z"}, {"logit_", "logits_", "z_"}},
      {"probs", {"probs", "prob", "probabilities", "probability", "proba", "p"}, {"p_", "prob_", "probs_", "proba_"}},
      {"confidences", {"confidences", "confidence", "conf"}, {}},
      {"correct", {"correct", "hit", "hits"}, {}},
      {"predictions", {"predictions", "prediction", "pred", "preds", "y_pred"}, {}},
      {"labels", {"labels", "label", "y", "y_true", "target", "targets"}, {}},
      {"weights", {"weights", "weight", "sample_weight", "sample_weights"}, {}},
  }};
  return table[static_cast<std::size_t>(role)];
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Does `text` fit `pattern`, in which * stands for anything?
bool fits(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

std::string_view role_name(Role role) { return names_of(role).option; }

std::vector<Match> matches(const std::vector<std::string>& names, Role role, std::string_view split, bool table) {
  const Names& wanted = names_of(role);
  std::vector<Match> out;
  std::vector<std::string> left(names.size());  // the names without their split, lower case
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = lower(names[i]);
    if (name.starts_with(split)) left[i] = name.substr(split.size());
    if (std::find(wanted.whole.begin(), wanted.whole.end(), left[i]) != wanted.whole.end())
      out.push_back(Match{.members = {i}, .spelled = names[i]});
  }
  if (!table) return out;
  for (const std::string_view start : wanted.columns) {
    Match m{.members = {}, .spelled = std::string(split) + std::string(start) + "*"};
    for (std::size_t i = 0; i < names.size(); ++i)
      if (left[i].size() > start.size() && left[i].starts_with(start)) {
        m.members.push_back(i);
        m.class_names.push_back(names[i].substr(split.size() + start.size()));
      }
    if (!m.members.empty()) out.push_back(std::move(m));
  }
  return out;
}

Result<std::string> choose_split(const std::vector<std::string>& names, const std::vector<Role>& roles,
                                 const std::string& asked, bool table, const std::string& file) {
  const auto has = [&](std::string_view split) {
    return std::any_of(roles.begin(), roles.end(), [&](Role r) { return !matches(names, r, split, table).empty(); });
  };
  if (!asked.empty()) {
    if (has(asked + "_")) return asked + "_";
    return Error{.code = Errc::bad_input,
                 .what = "has nothing named " + asked + "_*; it holds " + listed(names),
                 .place = file_place(file),
                 .remedy = has("") || has("val_") || has("test_")
                               ? "leave out `split` or choose another"
                               : "say what is what: `logits`, `probs` or `confidences` NAME"};
  }
  if (has("") && (has("test_") || has("val_")))
    return Error{.code = Errc::bad_input,
                 .what = "holds arrays with and without test_ or val_: " + listed(names),
                 .place = file_place(file),
                 .remedy = "pass `split` test or `split` val, or name the array: `logits` FILE:NAME"};
  for (const char* split : {"", "test_", "val_"})
    if (has(split)) return std::string(split);
  return std::string();
}

Match named(const std::vector<std::string>& names, std::string_view pattern) {
  Match m{.members = {}, .spelled = std::string(pattern)};
  const std::size_t star = pattern.find('*'), after = pattern.size() - pattern.rfind('*') - 1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == pattern) return {.members = {i}, .spelled = std::string(pattern)};
    if (star == std::string_view::npos || !fits(names[i], pattern)) continue;
    m.members.push_back(i);
    m.class_names.push_back(names[i].substr(star, names[i].size() - star - after));
  }
  return m;
}

}  // namespace tare::inner::read
