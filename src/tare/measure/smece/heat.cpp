#include "tare/measure/smece/heat.hpp"

#include <array>
#include <cmath>

namespace tare::detail::measure {
namespace {

// A function on the nodes of [0, 1] that is 0 but for a stretch of them, continued as an even one beyond 0 and 1. It is
// asked for no more than `around` nodes before and after the stretch.
class Stretch {
 public:
  static constexpr std::ptrdiff_t around = 3;
  Stretch(std::ptrdiff_t intervals, std::ptrdiff_t first, const std::vector<double>& values)
      : intervals_(intervals), first_(first), last_(first + static_cast<std::ptrdiff_t>(values.size()) - 1) {
    const auto continued = [&](std::ptrdiff_t i) {
      const std::ptrdiff_t at = i < 0 ? -i : i > intervals_ ? 2 * intervals_ - i : i;
      return at >= first_ && at <= last_ ? values[static_cast<std::size_t>(at - first_)] : 0;
    };
    values_.reserve(values.size() + 2 * around);
    for (std::ptrdiff_t i = first_ - around; i < first_; ++i) values_.push_back(continued(i));
    values_.insert(values_.end(), values.begin(), values.end());
    for (std::ptrdiff_t i = last_ + 1; i <= last_ + around; ++i) values_.push_back(continued(i));
  }
  double operator[](std::ptrdiff_t i) const { return values_[static_cast<std::size_t>(i - first_ + around)]; }
  [[nodiscard]] std::ptrdiff_t intervals() const { return intervals_; }
  [[nodiscard]] std::ptrdiff_t first() const { return first_; }
  [[nodiscard]] std::ptrdiff_t last() const { return last_; }

 private:
  std::ptrdiff_t intervals_, first_, last_;
  std::vector<double> values_;
};

// A Gaussian at the nodes -reach .. reach around its centre.
class HeatKernel {
 public:
  HeatKernel(double sigma, std::size_t intervals) {
    const double step = 1 / static_cast<double>(intervals);
    reach_ = static_cast<std::ptrdiff_t>(std::ceil(7.5 * sigma / step));  // exp(-7.5^2/2) = 6e-13
    for (std::ptrdiff_t r = -reach_; r <= reach_; ++r) {
      const double u = static_cast<double>(r) * step / sigma;
      value_.push_back(std::exp(-0.5 * u * u) / (sigma * 2.5066282746310005024));
    }
  }
  [[nodiscard]] std::ptrdiff_t reach() const { return reach_; }
  [[nodiscard]] std::span<const double> values() const { return value_; }
  // Further from the nodes around a point than this, the smoothed density and all that is interpolated from it are 0.
  [[nodiscard]] std::ptrdiff_t wide() const { return reach_ + MassGrid::margin + 4; }

 private:
  std::ptrdiff_t reach_;
  std::vector<double> value_;
};

// The smoothed density at the nodes of [0, 1] around those of the grid.
Stretch smoothed(const MassGrid& grid, const HeatKernel& kernel) {
  const auto n = static_cast<std::ptrdiff_t>(grid.intervals());
  const auto nodes = grid.nodes();
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(nodes.size());
  // On the whole line first, then folded at 0 and 1 as often as the kernel reaches across.
  const std::ptrdiff_t from = grid.first() - kernel.reach(), to = grid.first() + size - 1 + kernel.reach();
  std::vector<double> line(static_cast<std::size_t>(to - from + 1), 0.0);
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    const double mass = nodes[static_cast<std::size_t>(i)];
    if (mass == 0) continue;
    double* out = line.data() + i;
    for (std::size_t r = 0; r < kernel.values().size(); ++r) out[r] += mass * kernel.values()[r];
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
  out.reserve(static_cast<std::size_t>(2 * (f.last() - f.first()) + 1));
  for (std::ptrdiff_t i = f.first(); i < f.last(); ++i) {
    out.push_back(f[i]);
    out.push_back((150 * (f[i] + f[i + 1]) - 25 * (f[i - 1] + f[i + 2]) + 3 * (f[i - 2] + f[i + 3])) / 256);
  }
  out.push_back(f[f.last()]);
  return {2 * f.intervals(), 2 * f.first(), out};
}

// Integral of the cubic c0 + c1 t + c2 t^2 + c3 t^3 from 0 to t.
double cubic_integral(const std::array<double, 4>& c, double t) {
  return t * (c[0] + t * (c[1] / 2 + t * (c[2] / 3 + t * c[3] / 4)));
}

// Adds to `sum` the integral of the absolute value, in intervals: cubics through four neighbours, split where the sign
// changes.
void add_absolute(const Stretch& f, double& sum) {
  for (std::ptrdiff_t i = f.first(); i < f.last(); ++i) {
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
    out.nodes += static_cast<std::size_t>(density.last() - density.first() + 1);
    // The cubics of the integral are the coarsest of the approximations, hence the finer grid for them.
    add_absolute(refined(density), out.absolute);
  }
  out.absolute /= 2 * static_cast<double>(n);
  return out;
}

}  // namespace tare::detail::measure
