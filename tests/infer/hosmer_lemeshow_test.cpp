#include "tare/infer/tests/classical.hpp"

#include "infer/support.hpp"
#include "support/golden.hpp"

namespace {

using tare::detail::infer::hosmer_lemeshow;
using tare::detail::testing::golden_rows;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

// Equal scores stay together: one group, (8 - 5)^2 / (10 * 1/4).
TEST(hosmer_lemeshow, of_one_score_on_paper) {
  const Rows rows{std::vector<double>(10, 0.5), {1, 1, 1, 1, 1, 1, 1, 1, 0, 0}};
  EXPECT_NEAR(must(hosmer_lemeshow(rows.view())), 3.6, 1e-15);
}

// Ten rows, ten groups: every row by itself, (y - s)^2 / (s (1 - s)).
TEST(hosmer_lemeshow, of_ten_rows_is_pearsons_sum) {
  Rows rows;
  double expected = 0;
  for (int i = 0; i < 10; ++i) {
    const double s = 0.05 + 0.09 * i, y = i % 3 == 0;
    rows.score.push_back(s);
    rows.label.push_back(i % 3 == 0);
    expected += (y - s) * (y - s) / (s * (1 - s));
  }
  EXPECT_NEAR(must(hosmer_lemeshow(rows.view())), expected, 1e-12);
}

// NumPy 2.4: groups by floor(10 rank / n), tie groups by their middle rank; rows of tests/golden/data.csv.
TEST(hosmer_lemeshow, agrees_with_the_formula_row_by_row) {
  EXPECT_NEAR(must(hosmer_lemeshow(golden_rows("d08_n100_uniform_c2").view())), 23.574585198540795, 1e-11);
  EXPECT_NEAR(must(hosmer_lemeshow(golden_rows("d11_n500_ties_2dp").view())), 70.54775338953728, 1e-11);
  EXPECT_NEAR(must(hosmer_lemeshow(golden_rows("d09_n200_beta_c10_perfect").view())), 0.3459322175984074, 1e-12);
  // a few misses among scores within 1e-12 of 1: only the complements, summed by themselves, are right there
  EXPECT_NEAR(must(hosmer_lemeshow(golden_rows("d10_n1000_resnet110_c10_fit").view())) / 20053.657472584353, 1, 1e-9);
}

TEST(hosmer_lemeshow, leaves_out_groups_that_cannot_vary) {
  const Rows rows{{0.5, 0.5, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 0}};
  EXPECT_NEAR(must(hosmer_lemeshow(rows.view())), 2, 1e-15);
  EXPECT_FALSE(hosmer_lemeshow(Rows{{0, 0, 1}, {0, 1, 1}}.view()));
}

TEST(hosmer_lemeshow, counts_a_weight_of_two_as_the_row_twice) {
  auto once = tare::detail::testing::shaped("uniform", 200, 3), twice = once;
  once.weight.assign(200, 2.0);
  twice.score.insert(twice.score.end(), once.score.begin(), once.score.end());
  twice.label.insert(twice.label.end(), once.label.begin(), once.label.end());
  EXPECT_EQ(must(hosmer_lemeshow(once.view())), must(hosmer_lemeshow(twice.view())));
}

}  // namespace
