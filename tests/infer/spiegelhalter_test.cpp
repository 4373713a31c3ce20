#include "tare/infer/tests/classical.hpp"

#include "infer/support.hpp"
#include "support/golden.hpp"

namespace {

using tare::detail::infer::spiegelhalter;
using tare::detail::testing::golden_rows;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

// (2 - 1)(1/2) / sqrt(4 * 3/16 * 1/4) = 2 / sqrt(3)
TEST(spiegelhalter, of_four_rows_on_paper) {
  EXPECT_NEAR(must(spiegelhalter(Rows{{0.25, 0.25, 0.25, 0.25}, {1, 0, 0, 1}}.view())), 2 / std::sqrt(3.0), 1e-15);
}

// The formula in NumPy 2.4 on the rows of tests/golden/data.csv.
TEST(spiegelhalter, agrees_with_the_formula_row_by_row) {
  EXPECT_NEAR(must(spiegelhalter(golden_rows("d08_n100_uniform_c2").view())), -1.3041083783013185, 1e-12);
  EXPECT_NEAR(must(spiegelhalter(golden_rows("d10_n1000_resnet110_c10_fit").view())), 22.65432787725197, 1e-11);
  EXPECT_NEAR(must(spiegelhalter(golden_rows("d11_n500_ties_2dp").view())), 2.809003410698648, 1e-12);
}

TEST(spiegelhalter, is_the_brier_score_in_standard_deviations) {
  const auto rows = tare::detail::testing::shaped("piled", 500, 1);
  double brier = 0, expected = 0, variance = 0;
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    const double s = rows.score[i], y = rows.label[i];
    brier += (y - s) * (y - s);
    expected += s * (1 - s);
    variance += (1 - 2 * s) * (1 - 2 * s) * s * (1 - s);
  }
  EXPECT_NEAR(must(spiegelhalter(rows.view())), (brier - expected) / std::sqrt(variance), 1e-9);
}

TEST(spiegelhalter, counts_weights_as_frequencies) {
  Rows weighted{{0.3, 0.9}, {1, 0}, {2.5, 1.5}};
  const double sum = 2.5 * 0.7 * 0.4 + 1.5 * 0.9 * 0.8;
  const double variance = 2.5 * 0.21 * 0.16 + 1.5 * 0.09 * 0.64;
  EXPECT_NEAR(must(spiegelhalter(weighted.view())), sum / std::sqrt(variance), 1e-12);
}

TEST(spiegelhalter, does_not_exist_where_the_brier_score_cannot_vary) {
  EXPECT_FALSE(spiegelhalter(Rows{{0, 0.5, 1}, {0, 1, 1}}.view()));
}

}  // namespace
