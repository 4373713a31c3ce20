#include "tare/measure/smece/heat.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using tare::detail::measure::PointMass;
using tare::detail::measure::smoothed_absolute_mass;

// The definition: kernels and their mirror images, summed directly. Between two changes of sign the integral is a
// sum of error functions; the changes are bracketed by steps of sigma / 25 wherever a kernel reaches, then bisected.
class Direct {
 public:
  Direct(std::vector<PointMass> points, double sigma) : points_(std::move(points)), sigma_(sigma) {}

  [[nodiscard]] double absolute() const {
    std::vector<double> mesh{0, 1}, cuts{0, 1};
    for (const PointMass& p : points_)
      for (int step = -250; step <= 250; ++step) mesh.push_back(std::clamp(p.x + step * sigma_ / 25, 0.0, 1.0));
    std::sort(mesh.begin(), mesh.end());
    for (std::size_t i = 0; i + 1 < mesh.size(); ++i)
      if (mesh[i] < mesh[i + 1] && (at(mesh[i]) < 0) != (at(mesh[i + 1]) < 0))
        cuts.push_back(root(mesh[i], mesh[i + 1]));
    std::sort(cuts.begin(), cuts.end());
    double sum = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) sum += std::abs(integral(cuts[i + 1]) - integral(cuts[i]));
    return sum;
  }

 private:
  template <class F>
  [[nodiscard]] double over_images(const F& f) const {
    const int images = static_cast<int>(std::ceil(5 * sigma_)) + 1;
    double sum = 0;
    for (const PointMass& p : points_)
      for (int k = -images; k <= images; ++k) sum += p.mass * (f(p.x + 2 * k) + f(-p.x + 2 * k));
    return sum;
  }
  [[nodiscard]] double at(double t) const {
    return over_images([&](double centre) { return std::exp(-0.5 * (t - centre) * (t - centre) / (sigma_ * sigma_)); });
  }
  [[nodiscard]] double integral(double t) const {
    return over_images([&](double centre) { return 0.5 * std::erf((t - centre) / (sigma_ * std::sqrt(2.0))); });
  }
  [[nodiscard]] double root(double a, double b) const {
    const bool negative = at(a) < 0;
    for (int halving = 0; halving < 60; ++halving) ((at((a + b) / 2) < 0) == negative ? a : b) = (a + b) / 2;
    return a;
  }

  std::vector<PointMass> points_;
  double sigma_;
};

std::vector<PointMass> sorted(std::vector<PointMass> points) {
  std::sort(points.begin(), points.end(), [](const PointMass& a, const PointMass& b) { return a.x < b.x; });
  return points;
}

// Scores far apart, in clusters of the kernel's size, at both ends and beside them.
std::vector<PointMass> scattered(std::size_t n, double sigma, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<PointMass> out;
  for (std::size_t i = 0; i < n; ++i) {
    const double mass = (uniform(rng) - 0.5) / static_cast<double>(n), u = uniform(rng);
    const double centre = out.empty() ? 0.5 : out[rng() % out.size()].x;
    const double x[] = {u, centre + 8 * sigma * (u - 0.5), 0, 1, 4 * sigma * u, 1 - 4 * sigma * u};
    out.push_back({std::clamp(x[rng() % 6], 0.0, 1.0), mass});
  }
  return sorted(out);
}

TEST(heat, agrees_with_the_direct_sum_at_every_width) {
  for (const double sigma : {1e-6, 3e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.5, 1.0})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const auto points = scattered(12, sigma, seed);
      EXPECT_NEAR(smoothed_absolute_mass(points, sigma).absolute, Direct(points, sigma).absolute(), 5e-7)
          << sigma << " " << seed;
    }
}

// 39 rows at 1 and one beside them: the case that once filled a grid of four million nodes.
TEST(heat, work_is_bounded_by_the_number_of_points) {
  const std::vector<PointMass> two{{0.999999, 2.5e-8}, {1, 0}};
  EXPECT_LE(smoothed_absolute_mass(two, 1e-6).nodes, 280U);
  EXPECT_NEAR(smoothed_absolute_mass(two, 1e-6).absolute, 2.5e-8, 1e-13);
  for (const double sigma : {1e-6, 1.1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0})
    for (const std::size_t n : {1U, 2U, 40U, 400U}) {
      const std::size_t nodes = smoothed_absolute_mass(scattered(n, sigma, n), sigma).nodes;
      EXPECT_LE(nodes, 140 * n + 257) << sigma << " " << n;
      EXPECT_LE(static_cast<double>(nodes), std::max(257.0, 8 / sigma + 1)) << sigma << " " << n;
    }
}

}  // namespace
