#include "tare/measure/rank_poly/rank_poly.hpp"
#include "infer/support.hpp"
#include "support/golden.hpp"
#include "tare/infer/tests/statistic.hpp"

namespace {

using tare::detail::measure::rank_poly_z;
using tare::detail::testing::golden_rows;
using tare::detail::testing::must;

// The definition in NumPy 2.4, row by row, on tests/golden/data.csv.
TEST(rank_poly_z, agrees_with_the_definition) {
  EXPECT_NEAR(must(rank_poly_z(golden_rows("d08_n100_uniform_c2").view())), 9.492478706841583, 1e-8);
  EXPECT_NEAR(must(rank_poly_z(golden_rows("d09_n200_beta_c10_perfect").view())), -1.6610554611054917, 1e-8);
  EXPECT_NEAR(must(rank_poly_z(golden_rows("d11_n500_ties_2dp").view())), 38.07945209406122, 1e-8);
}

TEST(rank_poly_z, is_the_statistic_of_that_name) {
  const auto statistic = must(tare::detail::infer::find_statistic("rank_poly"));
  ASSERT_NE(statistic.test, nullptr);
  EXPECT_EQ(statistic.test->name, "rank_poly");
  EXPECT_FALSE(statistic.two_sided());
}

TEST(rank_poly_z, does_not_exist_for_one_row) {
  EXPECT_FALSE(rank_poly_z(tare::detail::testing::calibrated(1, 1).view()));
}

}  // namespace
