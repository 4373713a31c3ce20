#include "tare/measure/estimators.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

#include "support/drawn.hpp"
#include "support/golden.hpp"

namespace {

using tare::detail::Errc;
using tare::detail::measure::rank_sign;
using tare::detail::testing::drawn;
using tare::detail::testing::golden_csv;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

constexpr tare::detail::measure::Options in_l1{.norm = 1};

// The NumPy reference (tests/golden/rank_intervals_reference.py).
TEST(rank_sign, agrees_with_the_reference) {
  const auto golden = golden_csv("rank_sign.csv");
  ASSERT_GT(golden.size(), 600u);
  for (const auto& f : golden) {
    SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2]);
    const auto e = must(rank_sign(drawn(f[0], std::stoul(f[1]), std::stoul(f[2])).view(), in_l1));
    EXPECT_NEAR(e.value, std::stod(f[3]), 1e-9);
    ASSERT_TRUE(e.interval);
    EXPECT_NEAR(e.interval->low, std::stod(f[4]), 1e-9);
    EXPECT_NEAR(e.interval->high, std::min(std::stod(f[5]), 1.0), 1e-9);  // no gap is above 1
  }
}

// Two rows, r = 3/4 and 1/4, one term: each predicts the other, and both signs are right.
TEST(rank_sign, by_hand) {
  EXPECT_NEAR(must(rank_sign(Rows{{0.25, 0.75}, {1, 1}}.view(), in_l1)).value, 0.5, 1e-15);
  // r = -1/4 and 1/4: each predicts the wrong sign for the other
  EXPECT_EQ(must(rank_sign(Rows{{0.25, 0.75}, {0, 1}}.view(), in_l1)).value, 0);
}

TEST(rank_sign, exists_in_norm_one_only) {
  EXPECT_EQ(rank_sign(tare::detail::testing::calibrated(10, 1).view(), {.norm = 2}).error().code, Errc::unsupported);
  EXPECT_EQ(rank_sign(Rows{{0.4}, {1}}.view(), in_l1).error().code, Errc::undefined);
}

TEST(rank_sign, of_certain_and_right_scores_is_zero) {
  const auto e = must(rank_sign(Rows{{0, 1, 1, 0, 1, 1, 0}, {0, 1, 1, 0, 1, 1, 0}}.view(), in_l1));
  EXPECT_EQ(e.value, 0);
  EXPECT_EQ(e.interval->low, 0);
  // none of three and of four wrong: a rate of 1 - 0.025^(1/n) would show none in 1 of 40 samples
  const double three = 1 - std::pow(0.025, 1.0 / 3), four = 1 - std::pow(0.025, 1.0 / 4);
  EXPECT_NEAR(e.interval->high, std::hypot(3 * three, 4 * four) / 7, 1e-12);
}

// One score: the sign of the others is nearly always that of the gap, so the error is the gap itself.
TEST(rank_sign, of_one_score_is_its_gap) {
  Rows rows{std::vector<double>(1000, 0.7), {}};
  for (int i = 0; i < 1000; ++i) rows.label.push_back(i < 500);
  EXPECT_NEAR(must(rank_sign(rows.view(), in_l1)).value, 0.2, 1e-12);
}

TEST(rank_sign, weights_are_rows_and_their_order_is_nothing) {
  Rows once = drawn("saturated", 700, 3), twice = once;
  once.weight.assign(700, 2.0);
  twice.score.insert(twice.score.begin(), once.score.begin(), once.score.end());
  twice.label.insert(twice.label.begin(), once.label.begin(), once.label.end());
  const auto a = must(rank_sign(once.view(), in_l1)), b = must(rank_sign(twice.view(), in_l1));
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.interval->low, b.interval->low);
  EXPECT_EQ(a.interval->high, b.interval->high);
}

// Gathered places cost less than a twentieth of the standard error.
TEST(rank_sign, of_gathered_places_is_that_of_the_rows) {
  for (const char* kind : {"uniform", "piled"}) {
    const Rows rows = drawn(kind, 12'000, 3);
    const double exact = must(rank_sign(rows.view(), in_l1)).value;
    const double coarse = must(rank_sign(rows.view(), {.norm = 1, .gathered = true})).value;
    EXPECT_NE(exact, coarse);
    EXPECT_NEAR(exact, coarse, 0.05 * std::sqrt(0.2 / 12'000)) << kind;
  }
}

// Whatever the labels: 0 <= low <= value <= high <= 1.
RC_GTEST_PROP(rank_sign, lies_in_its_interval, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 200);
  const auto grid = *rc::gen::element(3, 50, 100'000);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.score.push_back(*rc::gen::inRange(0, grid + 1) / static_cast<double>(grid));
    rows.label.push_back(*rc::gen::arbitrary<bool>());
  }
  const auto e = must(rank_sign(rows.view(), in_l1));
  RC_ASSERT(0 <= e.interval->low);
  RC_ASSERT(e.interval->low <= e.value);
  RC_ASSERT(e.value <= e.interval->high);
  RC_ASSERT(e.interval->high <= 1);
}

}  // namespace
