#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace {

using tare::detail::measure::mce_em;
using tare::detail::measure::mce_ew;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::untied;

TEST(mce_ew, by_hand) {
  const Rows r{{0.1, 0.2, 0.8, 0.8}, {0, 0, 1, 0}};  // gaps 0.15 and 0.3
  EXPECT_NEAR(must(mce_ew(r.view(), {.bins = 2})).value, 0.3, 1e-14);
}

TEST(mce_ew, matches_an_independent_program) {
  for (const auto& c : golden("mce", "ew", "guo_open_left_zero_in_first"))
    EXPECT_NEAR(must(mce_ew(c.rows.view(), {.bins = c.bins})).value, *c.value, 1e-12) << c.dataset << " " << c.bins;
}

TEST(mce_em, matches_an_independent_program_without_ties) {
  for (const auto& c : untied(golden("mce", "em", "stable_exact")))
    EXPECT_NEAR(must(mce_em(c.rows.view(), {.bins = c.bins})).value, *c.value, 1e-12) << c.dataset << " " << c.bins;
}

// One program multiplies the gap by the count: 1000 rows with a gap of 0.4 gave 400.
TEST(mce_ew, does_not_grow_with_the_count) {
  Rows r;
  for (int i = 0; i < 1000; ++i) {
    r.score.push_back(0.9);
    r.label.push_back(i < 500);
  }
  EXPECT_NEAR(must(mce_ew(r.view(), {})).value, 0.4, 1e-14);
}

}  // namespace
