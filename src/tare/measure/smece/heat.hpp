// Point masses on [0, 1] smoothed by the reflected Gaussian (the heat kernel with insulated ends), and the
// integral of the absolute value of the result, on a grid at least 4 times finer than the kernel, to about six
// digits or 1e-7. Only the nodes that a kernel reaches are visited: at most 140 per point and at most all of the
// grid, so the time is bounded by the number of points and by 1/sigma, whichever is less.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tare::detail::measure {

struct PointMass {
  double x = 0;
  double mass = 0;
};

// Masses on the nodes first - 2 .. last + 2 of a grid over [0, 1], each point shared by the six nodes around it
// with the weights of quintic interpolation, which keep its first six moments.
class MassGrid {
 public:
  static constexpr std::ptrdiff_t margin = 2;
  explicit MassGrid(std::size_t intervals) : MassGrid(intervals, 0, static_cast<std::ptrdiff_t>(intervals)) {}
  // For points between the nodes first and last.
  MassGrid(std::size_t intervals, std::ptrdiff_t first, std::ptrdiff_t last);

  // The node at or below a point; the last one is left to the interval before it.
  static std::ptrdiff_t node_below(double x, std::size_t intervals) {
    return std::min(static_cast<std::ptrdiff_t>(x * static_cast<double>(intervals)),
                    static_cast<std::ptrdiff_t>(intervals) - 1);
  }

  // Once for every group of the data: inline.
  void add(double x, double mass) {
    const std::ptrdiff_t i = node_below(x, intervals_);
    const double t = x * static_cast<double>(intervals_) - static_cast<double>(i);
    const double outer = (t + 2) * (t - 3) * mass, middle = (t + 1) * (t - 2), inner = t * (t - 1);
    const double ends = middle * inner * mass * (1.0 / 120), sides = outer * inner * (1.0 / 24);
    const double centre = outer * middle * (1.0 / 12);
    double* at = node_.data() + (i - first_);  // node i - 2
    at[0] -= ends * (t - 3);
    at[1] += sides * (t - 2);
    at[2] -= centre * (t - 1);
    at[3] += centre * t;
    at[4] -= sides * (t + 1);
    at[5] += ends * (t + 2);
  }
  [[nodiscard]] std::size_t intervals() const { return intervals_; }
  [[nodiscard]] std::ptrdiff_t first() const { return first_ - margin; }
  [[nodiscard]] std::span<const double> nodes() const { return node_; }  // from first() on
  [[nodiscard]] double node(std::ptrdiff_t i) const { return node_[static_cast<std::size_t>(i - first())]; }

 private:
  std::size_t intervals_;
  std::ptrdiff_t first_;
  std::vector<double> node_;
};

struct Smoothed {
  double absolute = 0;    // integral of |points smoothed with standard deviation sigma|
  std::size_t nodes = 0;  // at so many nodes the density was computed
};

// The points in ascending order.
Smoothed smoothed_absolute_mass(std::span<const PointMass> points, double sigma);

}  // namespace tare::detail::measure
