#include "tare/simulate/draw/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace {

using namespace tare::detail::simulate;

Quantile beta(double a, double b) { return Quantile({.kind = ScoreKind::beta, .alpha = a, .beta = b}); }

// The ten networks' distributions are between these; then densities with a peak, symmetric, and piled up at 0, at
// both ends and almost entirely at 1.
const std::vector<std::pair<double, double>> shapes = {{2.7752, 0.0478}, {1.0611, 0.0650}, {1.1823, 0.1081}, {0.5, 0.5},
                                                       {5, 1.5},         {200, 50},        {1, 0.3},         {0.05, 3},
                                                       {0.2, 0.1},       {3, 0.0185},      {4, 0.002}};

// Boost's inverse, which is exact on the side of the smaller of c and u.
ScorePoint by_boost(double a, double b, double above, double below) {
  ScorePoint p;
  if (above < below)
    p.u = boost::math::ibeta_inv(b, a, above, &p.c);
  else
    p.c = boost::math::ibeta_inv(a, b, below, &p.u);
  return p;
}

TEST(quantile, agrees_with_boost_to_1e_12) {
  for (const auto& [a, b] : shapes) {
    const Quantile q = beta(a, b);
    for (int i = 0; i < 400; ++i) {
      const double x = std::exp2(-1 - 25 * (i + 0.37) / 400);
      for (const bool top : {true, false}) {
        const double above = top ? x : 1 - x, below = top ? 1 - x : x;
        const ScorePoint mine = q.at(above, below), theirs = by_boost(a, b, above, below);
        // the condition number of u is above / (u density), about 1/beta for small u
        const double tolerance = std::max(1e-12, 4e-16 / std::min(a, b));
        if (theirs.u > 1e-290) {
          ASSERT_NEAR(mine.u / theirs.u, 1, tolerance) << a << " " << b << " " << above << " " << theirs.u;
        }
        if (theirs.c > 1e-290) {
          ASSERT_NEAR(mine.c / theirs.c, 1, tolerance) << a << " " << b << " " << above << " " << theirs.c;
        }
      }
    }
  }
}

// The other way round, through the distribution function, near 1 where c itself says nothing.
TEST(quantile, has_the_mass_it_was_asked_for) {
  const Quantile q = beta(2.7752, 0.0478);
  for (const double above : {0.49, 0.3, 0.17, 0.16, 0.1, 1e-3, 1e-6, 1e-9}) {
    const ScorePoint p = q.at(above, 1 - above);
    EXPECT_NEAR(boost::math::ibeta(0.0478, 2.7752, p.u) / above, 1, 1e-13) << above;
  }
}

TEST(quantile, of_uniform_scores_is_the_mass_below) {
  for (const Quantile& q : {Quantile({.kind = ScoreKind::uniform}), beta(1, 1)})
    for (const double below : {1e-9, 1e-3, 0.1, 0.4999, 0.5, 0.7, 0.999, 1 - 1e-9}) {
      const ScorePoint p = q.at(1 - below, below);
      EXPECT_NEAR(p.c, below, 1e-16);
      EXPECT_NEAR(p.u, 1 - below, 1e-16);
    }
}

TEST(quantile, rises_across_the_borders_of_cells) {
  for (const auto& [a, b] : shapes) {
    const Quantile q = beta(a, b);
    ScorePoint last = q.at(1 - 0x1p-32, 0x1p-32);
    for (int i = -30 * 64; i <= 30 * 64; ++i) {
      const double x = std::exp2(-std::abs(i) / 64.0 - 1);
      const ScorePoint p = i < 0 ? q.at(1 - x, x) : q.at(x, 1 - x);
      ASSERT_LE(last.c, p.c * (1 + 1e-15)) << a << " " << b << " " << i;
      ASSERT_GE(last.u * (1 + 1e-15), p.u) << a << " " << b << " " << i;
      last = p;
    }
  }
}

}  // namespace
