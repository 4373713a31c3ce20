#include "tare/measure/kde/triweight.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using tare::detail::measure::Pair;
using tare::detail::measure::triweight_sums;

TEST(triweight, equals_the_direct_sum_for_every_radius) {
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> uniform;
  std::vector<Pair> weight(700);
  for (auto& w : weight) w = {uniform(rng), rng() % 3 == 0 ? 1000 * uniform(rng) : 0.0};
  for (const double radius : {1.0, 2.0, 2.5, 3.0, 17.3, 100.0, 650.0, 2000.0}) {
    std::size_t next = 40;
    triweight_sums(weight, radius, 40, 613, [&](std::size_t i, const Pair& sums) {
      EXPECT_EQ(i, next++);
      Pair direct{};
      for (std::size_t j = 0; j < weight.size(); ++j) {
        const double u = (static_cast<double>(i) - static_cast<double>(j)) / radius;
        if (std::abs(u) >= 1) continue;
        const double kernel = std::pow(1 - u * u, 3);
        direct[0] += kernel * weight[j][0];
        direct[1] += kernel * weight[j][1];
      }
      EXPECT_NEAR(sums[0], direct[0], 1e-11 * 700) << radius << " " << i;
      EXPECT_NEAR(sums[1], direct[1], 1e-11 * 7e5) << radius << " " << i;
    });
    EXPECT_EQ(next, 613U);
  }
}

}  // namespace
