#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {

std::string norm_of(const std::optional<int>& norm) { return norm ? fmt::format("l{}", *norm) : ""; }

namespace {

// The value furthest from what the fitted model gives, in standard deviations.
const Correction* worst_described(const BiasReport& report) {
  const Correction* out = nullptr;
  const auto distance = [](const Correction& c) { return std::abs(*c.observed - *c.mean) / *c.sd; };
  for (const Correction& c : report.corrections)
    if (c.observed && c.mean && c.sd && *c.sd > 0 && (!out || distance(c) > distance(*out))) out = &c;
  return out && distance(*out) > 4 ? out : nullptr;
}

}  // namespace

std::string description(const BiasReport& report) {
  if (report.corrections.empty()) return {};
  const Correction* c = worst_described(report);
  if (!c)
    return "The fitted model describes these data: every measured value is within four standard deviations of what "
           "its samples show.";
  return fmt::format(
      "The fitted model does not describe these data well: {} {} is {}% here and {} ± {}% in samples of the "
      "model. Biases are those of the model{}; corrected values depend on it less.",
      c->estimator, norm_of(c->norm), percent(*c->observed), percent(*c->mean), percent(*c->sd),
      report.table.truth.scores == "beta" ? " (the data's own scores are closer: leave out `scores`)" : "");
}

}  // namespace tare::detail::render
