#include "tare/simulate/fit/fit_truth.hpp"

#include <gtest/gtest.h>

#include "support/ordered.hpp"
#include "support/truths.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {
namespace {

using tare::detail::testing::drawn;
using tare::detail::testing::must;
using tare::detail::testing::ordered;
using tare::detail::testing::Rows;

TEST(fit_isotonic, is_the_pooled_rates_of_a_case_on_paper) {
  //               0    0    1    0    1    1       pooled: 0, 0, 1/2, 1/2, 1, 1
  const Rows rows{{0.1, 0.2, 0.3, 0.4, 0.6, 1}, {0, 0, 1, 0, 1, 1}};
  EXPECT_EQ(to_text(fit_isotonic(ordered(rows))), "isotonic:0.1,0,0.2,0,0.3,0.5,0.4,0.5,0.6,1,1,1");
  EXPECT_TRUE(parse_curve(to_text(fit_isotonic(ordered(rows)))));
}

TEST(fit_isotonic, ties_saturated_scores) {
  const Rows rows{{1e-9, 0, 0.5, 1 - 1e-9, 1}, {0, 0, 0, 0, 1}};
  EXPECT_EQ(to_text(fit_isotonic(ordered(rows))), "isotonic:0,0,0.5,0,1,0.5");
}

TEST(fit_isotonic, comes_near_the_truth) {
  const Truth truth = must(model("densenet40_c100"));
  const Curve curve = fit_isotonic(ordered(drawn(truth, 200000, 11)));
  for (const double c : {0.2, 0.4, 0.6, 0.8, 0.9, 0.99})
    EXPECT_NEAR(curve.hit({c, 1 - c}), truth.curve.hit({c, 1 - c}), 0.06) << c;
}

}  // namespace
}  // namespace tare::detail::simulate
