#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/golden.hpp"

namespace {

using tare::detail::measure::ece_em;
using tare::detail::measure::ece_ew;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::untied;

// Bins (0, 0.5] and (0.5, 1]: gaps |0.15 - 0| and |0.85 - 1|.
TEST(ece_ew, by_hand) {
  const Rows r{{0.1, 0.2, 0.8, 0.9}, {0, 0, 1, 1}};
  const auto e = must(ece_ew(r.view(), {.bins = 2, .norm = 1}));
  EXPECT_NEAR(e.value, 0.15, 1e-14);
  ASSERT_EQ(e.per_bin.size(), 2U);
  EXPECT_EQ(e.per_bin[1].count, 2);
  EXPECT_EQ(e.per_bin[1].lower, 0.5);
}

TEST(ece_ew, one_row) { EXPECT_NEAR(must(ece_ew(Rows{{0.7}, {1}}.view())).value, 0.3, 1e-14); }

TEST(ece_ew, with_one_bin_is_the_overall_gap) {
  const Rows r{{0.1, 0.2, 0.6}, {1, 0, 1}};
  EXPECT_NEAR(must(ece_ew(r.view(), {.bins = 1})).value, 2.0 / 3 - 0.3, 1e-14);
}

TEST(ece_ew, matches_an_independent_program) {
  for (const auto& c : golden("ece_bin", "ew", "guo_open_left_zero_in_first"))
    EXPECT_NEAR(must(ece_ew(c.rows.view(), {.bins = c.bins, .norm = c.norm})).value, *c.value, 1e-12)
        << c.dataset << " " << c.bins << " " << c.norm;
}

TEST(ece_em, matches_an_independent_program_without_ties) {
  for (const auto& c : untied(golden("ece_bin", "em", "stable_exact")))
    EXPECT_NEAR(must(ece_em(c.rows.view(), {.bins = c.bins, .norm = c.norm})).value, *c.value, 1e-12)
        << c.dataset << " " << c.bins << " " << c.norm;
}

TEST(ece_em, keeps_equal_scores_together_in_the_bin_of_their_middle_rank) {
  // ranks 0 | 1 2 3 4 | 5: the group's middle rank 2.5 of 6 lies in the first of two bins
  const Rows r{{0.1, 0.5, 0.5, 0.5, 0.5, 0.9}, {0, 1, 0, 1, 0, 1}};
  const auto e = must(ece_em(r.view(), {.bins = 2, .norm = 1}));
  ASSERT_EQ(e.per_bin.size(), 2U);
  EXPECT_EQ(e.per_bin[0].count, 5);
  EXPECT_DOUBLE_EQ(e.per_bin[0].upper, 0.7);
}

TEST(ece_em, with_a_bin_per_row_is_the_root_brier_score) {
  const Rows r{{0.2, 0.4, 0.7}, {0, 1, 1}};
  EXPECT_NEAR(must(ece_em(r.view(), {.bins = 100})).value, std::sqrt((0.04 + 0.36 + 0.09) / 3), 1e-14);
}

// Several programs move or lose scores that sit on an edge: floor(10 * 0.7) and the edges 0.1 * j disagree
// about 0.3, 0.6 and 0.7, some drop 0, some give 1 a bin of its own. Here: (a, b], 0 in the first bin, 1 in the last.
TEST(ece_ew, scores_on_edges_belong_to_the_bin_below) {
  for (int j = 1; j <= 10; ++j) {
    const double s = j / 10.0;
    const auto e = must(ece_ew(Rows{{s}, {1}}.view(), {.bins = 10}));
    ASSERT_EQ(e.per_bin.size(), 1U);
    EXPECT_EQ(e.per_bin[0].upper, s) << j;
  }
  const auto zero = must(ece_ew(Rows{{0.0}, {0}}.view(), {.bins = 10}));
  EXPECT_EQ(zero.per_bin[0].upper, 0.1);
  EXPECT_EQ(zero.per_bin[0].count, 1);
}

TEST(ece_ew, every_row_is_counted_once_zero_and_one_included) {
  const Rows r{{0, 0, 0.5, 1, 1}, {0, 1, 1, 0, 1}};
  for (const int b : {1, 2, 3, 10, 15, 64, 1000}) {
    double count = 0;
    for (const auto& bin : must(ece_ew(r.view(), {.bins = b})).per_bin) count += bin.count;
    EXPECT_EQ(count, 5) << b;
  }
}

// A confident and always right model is perfectly calibrated, whatever the bins.
TEST(ece_ew, is_zero_for_a_perfect_one_hot_predictor) {
  const Rows r{{1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}};
  for (const int b : {1, 10, 15, 100}) EXPECT_EQ(must(ece_ew(r.view(), {.bins = b})).value, 0) << b;
}

// Counting in the precision of the scores stops at 2^24 rows per bin in float32. Here counts are integers.
TEST(ece_ew, counts_past_the_precision_of_float32) {
  const std::size_t n = (std::size_t{1} << 24) + 1000;
  const std::vector<float> score(n, 0.75F);
  std::vector<std::uint8_t> label(n, 1);
  std::fill(label.begin(), label.begin() + static_cast<std::ptrdiff_t>(n / 2), std::uint8_t{0});
  const auto e = must(ece_ew(must(tare::detail::binary_view(std::span<const float>(score), label)), {.norm = 1}));
  EXPECT_NEAR(e.value, 0.25, 1e-12);
  EXPECT_EQ(e.per_bin[0].count, static_cast<double>(n));
}

TEST(ece_ew, refuses_bins_and_norms_without_meaning) {
  const Rows r{{0.5}, {1}};
  EXPECT_EQ(ece_ew(r.view(), {.bins = 0}).error().code, tare::detail::Errc::bad_option);
  EXPECT_EQ(ece_ew(r.view(), {.norm = 3}).error().code, tare::detail::Errc::bad_option);
}

}  // namespace
