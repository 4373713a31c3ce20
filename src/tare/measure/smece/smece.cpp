// Smooth ECE: residuals y - s smoothed over the score by a reflected Gaussian of width sigma, integrated in absolute
// value, smECE_sigma = integral over [0, 1] of |(1/n) sum (y_i - s_i) K_sigma(s_i, t)| dt, at the one sigma that equals
// its own smECE_sigma. No bins, nothing to choose; continuous in the scores. Błasiok and Nakkiran 2023 (ICLR 2024).
#include <algorithm>
#include <array>
#include <cmath>

#include "tare/measure/estimators.hpp"
#include "tare/measure/smece/heat.hpp"

namespace tare::detail::measure {
namespace {

// A function on the nodes of [0, 1] that is 0 but for a stretch of them, continued as an even one beyond 0 and 1. It is
// asked for no more than `around` nodes before and after the stretch.
struct Stretch {
  static constexpr std::ptrdiff_t around = 3;
  std::ptrdiff_t intervals, first, last;
  std::vector<double> values;

  Stretch(std::ptrdiff_t all, std::ptrdiff_t from, const std::vector<double>& inside)
      : intervals(all), first(from), last(from + static_cast<std::ptrdiff_t>(inside.size()) - 1) {
    const auto continued = [&](std::ptrdiff_t i) {
      const std::ptrdiff_t at = i < 0 ? -i : i > intervals ? 2 * intervals - i : i;
      return at >= first && at <= last ? inside[static_cast<std::size_t>(at - first)] : 0;
    };
    values.reserve(inside.size() + 2 * around);
    for (std::ptrdiff_t i = first - around; i < first; ++i) values.push_back(continued(i));
    values.insert(values.end(), inside.begin(), inside.end());
    for (std::ptrdiff_t i = last + 1; i <= last + around; ++i) values.push_back(continued(i));
  }
  double operator[](std::ptrdiff_t i) const { return values[static_cast<std::size_t>(i - first + around)]; }
};

// A Gaussian at the nodes -reach .. reach around its centre.
struct HeatKernel {
  std::ptrdiff_t reach;
  std::vector<double> values;

  HeatKernel(double sigma, std::size_t intervals) {
    const double step = 1 / static_cast<double>(intervals);
    reach = static_cast<std::ptrdiff_t>(std::ceil(7.5 * sigma / step));  // exp(-7.5^2/2) = 6e-13
    for (std::ptrdiff_t r = -reach; r <= reach; ++r) {
      const double u = static_cast<double>(r) * step / sigma;
      values.push_back(std::exp(-0.5 * u * u) / (sigma * 2.5066282746310005024));
    }
  }
  // Further from the nodes around a point than this, the smoothed density and all that is interpolated from it are 0.
  [[nodiscard]] std::ptrdiff_t wide() const { return reach + MassGrid::margin + 4; }
};

// The smoothed density at the nodes of [0, 1] around those of the grid.
Stretch smoothed(const MassGrid& grid, const HeatKernel& kernel) {
  const auto n = static_cast<std::ptrdiff_t>(grid.intervals());
  const auto nodes = grid.nodes();
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(nodes.size());
  // On the whole line first, then folded at 0 and 1 as often as the kernel reaches across.
  const std::ptrdiff_t from = grid.first() - kernel.reach, to = grid.first() + size - 1 + kernel.reach;
  std::vector<double> line(static_cast<std::size_t>(to - from + 1), 0.0);
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    const double mass = nodes[static_cast<std::size_t>(i)];
    if (mass == 0) continue;
    double* out = line.data() + i;
    for (std::size_t r = 0; r < kernel.values.size(); ++r) out[r] += mass * kernel.values[r];
  }
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(from - 4, 0), last = std::min(to + 4, n);
  std::vector<double> density(static_cast<std::size_t>(last - first + 1), 0.0);
  for (std::ptrdiff_t i = std::max(from, first); i <= std::min(to, last); ++i)
    density[static_cast<std::size_t>(i - first)] = line[static_cast<std::size_t>(i - from)];
  const auto fold = [&](std::ptrdiff_t i) {
    if (i < from || i > to) return;
    const std::ptrdiff_t m = std::abs(i) % (2 * n);
    density[static_cast<std::size_t>(std::min(m, 2 * n - m) - first)] += line[static_cast<std::size_t>(i - from)];
  };
  for (std::ptrdiff_t r = 1; r <= std::max(-from, to - n); ++r) {
    fold(-r);
    fold(n + r);
  }
  if (first == 0) density.front() *= 2;  // an end is its own mirror image
  if (last == n) density.back() *= 2;
  return {n, first, density};
}

// The same function with a node in the middle of each interval, by quintic interpolation.
Stretch refined(const Stretch& f) {
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(2 * (f.last - f.first) + 1));
  for (std::ptrdiff_t i = f.first; i < f.last; ++i) {
    out.push_back(f[i]);
    out.push_back((150 * (f[i] + f[i + 1]) - 25 * (f[i - 1] + f[i + 2]) + 3 * (f[i - 2] + f[i + 3])) / 256);
  }
  out.push_back(f[f.last]);
  return {2 * f.intervals, 2 * f.first, out};
}

// Integral of the cubic c0 + c1 t + c2 t^2 + c3 t^3 from 0 to t.
double cubic_integral(const std::array<double, 4>& c, double t) {
  return t * (c[0] + t * (c[1] / 2 + t * (c[2] / 3 + t * c[3] / 4)));
}

// Adds to `sum` the integral of the absolute value, in intervals: cubics through four neighbours, split where the sign
// changes.
void add_absolute(const Stretch& f, double& sum) {
  for (std::ptrdiff_t i = f.first; i < f.last; ++i) {
    const double a = f[i - 1], b = f[i], c = f[i + 1], d = f[i + 2];
    if ((b < 0) == (c < 0)) {
      sum += std::abs(13 * (b + c) - (a + d)) / 24;
      continue;
    }
    const std::array<double, 4> p{b, c - a / 3 - b / 2 - d / 6, (a + c) / 2 - b, (d - a) / 6 + (b - c) / 2};
    double t = b / (b - c);  // the chord's root, then Newton's
    for (int step = 0; step < 3; ++step) {
      const double slope = p[1] + t * (2 * p[2] + t * 3 * p[3]);
      if (slope == 0) break;
      t = std::clamp(t - (p[0] + t * (p[1] + t * (p[2] + t * p[3]))) / slope, 0.0, 1.0);
    }
    const double left = cubic_integral(p, t);
    sum += std::abs(left) + std::abs(cubic_integral(p, 1) - left);
  }
}

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

MassGrid::MassGrid(std::size_t intervals, std::ptrdiff_t first, std::ptrdiff_t last)
    : intervals_(intervals), first_(first), node_(static_cast<std::size_t>(last - first + 1 + 2 * margin), 0.0) {}

Smoothed smoothed_absolute_mass(std::span<const PointMass> points, double sigma) {
  constexpr double fewest = 256, most = 0x1p22;
  // A power of two, at least 4 nodes per sigma, so that near a solution the grid does not change with sigma.
  const auto n = static_cast<std::size_t>(std::clamp(std::exp2(std::ceil(std::log2(4 / sigma))), fewest, most));
  const HeatKernel kernel(sigma, n);
  const auto below = [&](std::size_t i) { return MassGrid::node_below(points[i].x, n); };
  Smoothed out;
  for (std::size_t from = 0, to = 0; from < points.size(); from = to) {
    // as far as the next kernel still touches the last one
    for (to = from + 1; to < points.size() && below(to) - below(to - 1) <= 2 * kernel.wide() + 1;) ++to;
    MassGrid grid(n, below(from), below(to - 1) + 1);
    for (std::size_t i = from; i < to; ++i) grid.add(points[i].x, points[i].mass);
    const Stretch density = smoothed(grid, kernel);
    out.nodes += static_cast<std::size_t>(density.last - density.first + 1);
    // The cubics of the integral are the coarsest of the approximations, hence the finer grid for them.
    add_absolute(refined(density), out.absolute);
  }
  out.absolute /= 2 * static_cast<double>(n);
  return out;
}

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
