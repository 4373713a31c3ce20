#include "tare/read/columns.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

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

}  // namespace tare::detail::read
