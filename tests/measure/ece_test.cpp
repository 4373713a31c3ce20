#include "tare/measure/ece.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace {

using tare::measure::ece_em;
using tare::measure::ece_ew;
using tare::testing::must;
using tare::testing::Rows;

// Bins (0, 0.5] and (0.5, 1]: gaps |0.15 - 0| and |0.85 - 1|.
TEST(ece_ew, by_hand) {
  const Rows r{{0.1, 0.2, 0.8, 0.9}, {0, 0, 1, 1}};
  const auto e = must(ece_ew(r.view(), {.bins = 2, .norm = 1}));
  EXPECT_NEAR(e.value, 0.15, 1e-14);
  ASSERT_EQ(e.per_bin.size(), 2U);
  EXPECT_EQ(e.per_bin[1].count, 2);
}

TEST(ece_em, keeps_equal_scores_together_in_the_bin_of_their_middle_rank) {
  // ranks 0 | 1 2 3 4 | 5: the group's middle rank 2.5 of 6 lies in the first of two bins
  const Rows r{{0.1, 0.5, 0.5, 0.5, 0.5, 0.9}, {0, 1, 0, 1, 0, 1}};
  const auto e = must(ece_em(r.view(), {.bins = 2, .norm = 1}));
  ASSERT_EQ(e.per_bin.size(), 2U);
  EXPECT_EQ(e.per_bin[0].count, 5);
  EXPECT_DOUBLE_EQ(e.per_bin[0].upper, 0.7);
}

}  // namespace
