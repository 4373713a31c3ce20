// Sums of triweight kernels over weights on a grid, sum_j w_j (1 - ((i - j)/r)^2)^3 over |i - j| < r,
// two weights at a time, in a time that does not depend on the radius r: inside its support the
// kernel is a polynomial of degree 6, so seven moments of the window, updated as it slides, are enough.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace tare::detail::measure {

using Pair = std::array<double, 2>;

// Calls put(i, sums) for i = first .. last - 1, ascending. The grid is 0 beyond its ends.
template <class Put>
void triweight_sums(std::span<const Pair> weight, double radius, std::size_t first, std::size_t last, const Put& put) {
  const auto size = static_cast<std::ptrdiff_t>(weight.size());
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(radius)) - 1;  // the kernel is 0 at its edge
  const auto stop = static_cast<std::ptrdiff_t>(last);
  std::array<Pair, 7> moment;  // sum_j w_j ((j - c)/r)^m

  // The moments are about the centre c of a block of r outputs and start afresh with each block:
  // further away, powers of large numbers would cancel and leave only their rounding.
  const auto step = std::max<std::ptrdiff_t>(reach, 1);
  for (auto begin = static_cast<std::ptrdiff_t>(first); begin < stop; begin += step) {
    const std::ptrdiff_t centre = begin + step / 2;
    const auto add = [&](std::ptrdiff_t j, double sign) {
      if (j < 0 || j >= size) return;
      const double b = static_cast<double>(j - centre) / radius;
      double x = sign * weight[static_cast<std::size_t>(j)][0], y = sign * weight[static_cast<std::size_t>(j)][1];
      for (Pair& m : moment) {
        m[0] += x;
        m[1] += y;
        x *= b;
        y *= b;
      }
    };
    moment = {};
    for (std::ptrdiff_t j = begin - reach; j < begin + reach; ++j) add(j, 1);
    for (std::ptrdiff_t i = begin; i < std::min(begin + step, stop); ++i) {
      add(i + reach, 1);
      // (1 - (a - b)^2)^3 as a polynomial in b
      const double a = static_cast<double>(i - centre) / radius, q = 1 - a * a;
      const std::array<double, 7> c{
          q * q * q, 6 * a * q * q, q * (15 * a * a - 3), a * (20 * a * a - 12), 3 - 15 * a * a, 6 * a, -1};
      Pair sums{};
      for (std::size_t m = 0; m < 7; ++m) {
        sums[0] += c[m] * moment[m][0];
        sums[1] += c[m] * moment[m][1];
      }
      put(static_cast<std::size_t>(i), sums);
      add(i - reach, -1);
    }
  }
}

}  // namespace tare::detail::measure
