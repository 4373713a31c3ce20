// Smooth ECE: residuals y - s smoothed over the score by a reflected Gaussian of width sigma, integrated in absolute
// value, smECE_sigma = integral over [0, 1] of |(1/n) sum (y_i - s_i) K_sigma(s_i, t)| dt, at the one sigma that equals
// its own smECE_sigma. No bins, nothing to choose; continuous in the scores. Błasiok and Nakkiran 2023 (ICLR 2024).
#include "tare/measure/estimators.hpp"

#include <algorithm>
#include <cmath>

#include "tare/measure/smece/heat.hpp"

namespace tare::detail::measure {
namespace {

// Below this width the value is smECE at this width: too small by less than the width.
constexpr double smallest_sigma = 1e-6;
// Above this many distinct scores the residuals are first gathered on a grid of this size ...
constexpr std::size_t many = 1 << 14;
// ... which is fine enough for a kernel of at least this width.
constexpr double safe_sigma = 8.0 / many;

PointMass residual(const numeric::Ordered& data, std::size_t g) {
  const double s = data.score(g);
  const auto hits = static_cast<double>(data.hits(g)), misses = static_cast<double>(data.mass(g) - data.hits(g));
  return {s, (hits * (1 - s) - misses * s) / static_cast<double>(data.total_mass())};
}

std::vector<PointMass> residuals(const numeric::Ordered& data) {
  std::vector<PointMass> out;
  out.reserve(data.groups());
  for (std::size_t g = 0; g < data.groups(); ++g) out.push_back(residual(data, g));
  return out;
}

std::vector<PointMass> gathered_residuals(const numeric::Ordered& data) {
  MassGrid grid(many);
  for (std::size_t g = 0; g < data.groups(); ++g) {
    const PointMass p = residual(data, g);
    grid.add(p.x, p.mass);
  }
  std::vector<PointMass> out;
  out.reserve(many + 1);
  for (std::size_t i = 0; i <= many; ++i)
    out.push_back({static_cast<double>(i) / many, grid.node(static_cast<std::ptrdiff_t>(i))});
  // the nodes beyond the ends are mirrored, as the kernel is
  for (std::size_t m = 1; m <= MassGrid::margin; ++m) {
    out[m].mass += grid.node(-static_cast<std::ptrdiff_t>(m));
    out[many - m].mass += grid.node(static_cast<std::ptrdiff_t>(many + m));
  }
  return out;
}

// The sigma with S(sigma) = sigma. S never rises, so sigma and S(sigma) always lie on either side of it:
// every evaluation gives a bracket. Secant steps in logarithms, kept inside it. It ends early, with any number below,
// once sigma is sure to be less than `least`.
double fixed_point(const std::vector<PointMass>& points, double least = 0) {
  double net = 0, gross = 0;  // S at infinite and at zero width
  for (const auto& p : points) {
    net += p.mass;
    gross += std::abs(p.mass);
  }
  if (gross < 1e-12) return gross;  // rounding: integrating it at the smallest width would change nothing
  double low = std::log(std::max(std::abs(net), smallest_sigma)), high = std::log(std::max(gross, smallest_sigma));
  double u = (low + high) / 2, u_before = 0, f_before = 0;
  for (int step = 0; step < 40; ++step) {
    const double sigma = std::exp(u);
    const double value = smoothed_absolute_mass(points, sigma).absolute;
    if (value <= smallest_sigma) return value;
    const double log_value = std::log(value), f = log_value - u;
    low = std::max(low, std::min(u, log_value));
    high = std::max(low, std::min(high, std::max(u, log_value)));
    if (high - low < 1e-9 || std::abs(f) < 1e-10 || std::exp(high) < least) break;
    // noise alone makes S fall as 1/sqrt(sigma), which is the first guess at the slope
    const double slope = step == 0 ? -1.5 : (f - f_before) / (u - u_before);
    u_before = u;
    f_before = f;
    u -= f / slope;
    // the end itself may be the answer: it is, when all smoothed residuals have one sign
    if (!(u >= low && u <= high)) u = step < 8 ? std::clamp(u, low, high) : (low + high) / 2;
    if (u == u_before) break;
  }
  return std::exp((low + high) / 2);
}

}  // namespace

Result<Estimate> smece(const Sample& sample, const Options&) {
  const numeric::Ordered& data = sample.ordered();
  double sigma = 0;
  if (data.groups() > many) sigma = fixed_point(gathered_residuals(data), 0.99 * safe_sigma);
  if (sigma < safe_sigma) sigma = fixed_point(residuals(data));
  return Estimate{.value = sigma};
}

constinit const Estimator smece_estimator{
    {.name = "smece",
     .title = "smooth ECE",
     .summary = "gap between confidence and accuracy after smoothing as wide as the gap itself; no bins",
     .citation = "Błasiok and Nakkiran 2023"},
    {.run = smece, .resamples = 200, .cube_root = true}};

}  // namespace tare::detail::measure
