#include "tare/render/words/recommendation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tare/core/names.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

// What the first of two methods gains over the second, with its interval: losses are better when lower.
std::string gained(const Difference& d) {
  const CriterionInfo& info = about(d.criterion);
  if (!std::isfinite(d.value)) return fmt::format("an infinite {}", info.abbreviation);
  const auto number = [&](double x) { return signed_number(-x * info.factor, info.digits, d.change != Change::noise); };
  return fmt::format("{} in {} [{}, {}]", number(d.value), info.abbreviation, number(d.high), number(d.low));
}

}  // namespace

std::string recommendation(const Comparison& c) {
  const Winner& w = c.winner;
  const std::string how = fmt::format("{}: {}", about(w.criterion).abbreviation, w.how);
  if (!w.gain) return fmt::format("Leave the model as it is: no calibrator has a lower {}.", how);
  if (w.gain->change != Change::better)
    return fmt::format(
        "Leave the model as it is: the best calibrator, {}, gains {}, {} ({}).", w.best, gained(*w.gain),
        w.gain->high < 0 ? "no more than the best of so many may gain by chance" : "which is within noise", how);
  std::string out = fmt::format("Recommended: {}, which gains {} over leaving the model as it is ({}).", w.method,
                                gained(*w.gain), how);
  if (w.lead)
    out += fmt::format(" Its lead over {}, which is simpler, is within noise: {}.", w.lead->against, gained(*w.lead));
  return out;
}

}  // namespace tare::inner::render
