// Negative log-likelihood (log loss), natural logarithm, a mean over rows: of the labels given
// the scores, -(1/n) sum [y ln s + (1-y) ln(1-s)], or, given the full matrix, -(1/n) sum ln p_label
// (Guo et al. 2017, Eq. 6, divided by n). Nothing is clipped: where a row gives probability 0 to
// what happened the mean is infinite, and that is said instead of a number that depends on an epsilon.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/moments.hpp"

namespace tare::inner::measure {

// The log loss of scores, without the rows where it is infinite; those are counted.
struct LogLoss {
  numeric::Moments moments;
  std::uint64_t hits_at_zero = 0;   // mass
  std::uint64_t misses_at_one = 0;  // mass
  [[nodiscard]] bool finite() const { return hits_at_zero == 0 && misses_at_one == 0; }
};

// -ln(1 - s) to full precision: above 1/2 the difference is exact
inline double miss_loss(double s) { return s > 0.5 ? -std::log(1 - s) : -std::log1p(-s); }
inline double hit_loss(double s) { return -std::log(s); }

inline LogLoss log_loss(const numeric::Ordered& data) {
  const std::size_t groups = data.groups();
  // The loss of a hit falls with the score and that of a miss rises, so two groups know the largest.
  double largest = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    if (data.hits(g) == 0 || data.score(g) == 0) continue;
    largest = hit_loss(data.score(g));
    break;
  }
  for (std::size_t g = groups; g-- > 0;) {
    if (data.hits(g) == data.mass(g) || data.score(g) == 1) continue;
    largest = std::max(largest, miss_loss(data.score(g)));
    break;
  }
  LogLoss out{.moments = numeric::Moments(largest > 0 ? numeric::power_of_two_above(largest) : 1)};
  for (std::size_t g = 0; g < groups; ++g) {
    const double s = data.score(g);
    const std::uint64_t hits = data.hits(g), misses = data.mass(g) - hits;
    if (hits != 0 && s == 0)
      out.hits_at_zero += hits;
    else if (hits != 0)
      out.moments.add(hit_loss(s), hits);
    if (misses != 0 && s == 1)
      out.misses_at_one += misses;
    else if (misses != 0)
      out.moments.add(miss_loss(s), misses);
  }
  return out;
}

// "3 rows", "1 row", "2.5 rows" (weights)
inline std::string rows_of(std::uint64_t mass, std::uint64_t unit) {
  std::string count = std::to_string(mass / unit);
  if (mass % unit != 0) {
    count = std::to_string(static_cast<double>(mass) / static_cast<double>(unit));
    count.erase(count.find_last_not_of('0') + 1);
  }
  return count + (count == "1" ? " row" : " rows");
}

inline Error infinite_nll(std::uint64_t mass, std::uint64_t unit, const std::string& where) {
  const std::string rows = rows_of(mass, unit);
  return {.code = Errc::undefined,
          .what = rows + (mass == unit ? " gives" : " give") + " probability 0 to what happened" + where +
                  ": the mean log loss is infinite",
          .remedy = "logits do not round to probability 0 or 1; pass those if you have them"};
}

inline Result<Estimate> nll(const Sample& sample, const Options& = {}) {
  const numeric::Ordered& data = sample.ordered();
  const LogLoss loss = log_loss(data);
  if (!loss.finite()) {
    std::string where;
    if (loss.hits_at_zero != 0) where += "score 0 with label 1";
    if (loss.misses_at_one != 0) where += std::string(where.empty() ? "" : ", ") + "score 1 with label 0";
    return infinite_nll(loss.hits_at_zero + loss.misses_at_one, data.unit(), " (" + where + ")");
  }
  return Estimate{.value = loss.moments.mean(), .se = loss.moments.se(data.unit())};
}

// The multiclass score of the full matrix. In nll.cpp.
Result<Estimate> nll_matrix(const MulticlassView& view, const Options& options = {}, int threads = 1);

inline constexpr Row nll_row{.name = "nll",
                             .title = "negative log-likelihood",
                             .summary = "mean log loss; rewards sharpness and calibration together",
                             .citation = "Good 1952; Guo et al. 2017, Eq. 6",
                             .is_error = false,
                             .run = nll,
                             .run_matrix = nll_matrix};

}  // namespace tare::inner::measure
