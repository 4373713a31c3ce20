#include "tare/infer/resample/null.hpp"

#include <gtest/gtest.h>

namespace {

using tare::detail::infer::NullDistribution;

const std::vector<double> one_to_nine{5, 3, 9, 1, 7, 2, 8, 4, 6};

TEST(p_value, counts_what_was_observed_and_every_redrawing_as_extreme) {
  const NullDistribution null(one_to_nine, 0, false);
  EXPECT_DOUBLE_EQ(null.p_value(10), 0.1);
  EXPECT_DOUBLE_EQ(null.p_value(9), 0.2);  // a tie counts
  EXPECT_DOUBLE_EQ(null.p_value(8.5), 0.2);
  EXPECT_DOUBLE_EQ(null.p_value(0), 1);
}

TEST(p_value, of_two_sides_is_twice_the_smaller) {
  const NullDistribution null(one_to_nine, 0, true);
  EXPECT_DOUBLE_EQ(null.p_value(10), 0.2);
  EXPECT_DOUBLE_EQ(null.p_value(0), 0.2);
  EXPECT_DOUBLE_EQ(null.p_value(2), 0.6);
  EXPECT_DOUBLE_EQ(null.p_value(5), 1);
}

TEST(p_value, takes_rounding_for_a_tie) {
  const NullDistribution null({0.3, 0.3, 0.3}, 0, false);
  EXPECT_DOUBLE_EQ(null.p_value(0.1 + 0.2), 1);  // 0.30000000000000004
  EXPECT_DOUBLE_EQ(null.p_value(0.3000001), 0.25);
}

TEST(p_value, counts_undefined_redrawings_as_extreme) {
  const NullDistribution null({1, 2, 3}, 6, false);
  EXPECT_DOUBLE_EQ(null.p_value(10), 0.7);
}

TEST(p_value, is_below_alpha_exactly_outside_the_accepted_range) {
  std::vector<double> values;
  for (int i = 1; i <= 99; ++i) values.push_back(i);
  for (const bool two_sided : {false, true})
    for (const double alpha : {0.025, 0.05, 0.1, 0.5}) {
      const NullDistribution null(values, 0, two_sided);
      const auto range = null.accepted(alpha);
      ASSERT_TRUE(range.high);
      EXPECT_EQ(range.low.has_value(), two_sided);
      for (double t = 0; t <= 100; t += 0.5) {
        const bool inside = t <= *range.high && (!range.low || t >= *range.low);
        EXPECT_EQ(!(null.p_value(t) < alpha), inside) << t << " " << alpha << " " << two_sided;
      }
    }
  EXPECT_FALSE(NullDistribution(one_to_nine, 0, false).accepted(0.05).high);  // no p-value is that small
}

}  // namespace
