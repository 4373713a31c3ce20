#include "tare/read/roles.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "tare/core/lower.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

constexpr std::string_view wild = "*?[";

// At "[0-9a]": does c stand in it? `p` moves behind it. Without a closing bracket it is a letter like others.
bool in_set(std::string_view pattern, std::size_t& p, char c) {
  const std::size_t close = pattern.find(']', p + 2);
  if (close == std::string_view::npos) return pattern[p++] == c;
  const bool negated = pattern[p + 1] == '!' || pattern[p + 1] == '^';
  bool found = false;
  for (std::size_t i = p + 1 + (negated ? 1 : 0); i < close; ++i) {
    const bool range = i + 2 < close && pattern[i + 1] == '-';
    found = found || (range ? pattern[i] <= c && c <= pattern[i + 2] : pattern[i] == c);
    if (range) i += 2;
  }
  p = close + 1;
  return found != negated;
}

// Does the pattern's next place, which is no star, fit c? `p` moves behind it.
bool takes(std::string_view pattern, std::size_t& p, char c) {
  if (pattern[p] == '[') return in_set(pattern, p, c);
  return pattern[p++] == '?' || pattern[p - 1] == c;
}

bool fits(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    std::size_t next = p;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && takes(pattern, next, text[t])) {
      p = next;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::size_t position(const std::vector<std::string>& names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// The column of this name; else, where no column has a number for a name, of this number.
std::optional<std::size_t> column(const std::vector<std::string>& names, std::string_view text) {
  if (const std::size_t at = position(names, text); at < names.size()) return at;
  if (!is_count(text) || std::any_of(names.begin(), names.end(), is_count)) return std::nullopt;
  std::size_t at = 0;
  std::from_chars(text.data(), text.data() + text.size(), at);
  return at < names.size() ? std::optional(at) : std::nullopt;
}

// One part of a list: the members it names, none if nothing is named so.
std::vector<std::size_t> part_of(const std::vector<std::string>& names, std::string_view part) {
  std::vector<std::size_t> out;
  if (const auto one = column(names, part)) return {*one};
  if (part.find_first_of(wild) != std::string_view::npos) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (fits(names[i], part)) out.push_back(i);
    return out;
  }
  for (std::size_t dash = part.find('-'); dash != std::string_view::npos; dash = part.find('-', dash + 1)) {
    const auto first = column(names, part.substr(0, dash)), last = column(names, part.substr(dash + 1));
    if (!first || !last || *first > *last) continue;
    out.resize(*last - *first + 1);
    std::iota(out.begin(), out.end(), *first);
    return out;
  }
  return out;
}

// What the wildcards of a pattern stood for.
std::vector<std::string> stood_for(const std::vector<std::string>& names, const std::vector<std::size_t>& members,
                                   std::string_view pattern) {
  const std::size_t before = pattern.find_first_of(wild), after = pattern.size() - pattern.find_last_of("*?]") - 1;
  std::vector<std::string> out;
  for (const std::size_t i : members)
    out.push_back(names[i].substr(before, names[i].size() - std::min(names[i].size(), before + after)));
  return out;
}

}  // namespace

bool is_count(std::string_view text) {
  return !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_index_column(std::string_view name) {
  return name.empty() || name.starts_with("Unnamed: ") || name == "id" || name == "index";
}

Match named(const std::vector<std::string>& names, std::string_view text) {
  Match out{.members = {}, .spelled = std::string(text)};
  if (const std::size_t at = position(names, text); at < names.size()) {
    out.members = {at};
    return out;
  }
  std::vector<char> used(names.size(), 0);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string_view part = text.substr(from, end - from);
    const auto found = part_of(names, part);
    if (found.empty()) return {.members = {}, .spelled = std::string(part)};
    for (const std::size_t i : found) {
      if (!used[i]) out.members.push_back(i);
      used[i] = 1;
    }
    from = end + 1;
  }
  const bool pattern = text.find(',') == std::string_view::npos && text.find_first_of(wild) != std::string_view::npos;
  if (pattern)
    out.class_names = stood_for(names, out.members, text);
  else if (out.members.size() > 1)
    out.class_names = class_names_of(names, out.members);
  return out;
}

Match named(const std::vector<std::string>& names, const std::vector<std::string>& texts) {
  if (texts.size() == 1) return named(names, texts.front());
  Match out;
  for (const std::string& text : texts) {
    Match one = named(names, text);
    if (one.members.empty()) return one;
    for (const std::size_t i : one.members)
      if (std::find(out.members.begin(), out.members.end(), i) == out.members.end()) out.members.push_back(i);
    out.spelled += (out.spelled.empty() ? "" : ",") + text;
  }
  if (out.members.size() > 1) out.class_names = class_names_of(names, out.members);
  return out;
}

std::vector<std::string> class_names_of(const std::vector<std::string>& names,
                                        const std::vector<std::size_t>& members) {
  std::string_view common = names[members.at(0)];
  for (const std::size_t i : members) {
    const auto ends = std::mismatch(common.begin(), common.end(), names[i].begin(), names[i].end());
    common = common.substr(0, static_cast<std::size_t>(ends.first - common.begin()));
  }
  const auto rest = [&](std::size_t i) { return names[i].substr(common.size()); };
  while (!common.empty() && is_count(common.substr(common.size() - 1))) common.remove_suffix(1);
  if (!std::all_of(members.begin(), members.end(), [&](std::size_t i) { return is_count(rest(i)); })) {
    const std::size_t separator = common.find_last_of("_.:- ");  // "prob_cat" and "prob_car" have more in common
    common = common.substr(0, separator == std::string_view::npos ? 0 : separator + 1);
  }
  std::vector<std::string> out;
  for (const std::size_t i : members) out.push_back(rest(i));
  return out;
}

std::string typed(const std::vector<std::string>& names, const std::vector<std::size_t>& members) {
  if (members.size() > 2 && members.back() - members.front() + 1 == members.size())
    return names[members.front()] + "-" + names[members.back()];
  std::string out;
  for (const std::size_t i : members) out += (out.empty() ? "" : ",") + names[i];
  return out;
}

namespace {

using Words = std::vector<std::string_view>;

struct Names {
  std::string_view option;
  Words whole;          // one array, or one column
  Words columns;        // beginnings of several columns
  Words often = {};     // one array or column, where no name of the first two lists is there
  Words numbered = {};  // beginnings of several columns that end in numbers, where none is there either
};

const Names& names_of(Role role) {
  static const std::array<Names, role_count> table = {{
      {"logits",
       {"logits", "logit", "z"},
       {"logit_", "logits_", "z_"},
       {"log_odds", "logodds", "y_logits", "pred_logits"},
       {"logit", "logits", "z"}},
      {"probs",
       {"probs", "prob", "probabilities", "probability", "proba", "p"},
       {"p_", "prob_", "probs_", "proba_"},
       {"y_prob", "y_probs", "y_proba", "y_probas", "y_score", "y_scores", "score", "scores", "pred_prob", "pred_probs",
        "pred_proba", "predict_proba", "predicted_probability", "probas", "softmax", "phat", "forecast"},
       {"p", "prob", "proba", "probs", "probability_", "y_prob_", "y_proba_", "y_score_", "score_", "softmax_",
        "class_", "class"}},
      {"log_probs",
       {"log_probs", "log_prob", "logprobs", "logprob"},
       {"log_prob_", "logprob_", "log_p_", "logp_"},
       {"log_probabilities", "log_softmax"},
       {}},
      {"confidences",
       {"confidences", "confidence", "conf"},
       {},
       {"max_prob", "top_prob", "pred_confidence", "predicted_confidence"}},
      {"correct", {"correct", "hit", "hits"}, {}, {"is_correct", "was_correct", "right", "outcome", "accurate"}},
      {"predictions",
       {"predictions", "prediction", "pred", "preds", "y_pred"},
       {},
       {"predicted", "y_hat", "yhat", "pred_label", "pred_class", "predicted_label", "predicted_class"}},
      {"labels",
       {"labels", "label", "y", "y_true", "target", "targets"},
       {},
       {"truth", "true", "true_label", "true_labels", "true_class", "ground_truth", "gold", "gold_label", "actual",
        "outcome", "outcomes", "obs", "observed", "result", "y_test"},
       {"label_", "onehot_", "one_hot_"}},
      {"weights", {}, {}, {}},  // only by the option: a weight may be in kilograms
  }};
  return table[static_cast<std::size_t>(role)];
}

bool among(const Words& words, const std::string& name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

// The columns that begin so, one after the other as classes.
void add_columns(const std::vector<std::string>& names, const std::vector<std::string>& left, std::string_view split,
                 std::string_view start, bool numbers, std::vector<Match>& out) {
  Match m{.members = {}, .spelled = std::string(split) + std::string(start) + (numbers ? "[0-9]*" : "*")};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (left[i].size() <= start.size() || !left[i].starts_with(start)) continue;
    if (numbers && !is_count(std::string_view(left[i]).substr(start.size()))) continue;
    m.members.push_back(i);
    m.class_names.push_back(names[i].substr(split.size() + start.size()));
  }
  if (!m.members.empty()) out.push_back(std::move(m));
}

// Columns 0, 1, ..., K-1, or 1, ..., K.
std::vector<Match> counted(const std::vector<std::string>& names) {
  Match m;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_count(names[i])) continue;
    m.members.push_back(i);
    m.class_names.push_back(names[i]);
  }
  if (m.members.size() < 2 || m.class_names[0] > "1") return {};
  const std::size_t first = m.class_names[0] == "0" ? 0 : 1;
  for (std::size_t i = 0; i < m.members.size(); ++i)
    if (m.class_names[i] != std::to_string(first + i)) return {};
  m.spelled = typed(names, m.members);
  return {m};
}

}  // namespace

std::string_view role_name(Role role) { return names_of(role).option; }

std::vector<Match> matches(const std::vector<std::string>& names, Role role, std::string_view split, bool table,
                           Known known) {
  const Names& wanted = names_of(role);
  if (known == Known::counted)
    return table && split.empty() && (role == Role::probs || role == Role::logits) ? counted(names)
                                                                                   : std::vector<Match>();
  std::vector<Match> out;
  std::vector<std::string> left(names.size());  // the names without their split, lower case
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = lower(names[i]);
    if (name.starts_with(split)) left[i] = name.substr(split.size());
    if (among(known == Known::well ? wanted.whole : wanted.often, left[i]))
      out.push_back(Match{.members = {i}, .spelled = names[i]});
  }
  if (!table) return out;
  for (const std::string_view start : known == Known::well ? wanted.columns : wanted.numbered)
    add_columns(names, left, split, start, known == Known::often, out);
  return out;
}

std::vector<std::size_t> unasked_weights(const std::vector<std::string>& names) {
  static const Words usual = {"weights", "weight", "sample_weight", "sample_weights"};
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (among(usual, lower(names[i]))) out.push_back(i);
  return out;
}

bool may_be_predicted(const std::string& name) {
  static const Words names = {"label", "labels", "class", "answer", "response", "output"};
  return among(names, lower(name));
}

bool is_truth(const std::string& name) {
  static const Words names = {"y_true",     "truth",        "true", "true_label", "true_labels",
                              "true_class", "ground_truth", "gold", "gold_label", "actual"};
  return among(names, lower(name));
}

bool plays(const std::vector<std::string>& names, Role role, std::string_view split, bool table) {
  return std::any_of(std::begin(all_known), std::end(all_known),
                     [&](Known known) { return !matches(names, role, split, table, known).empty(); });
}

Result<std::string> choose_split(const std::vector<std::string>& names, const std::vector<Role>& roles,
                                 const std::string& asked, bool table, const std::string& file) {
  Known known = Known::well;
  const auto has = [&](std::string_view split) {
    return std::any_of(roles.begin(), roles.end(),
                       [&](Role r) { return !matches(names, r, split, table, known).empty(); });
  };
  for (const Known k : all_known) {
    known = k;
    if (has("") || has("test_") || has("val_")) break;
  }
  if (!asked.empty()) {
    if (has(asked + "_")) return asked + "_";
    return bad_file(file, "has nothing named " + asked + "_*; it holds " + listed(names),
                    has("") || has("val_") || has("test_")
                        ? "leave out `split` or choose another"
                        : "say what is what: `logits`, `probs` or `confidences` NAME");
  }
  if (has("") && (has("test_") || has("val_")))
    return bad_file(file, "holds arrays with and without test_ or val_: " + listed(names),
                    "pass `split` test or `split` val, or name the array: `logits` FILE:NAME");
  for (const char* split : {"", "test_", "val_"})
    if (has(split)) return std::string(split);
  return std::string();
}

std::vector<std::pair<std::string, std::string>> known_names() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Role role : all_roles) {
    const Names& names = names_of(role);
    std::string text;
    const auto add = [&](const Words& words, std::string_view end) {
      for (const std::string_view word : words)
        text += (text.empty() ? "" : ", ") + std::string(word) + std::string(end);
    };
    add(names.whole, "");
    add(names.columns, "*");
    add(names.often, "");
    add(names.numbered, "0");
    if (role == Role::probs) text += ", and columns 0, 1, 2, ...";
    if (role == Role::weights) text = "none: weights are taken by the option alone";
    std::string option(names.option);
    std::replace(option.begin(), option.end(), '_', '-');  // as it is typed
    out.emplace_back(std::move(option), text);
  }
  return out;
}

}  // namespace tare::detail::read
