// Densities of scores and calibration curves of known truths, point by point. Roelofs et al. 2022, Figures 2a, 3a and
// 3b.
#include <cmath>

#include "tare/numeric/special.hpp"
#include "tare/paper/truths.hpp"

namespace tare::detail::paper {

Result<Frame> curves_study(const Settings& settings, const Context&) {
  const auto all = truths(settings, "truths");
  const auto points = settings.numbers("points");
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  for (const NamedTruth& named : all) {
    const simulate::Scores& s = named.truth.scores;
    const double norm = numeric::log_gamma(s.alpha + s.beta) - numeric::log_gamma(s.alpha) - numeric::log_gamma(s.beta);
    for (const double c : points) {
      const double density = std::exp(norm + (s.alpha - 1) * std::log(c) + (s.beta - 1) * std::log1p(-c));
      out.add(joined(named.labels, {{"c", c},
                                    {"density", density},
                                    {"hit", named.truth.curve.hit({c, 1 - c})},
                                    {"alpha", s.alpha},
                                    {"beta", s.beta},
                                    {"tce", 100 * named.error.norm2.value_or(0)}}));
    }
  }
  return out;
}

}  // namespace tare::detail::paper
