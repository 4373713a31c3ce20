#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/data.hpp"

namespace {

using tare::detail::measure::accuracy;
using tare::detail::measure::confidence;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

TEST(accuracy, by_hand) {
  const Rows r{{0.1, 0.2, 0.8, 0.9}, {0, 0, 1, 0}};
  const auto e = must(accuracy(r.view()));
  EXPECT_EQ(e.value, 0.25);
  EXPECT_DOUBLE_EQ(*e.se, std::sqrt(0.25 * 0.75 / 4));
}

TEST(accuracy, counts_weights) {
  const Rows r{{0.1, 0.9}, {0, 1}, {1, 3}};
  const auto e = must(accuracy(r.view()));
  EXPECT_EQ(e.value, 0.75);
  EXPECT_DOUBLE_EQ(*e.se, std::sqrt(0.75 * 0.25 / 4));
}

// 0.1 0.2 0.8 0.9: mean 0.5, sum of squares about it 0.5, standard error sqrt(0.5 / 3 / 4).
TEST(confidence, by_hand) {
  const Rows r{{0.1, 0.2, 0.8, 0.9}, {0, 0, 1, 0}};
  const auto e = must(confidence(r.view()));
  EXPECT_DOUBLE_EQ(e.value, 0.5);
  EXPECT_NEAR(*e.se, std::sqrt(0.5 / 12), 1e-15);
}

TEST(confidence, one_row_has_no_standard_error) { EXPECT_FALSE(must(confidence(Rows{{0.7}, {1}}.view())).se); }

TEST(confidence, fractional_weights_are_shares) {
  const Rows r{{0.2, 0.6}, {0, 1}, {0.5, 1.5}};
  EXPECT_DOUBLE_EQ(must(confidence(r.view())).value, 0.5);
}

}  // namespace
