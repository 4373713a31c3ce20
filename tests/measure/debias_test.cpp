#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/golden.hpp"

namespace {

using tare::detail::measure::debias_em;
using tare::detail::measure::debias_ew;
using tare::detail::testing::calibrated;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::untied;
using tare::detail::testing::with_value;

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

// Bins {0.1} and {0.8, 0.9}: the first says nothing, the second has f = 0.85, a = 0 and no variance: D = 2/3 * 0.85^2.
TEST(debias_em, a_bin_of_one_row_contributes_nothing) {
  const Rows r{{0.1, 0.8, 0.9}, {1, 0, 0}};
  const auto e = must(debias_ew(r.view(), {.bins = 2}));
  EXPECT_NEAR(*e.squared, 2 * 0.85 * 0.85 / 3, 1e-14);
  EXPECT_EQ(e.per_bin.size(), 2U);
}

// One row in every bin: there is no noise to subtract and no error left, whatever the labels are.
TEST(debias_em, is_undefined_where_every_bin_holds_one_row) {
  for (const auto& run : {debias_ew, debias_em}) {
    for (const Rows& r : {Rows{{0.1, 0.9}, {1, 0}}, Rows{{0.3}, {0}}, Rows{{0.1, 0.9}, {1, 0}, {0.5, 1}}}) {
      const auto e = run(r.view(), {.bins = 15});
      ASSERT_FALSE(e.has_value());
      EXPECT_EQ(e.error().code, tare::detail::Errc::undefined);
      EXPECT_FALSE(tare::detail::sentence(e.error()).empty());
    }
    Rows many;
    for (int i = 0; i < 15; ++i) {
      many.score.push_back(0.05 + i / 15.0);
      many.label.push_back(0);
    }
    EXPECT_FALSE(run(many.view(), {.bins = 15}).has_value());
    EXPECT_TRUE(run(many.view(), {.bins = 14}).has_value());
  }
}

// A row of weight 5 is five rows: f = 0.9, a = 0, no variance.
TEST(debias_em, a_row_of_weight_five_is_five_rows) {
  for (const auto& run : {debias_ew, debias_em})
    EXPECT_NEAR(must(run(Rows{{0.1, 0.9}, {0, 0}, {1, 5}}.view(), {.bins = 2})).value, 0.9 * std::sqrt(5.0 / 6), 1e-14);
}

// Other programs say 0 where every bin holds one row.
template <class Run>
void expect_value(const Run& run, const tare::detail::testing::GoldenCase& c, bool squared = false) {
  const auto e = run(c.rows.view(), tare::detail::measure::Options{.bins = c.bins});
  if (!e) {
    EXPECT_EQ(e.error().code, tare::detail::Errc::undefined) << c.dataset << " " << c.bins;
    EXPECT_EQ(*c.value, 0) << c.dataset << " " << c.bins;
    EXPECT_LE(c.rows.score.size(), static_cast<std::size_t>(c.bins)) << c.dataset;
    return;
  }
  EXPECT_NEAR(squared ? *e->squared : e->value, *c.value, 1e-12) << c.dataset << " " << c.bins;
}

TEST(debias_ew, matches_kumars_program) {
  for (const auto& c : with_value(golden("ece_debias", "ew", "verified_calibration"))) expect_value(debias_ew, c);
}

TEST(debias_em, matches_an_independent_program_without_ties) {
  for (const auto& c : untied(golden("ece_debias", "em", "stable_exact"))) expect_value(debias_em, c);
  for (const auto& c : untied(golden("debias_squared_sum", "em", "stable_exact"))) expect_value(debias_em, c, true);
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
    const auto r =
        tare::detail::testing::simulated(1000, static_cast<std::uint64_t>(seed), [](double s) { return s * s; });
    const auto e = must(debias_em(r.view(), {}));
    sum += *e.squared;
    square += *e.squared * *e.squared;
    se += *e.squared_se;
  }
  const double sd = std::sqrt(square / m - (sum / m) * (sum / m));
  EXPECT_NEAR(se / m / sd, 1, 0.1);
}

TEST(debias_em, exists_in_norm_two_only) {
  EXPECT_EQ(debias_em(calibrated(10, 1).view(), {.norm = 1}).error().code, tare::detail::Errc::unsupported);
}

}  // namespace
