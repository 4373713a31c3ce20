#include "tare/measure/rank_poly/certain_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/drawn.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/measure/rank_poly/rank_poly.hpp"

namespace {

using namespace tare::detail::measure;
using tare::detail::ValueInterval;
using tare::detail::testing::drawn;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::SplitMix;

constexpr Options l1{.norm = 1};

Rows sure(std::size_t right, std::size_t wrong, double score = 1) {
  Rows out{std::vector<double>(right + wrong, score), std::vector<std::uint8_t>(right + wrong, score > 0.5)};
  for (std::size_t i = 0; i < wrong; ++i) out.label[i] = score < 0.5;
  return out;
}

// Clopper and Pearson's interval of 1 in 100 ends at 5.4459% (SciPy, beta.ppf(.975, 2, 99)), of 0 in n at
// 1 - 0.025^(1/n).
TEST(certain_rows, have_a_binomial_interval) {
  for (const double score : {0.0, 0x1p-21, 1 - 0x1p-21, 1.0}) {
    const Rows one = sure(99, 1, score), none = sure(500, 0, score);
    EXPECT_NEAR(must(rank_poly(one.view())).interval->high, 0.054459385392080645, 1e-9) << score;
    EXPECT_NEAR(must(rank_sign(one.view(), l1)).interval->high, 0.054459385392080645, 1e-9) << score;
    EXPECT_NEAR(must(rank_poly(none.view())).interval->high, 1 - std::pow(0.025, 1 / 500.0), 1e-9) << score;
    EXPECT_NEAR(must(rank_sign(none.view(), l1)).interval->high, 1 - std::pow(0.025, 1 / 500.0), 1e-9) << score;
    EXPECT_EQ(must(rank_poly(one.view())).interval->low, 0);
  }
}

// 3 of 100: 0.62% to 8.52% (SciPy); wrong ones that the scores announce do not count against them.
TEST(certain_rows, are_clear_of_zero_where_more_are_wrong_than_announced) {
  const CertainRows rows{.share = 1, .rows = 100, .wrong = 3};
  EXPECT_NEAR(ends_of(rows, 2).low, 0.006229971538306395, 1e-12);
  EXPECT_NEAR(ends_of(rows, 2).high, 0.08517605297428101, 1e-12);
  EXPECT_NEAR(ends_of(rows, 2).value, std::sqrt(6.0 / 9900), 1e-15);
  EXPECT_NEAR(ends_of(rows, 1).value, 0.03, 1e-15);
  const CertainRows due{.share = 1, .rows = 1e7, .wrong = 9, .doubt = 5e-7};
  EXPECT_EQ(ends_of(due, 2).low, 0);
}

// A row that stands alone beside a large group has leverage 1: nothing else says what to expect there.
TEST(certain_rows, say_nothing_about_a_row_that_stands_alone) {
  Rows rows = sure(99, 0);
  rows.score.push_back(0.7);
  rows.label.push_back(1);
  const auto square = must(rank_poly(rows.view()));
  EXPECT_EQ(square.value, 0);
  EXPECT_EQ(square.interval->low, 0);
  // 0.99 (1 - 0.025^(1/99))^2 and 0.01 0.7^2 in quadrature
  const double group = 0.99 * std::pow(1 - std::pow(0.025, 1 / 99.0), 2), alone = 0.01 * 0.49;
  EXPECT_NEAR(square.interval->high, std::sqrt(std::hypot(group, alone)), 1e-12);
  EXPECT_EQ(must(rank_sign(rows.view(), l1)).interval->low, 0);
}

TEST(certain_rows, join_with_the_others_by_their_shares) {
  const std::vector<PartEnds> parts{{.share = 0.25, .value = 0.2, .low = 0.1, .high = 0.4},
                                    {.share = 0.75, .value = 0.1, .low = 0, .high = 0.3}};
  const ValueInterval one = joined(parts, 1), two = joined(parts, 2);
  EXPECT_NEAR(one.low, 0.125 - std::hypot(0.025, 0.075), 1e-15);
  EXPECT_NEAR(one.high, 0.125 + std::hypot(0.05, 0.15), 1e-15);
  EXPECT_NEAR(two.low * two.low, 0.0175 - std::hypot(0.0075, 0.0075), 1e-15);
  EXPECT_NEAR(two.high * two.high, 0.0175 + std::hypot(0.03, 0.06), 1e-15);
}

TEST(certain_rows, are_those_within_a_millionth) {
  const double near = 0x1p-20, away = 0x1.8p-20;
  const Rows rows{{0, near, away, 0.5, 1 - away, 1 - near, 1, 1}, {0, 1, 0, 1, 1, 1, 0, 1}};
  const RowParts parts = parts_of(rows.view());
  ASSERT_EQ(parts.certain.size(), 2U);
  EXPECT_EQ(parts.certain[0].rows, 2);
  EXPECT_EQ(parts.certain[0].wrong, 1);
  EXPECT_EQ(parts.certain[0].doubt, near / 2);
  EXPECT_EQ(parts.certain[1].rows, 3);
  EXPECT_EQ(parts.certain[1].wrong, 1);
  EXPECT_NEAR(parts.certain[1].doubt, near / 3, 1e-18);
  ASSERT_TRUE(parts.others);
  EXPECT_EQ(parts.others_share, 3 / 8.0);
  EXPECT_EQ(parts.others->ordered().groups(), 3U);
  EXPECT_EQ(parts.others->ordered().total_hits(), 2U);
  EXPECT_EQ(parts.others->ordered().score(1), 0.5);
}

TEST(surest_rows, are_the_two_with_the_smallest_residuals) {
  const Rows rows{{0.1, 0.3, 0.6, 0.875, 0.99}, {1, 0, 0, 1, 0}};
  const auto flips = surest_rows(Sample(rows.view()).ordered());
  ASSERT_EQ(flips.size(), 2U);
  EXPECT_EQ(flips[0].group, 3U);  // 0.125
  EXPECT_TRUE(flips[0].hit);
  EXPECT_EQ(flips[1].group, 1U);  // 0.3
  EXPECT_FALSE(flips[1].hit);
  const Rows heavy{{0.25, 0.75}, {0, 1}, {3, 3}};  // equally sure: hits first, and no more than the weight of two
  const auto one = surest_rows(Sample(heavy.view()).ordered());
  ASSERT_EQ(one.size(), 1U);
  EXPECT_TRUE(one[0].hit);
  EXPECT_EQ(one[0].mass, 2U);
}

// With all groups alone, and with stretches of them pooled.
TEST(surest_rows, change_the_path_as_other_labels_do) {
  for (const std::size_t n : {100U, 6000U}) {
    Rows rows = drawn("piled", n, 3);
    const Sample before(rows.view());
    const auto flipped = RankPath(before, before.shared<RankBasis>()).flipped(before).terms();
    for (const Flip& flip : surest_rows(before.ordered()))
      for (std::size_t i = 0, left = flip.mass; i < n && left > 0; ++i)
        if (rows.score[i] == before.ordered().score(flip.group) && rows.label[i] == flip.hit)
          rows.label[i] = !flip.hit, --left;
    const auto expected = rank_poly_path(rows.view());
    ASSERT_EQ(flipped.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_NEAR(flipped[k].squared, expected[k].squared, 1e-14) << n << " " << k;
      EXPECT_NEAR(flipped[k].null, expected[k].null, 1e-15) << n << " " << k;
      EXPECT_NEAR(flipped[k].per_square, expected[k].per_square, 1e-12) << n << " " << k;
      EXPECT_NE(flipped[k].squared, rank_poly_path(before)[k].squared);
    }
  }
}

// Calibrated samples of which a few rows in a hundred are not certain: the interval begins at 0.
TEST(certain_rows, leave_the_interval_of_calibrated_samples_at_zero) {
  for (const double share : {0.95, 0.995}) {
    int squares = 0, signs = 0;
    const int samples = 200;
    for (int seed = 0; seed < samples; ++seed) {
      SplitMix rng(static_cast<std::uint64_t>(seed) << 32);
      Rows rows;
      for (int i = 0; i < 300; ++i) {
        const double u = rng.uniform(), s = rng.uniform() < share ? 1 - 0x1p-21 * u : u;
        rows.score.push_back(s);
        rows.label.push_back(rng.uniform() < s);
      }
      squares += must(rank_poly(rows.view())).interval->low == 0;
      signs += must(rank_sign(rows.view(), l1)).interval->low == 0;
    }
    EXPECT_GT(squares, 0.92 * samples) << share;
    EXPECT_GT(signs, 0.92 * samples) << share;
  }
}

}  // namespace
