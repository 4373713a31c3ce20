#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <string_view>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

// Parts that are subtracted: what telling rows apart gains.
bool gains(std::string_view part) { return part == "resolution" || part.ends_with("_dsc"); }

// The score a part belongs to: "brier" and "log" of brier_mcb and log_mcb; of a score's own parts the score.
std::string_view score_of(const Measured& m, std::string_view part) {
  const auto at = part.rfind('_');
  const bool corp = part.ends_with("_mcb") || part.ends_with("_dsc") || part.ends_with("_unc");
  return corp ? part.substr(0, at) : std::string_view(m.name);
}

}  // namespace

std::vector<std::string> sums_of(const Measured& m) {
  std::vector<std::string> out;
  if (!m.estimate || m.estimate->parts.empty()) return out;
  const auto& parts = m.estimate->parts;
  if (m.about.unit == Unit::fraction) {  // no score, so no sum
    std::string list;
    for (const Component& p : parts)
      list += fmt::format("{} {} {}", list.empty() ? ":" : ",", p.name, fixed(p.value, 4));
    return {m.name + list};
  }
  for (std::size_t from = 0; from < parts.size();) {
    const std::string_view score = score_of(m, parts[from].name);
    std::string terms;
    double sum = 0;
    std::size_t to = from;
    for (; to < parts.size() && score_of(m, parts[to].name) == score; ++to) {
      const bool minus = gains(parts[to].name) != (parts[to].value < 0);
      sum += gains(parts[to].name) ? -parts[to].value : parts[to].value;
      terms += fmt::format("{}{} {}",
                           to == from ? (minus ? "-" : "")
                           : minus    ? " - "
                                      : " + ",
                           parts[to].name, fixed(parts[to].value < 0 ? -parts[to].value : parts[to].value, 4));
    }
    const std::string which = score == m.name ? m.scope : fmt::format("{} score (binary)", score);
    out.push_back(fmt::format("{}: {} {} = {}", m.name, which, fixed(sum, 4), terms));
    from = to;
  }
  return out;
}

}  // namespace tare::detail::render
