// Calibration error from kernel densities: with d the density of the scores, d1 that of the scores
// of hits and pi the share of hits, the accuracy at score x is pi d1(x)/d(x), and the error is
// (integral |x - accuracy(x)|^p d(x) dx)^(1/p). Zhang, Kailkhura and Han 2020, as their program
// computes it: triweight kernel, one bandwidth from the hits, scores mirrored at the nearer end of [0, 1],
// linear binning on 2^14 points of [-0.6, 1.6]. The program leaves out the 1/p root (rooted = false).
#include "tare/measure/estimators.hpp"

#include <algorithm>
#include <cmath>

#include "tare/measure/kde/triweight.hpp"

namespace tare::detail::measure {
namespace {

namespace kde_grid {
constexpr std::size_t points = 1 << 14;
constexpr double low = -0.6, high = 1.6;
constexpr double step = (high - low) / (points - 1);
double at(std::size_t i) { return low + static_cast<double>(i) * step; }
}  // namespace kde_grid

struct KdeMasses {
  std::vector<measure::Pair> grid;  // share of all rows, share of the hits
  double bandwidth = 0;             // standard deviation of the kernel: sd of the hits' scores times (2n)^(-1/5)
};

// Each score and its mirror image, shared by the two grid points around it.
KdeMasses kde_masses(const numeric::Ordered& data) {
  KdeMasses out{std::vector<measure::Pair>(kde_grid::points, measure::Pair{})};
  numeric::Moments hit_scores;
  const double all = 1 / static_cast<double>(data.total_mass()), hit = 1 / static_cast<double>(data.total_hits());
  constexpr double per_step = 1 / kde_grid::step;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    const double s = data.score(g);
    const std::uint64_t hits = data.hits(g);
    hit_scores.add(s, hits);
    const double m = static_cast<double>(data.mass(g)) * all, h = static_cast<double>(hits) * hit;
    for (const double x : {s, s < 0.5 ? -s : 2 - s}) {
      const double position = (x - kde_grid::low) * per_step;
      const auto i = static_cast<std::int32_t>(position);
      const double right = position - i, left = 1 - right;
      measure::Pair* at = out.grid.data() + i;
      at[0][0] += left * m;
      at[0][1] += left * h;
      at[1][0] += right * m;
      at[1][1] += right * h;
    }
  }
  out.bandwidth = std::sqrt(hit_scores.variance()) * std::pow(2 * data.weight(), -0.2);
  return out;
}

}  // namespace

Result<Estimate> kde(const Sample& sample, const Options& options) {
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  const numeric::Ordered& data = sample.ordered();
  if (data.total_hits() < 2 * data.unit())
    return Error{Errc::undefined, "the bandwidth comes from the spread of the hits, and there are fewer than 2 hits"};
  const KdeMasses masses = kde_masses(data);
  const double h = masses.bandwidth;
  if (h < kde_grid::step)
    return Error{Errc::undefined,
                 "the bandwidth is " + std::to_string(h) + ": the scores of the hits are too close together"};

  const double share = static_cast<double>(data.total_hits()) / static_cast<double>(data.total_mass());
  const double radius = 3 * h;  // a triweight of standard deviation h
  const double scale = 35.0 / 32 / radius;
  const auto first = static_cast<std::size_t>(std::ceil(-kde_grid::low / kde_grid::step));
  const auto last = static_cast<std::size_t>(std::floor((1 - kde_grid::low) / kde_grid::step)) + 1;
  double error = 0, total = 0, integrand = 0;
  measure::triweight_sums(masses.grid, radius / kde_grid::step, first, last,
                          [&](std::size_t i, const measure::Pair& sums) {
                            const double d = scale * sums[0], d1 = scale * sums[1];
                            // where there is next to no density the integrand keeps its last value
                            if (std::max(d, d1) > 1e-6) {
                              const double gap = std::abs(kde_grid::at(i) - std::min(share * d1 / d, 1.0));
                              integrand = (*norm == 1 ? gap : gap * gap) * d;
                            }
                            const double weight = i == first || i + 1 == last ? 0.5 : 1;  // trapezoid
                            error += weight * integrand;
                            total += weight * d;
                          });
  const double mean =
      std::min(error / total, 1.0);  // the kept values can push a handful of rows above what is possible
  return Estimate{.value = *norm == 2 && options.rooted ? std::sqrt(mean) : mean};
}

constinit const Estimator kde_estimator{
    {.name = "kde",
     .title = "kernel density error",
     .summary = "mean gap between confidence and accuracy, both from kernel densities; no bins",
     .citation = "Zhang, Kailkhura and Han 2020",
     .estimand = "tce",
     .norms = Norms::both},
    {.run = kde, .resamples = 200}};

}  // namespace tare::detail::measure
