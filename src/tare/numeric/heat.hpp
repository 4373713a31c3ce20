// Point masses on [0, 1] smoothed by the reflected Gaussian (the heat kernel with insulated ends), and the
// integral of the absolute value of the result, on a grid at least 4 times finer than the kernel, to about six
// digits or 1e-7, in a time that depends on the number of points and on 1/sigma, not on their product.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace tare::numeric {

struct PointMass {
  double x = 0;
  double mass = 0;
};

// Masses on nodes -2 .. intervals + 2 of a grid over [0, 1], each point shared by the six nodes around it
// with the weights of quintic interpolation, which keep its first six moments.
class MassGrid {
 public:
  static constexpr std::ptrdiff_t margin = 2;
  explicit MassGrid(std::size_t intervals) : intervals_(intervals), node_(intervals + 1 + 2 * margin, 0.0) {}

  void add(double x, double mass) {
    const double position = x * static_cast<double>(intervals_);
    const std::ptrdiff_t i =
        std::min(static_cast<std::ptrdiff_t>(position), static_cast<std::ptrdiff_t>(intervals_) - 1);
    const double t = position - static_cast<double>(i);
    const double outer = (t + 2) * (t - 3) * mass, middle = (t + 1) * (t - 2), inner = t * (t - 1);
    const double ends = middle * inner * mass * (1.0 / 120), sides = outer * inner * (1.0 / 24);
    const double centre = outer * middle * (1.0 / 12);
    double* at = node_.data() + i;  // node i - 2
    at[0] -= ends * (t - 3);
    at[1] += sides * (t - 2);
    at[2] -= centre * (t - 1);
    at[3] += centre * t;
    at[4] -= sides * (t + 1);
    at[5] += ends * (t + 2);
  }
  [[nodiscard]] std::size_t intervals() const { return intervals_; }
  [[nodiscard]] double node(std::ptrdiff_t i) const { return node_[static_cast<std::size_t>(i + margin)]; }

 private:
  std::size_t intervals_;
  std::vector<double> node_;
};

// The smoothed density at the nodes 0 .. intervals.
inline std::vector<double> smoothed(const MassGrid& grid, double sigma) {
  const auto n = static_cast<std::ptrdiff_t>(grid.intervals());
  const double step = 1 / static_cast<double>(n);
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(7.5 * sigma / step));  // exp(-7.5^2/2) = 6e-13
  std::vector<double> kernel(static_cast<std::size_t>(2 * reach + 1));
  for (std::ptrdiff_t r = -reach; r <= reach; ++r) {
    const double u = static_cast<double>(r) * step / sigma;
    kernel[static_cast<std::size_t>(r + reach)] = std::exp(-0.5 * u * u) / (sigma * 2.5066282746310005024);
  }
  // On the whole line first, then folded at 0 and 1 as often as the kernel reaches across.
  const std::ptrdiff_t before = reach + MassGrid::margin;  // nodes below 0
  std::vector<double> line(static_cast<std::size_t>(n + 1 + 2 * before), 0.0);
  for (std::ptrdiff_t i = -MassGrid::margin; i <= n + MassGrid::margin; ++i) {
    const double mass = grid.node(i);
    if (mass == 0) continue;
    double* out = line.data() + (i + MassGrid::margin);
    for (std::size_t r = 0; r < kernel.size(); ++r) out[r] += mass * kernel[r];
  }
  std::vector<double> density(line.begin() + before, line.begin() + before + n + 1);
  const auto fold = [&](std::ptrdiff_t i) {
    const std::ptrdiff_t m = std::abs(i) % (2 * n);
    density[static_cast<std::size_t>(std::min(m, 2 * n - m))] += line[static_cast<std::size_t>(i + before)];
  };
  for (std::ptrdiff_t r = 1; r <= before; ++r) {
    fold(-r);
    fold(n + r);
  }
  density.front() *= 2;  // an end is its own mirror image
  density.back() *= 2;
  return density;
}

// The even function with these values at the nodes of [0, 1], continued beyond its ends.
class Mirrored {
 public:
  explicit Mirrored(std::span<const double> f) : f_(f), n_(static_cast<std::ptrdiff_t>(f.size()) - 1) {}
  double operator[](std::ptrdiff_t i) const {
    return f_[static_cast<std::size_t>(i < 0 ? -i : i > n_ ? 2 * n_ - i : i)];
  }
  [[nodiscard]] std::ptrdiff_t intervals() const { return n_; }

 private:
  std::span<const double> f_;
  std::ptrdiff_t n_;
};

// The same function with a node in the middle of each interval, by quintic interpolation.
inline std::vector<double> refined(const Mirrored& f) {
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(2 * f.intervals() + 1));
  for (std::ptrdiff_t i = 0; i < f.intervals(); ++i) {
    out.push_back(f[i]);
    out.push_back((150 * (f[i] + f[i + 1]) - 25 * (f[i - 1] + f[i + 2]) + 3 * (f[i - 2] + f[i + 3])) / 256);
  }
  out.push_back(f[f.intervals()]);
  return out;
}

// Integral of the cubic c0 + c1 t + c2 t^2 + c3 t^3 from 0 to t.
inline double cubic_integral(const std::array<double, 4>& c, double t) {
  return t * (c[0] + t * (c[1] / 2 + t * (c[2] / 3 + t * c[3] / 4)));
}

// Integral over [0, 1] of the absolute value: cubics through four neighbours, split where the sign changes.
inline double absolute_integral(const Mirrored& f) {
  double sum = 0;
  for (std::ptrdiff_t i = 0; i < f.intervals(); ++i) {
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
  return sum / static_cast<double>(f.intervals());
}

// Integral of |points smoothed with standard deviation sigma|.
inline double smoothed_absolute_mass(std::span<const PointMass> points, double sigma) {
  constexpr double fewest = 256, most = 0x1p22;
  // A power of two, at least 4 nodes per sigma, so that near a solution the grid does not change with sigma.
  const double nodes = std::clamp(std::exp2(std::ceil(std::log2(4 / sigma))), fewest, most);
  MassGrid grid(static_cast<std::size_t>(nodes));
  for (const PointMass& p : points) grid.add(p.x, p.mass);
  // The cubics of the integral are the coarsest of the approximations, hence the finer grid for them.
  const std::vector<double> fine = refined(Mirrored(smoothed(grid, sigma)));
  return absolute_integral(Mirrored(fine));
}

}  // namespace tare::numeric
