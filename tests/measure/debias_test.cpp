#include "tare/measure/debias.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/golden.hpp"

namespace {

using tare::measure::debias_em;
using tare::measure::debias_ew;
using tare::testing::calibrated;
using tare::testing::golden;
using tare::testing::must;
using tare::testing::Rows;
using tare::testing::untied;
using tare::testing::with_value;

// One bin: f = 0.5, a = 3/4, so D = 1/16 - (3/16)/3 = 0.
TEST(debias_ew, by_hand) {
  const Rows r{{0.4, 0.5, 0.5, 0.6}, {1, 1, 0, 1}};
  const auto e = must(debias_ew(r.view(), {.bins = 1}));
  EXPECT_NEAR(*e.squared, 0, 1e-15);
}

TEST(debias_ew, keeps_the_sign_of_the_squared_error) {
  const Rows r{{0.4, 0.6}, {1, 0}};  // f = a = 0.5: D = -0.25
  const auto e = must(debias_ew(r.view(), {.bins = 1}));
  EXPECT_NEAR(*e.squared, -0.25, 1e-15);
  EXPECT_EQ(e.value, 0);
}

TEST(debias_em, a_bin_of_one_row_contributes_nothing) {
  const Rows r{{0.1, 0.9}, {1, 0}};
  const auto e = must(debias_em(r.view(), {.bins = 2}));
  EXPECT_EQ(*e.squared, 0);
  EXPECT_EQ(e.value, 0);
}

TEST(debias_ew, matches_kumars_program) {
  for (const auto& c : with_value(golden("ece_debias", "ew", "verified_calibration")))
    EXPECT_NEAR(must(debias_ew(c.rows.view(), {.bins = c.bins})).value, *c.value, 1e-12)
        << c.dataset << " " << c.bins;
}

TEST(debias_em, matches_an_independent_program_without_ties) {
  for (const auto& c : untied(golden("ece_debias", "em", "stable_exact")))
    EXPECT_NEAR(must(debias_em(c.rows.view(), {.bins = c.bins})).value, *c.value, 1e-12)
        << c.dataset << " " << c.bins;
  for (const auto& c : untied(golden("debias_squared_sum", "em", "stable_exact")))
    EXPECT_NEAR(*must(debias_em(c.rows.view(), {.bins = c.bins})).squared, *c.value, 1e-12)
        << c.dataset << " " << c.bins;
}

// The mean of D over calibrated samples is 0: within 3 standard errors, with and without ties.
template <class Draw>
void expect_unbiased(const Draw& draw) {
  for (const auto& run : {debias_ew, debias_em}) {
    double sum = 0, square = 0;
    const int m = 4000;
    for (int seed = 0; seed < m; ++seed) {
      const double d = *must(run(draw(static_cast<std::uint64_t>(seed)).view(), {})).squared;
      sum += d;
      square += d * d;
    }
    const double mean = sum / m, se = std::sqrt((square / m - mean * mean) / m);
    EXPECT_LT(std::abs(mean), 3 * se);
  }
}

TEST(debias_em, the_squared_error_of_calibrated_scores_has_mean_zero) {
  expect_unbiased([](std::uint64_t seed) { return calibrated(500, seed); });
}

TEST(debias_em, the_squared_error_of_calibrated_scores_on_a_grid_has_mean_zero) {
  expect_unbiased([](std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<double> uniform;
    Rows r;
    for (int i = 0; i < 500; ++i) {
      r.score.push_back(std::round(uniform(rng) * 10) / 10);
      r.label.push_back(uniform(rng) < r.score.back());
    }
    return r;
  });
}

// The standard error of D is the spread of D over samples (uniform scores, rate s^2).
TEST(debias_em, the_standard_error_of_the_squared_error_is_its_spread) {
  double sum = 0, square = 0, se = 0;
  const int m = 2000;
  for (int seed = 0; seed < m; ++seed) {
    const auto r = tare::testing::simulated(1000, static_cast<std::uint64_t>(seed), [](double s) { return s * s; });
    const auto e = must(debias_em(r.view(), {}));
    sum += *e.squared;
    square += *e.squared * *e.squared;
    se += *e.squared_se;
  }
  const double sd = std::sqrt(square / m - (sum / m) * (sum / m));
  EXPECT_NEAR(se / m / sd, 1, 0.1);
}

TEST(debias_em, exists_in_norm_two_only) {
  EXPECT_EQ(debias_em(calibrated(10, 1).view(), {.norm = 1}).error().code, tare::Errc::unsupported);
}

}  // namespace
