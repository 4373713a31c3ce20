#include "tare/fit/beta.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fit/maps.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

// Mean log loss of the curve, straight from its definition.
double loss(const Rows& rows, double a, double b, double c) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    const double eta = a * std::log(rows.score[i]) - b * std::log1p(-rows.score[i]) + c;
    sum += std::log1p(std::exp(rows.label[i] ? -eta : eta));
  }
  return sum / static_cast<double>(rows.score.size());
}

TEST(beta, matches_the_reference) {
  const auto golden = golden_calibrators()["binary"]["d08_n100_uniform_c2"]["beta_calibration"];
  const Model model = fitted("beta", binary(golden_rows("d08_n100_uniform_c2")));
  for (const char* name : {"a", "b", "c"}) EXPECT_NEAR(only(model, name), golden[name].get<double>(), 1e-10) << name;
  EXPECT_NEAR(*model.fit.nll_after, golden["mean_nll"].get<double>(), 1e-14);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(*model.fit.gradient, 1e-12);
}

// The authors' program may end with a falling map: it drops one feature and does not look at the sign of the other.
TEST(beta, never_falls) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Rows rows = simulated(200, seed, [](double s) { return 0.9 - 0.8 * s; });
    const Model model = fitted("beta", binary(rows));
    EXPECT_EQ(model.fit.status, FitStatus::at_bound);
    EXPECT_GE(only(model, "a"), 0);
    EXPECT_GE(only(model, "b"), 0);
    EXPECT_LE(*model.fit.gradient, 1e-8);
    std::vector<double> x;
    for (int i = 0; i <= 100; ++i) x.push_back(i / 100.0);
    const auto q = applied(model, x);
    EXPECT_TRUE(std::is_sorted(q.begin(), q.end()));
  }
}

// Labels that fall with the score: the best non-falling map is the base rate.
TEST(beta, separated_the_wrong_way_is_a_constant) {
  const Model model = fitted("beta", binary({{0.1, 0.2, 0.7, 0.8}, {1, 1, 0, 0}}));
  EXPECT_EQ(model.fit.status, FitStatus::at_bound);
  for (const double q : applied(model, {0, 0.5, 1})) EXPECT_NEAR(q, 0.5, 1e-12);
}

TEST(beta, says_that_separated_classes_have_no_optimum) {
  const Model model = fitted("beta", binary({{0.1, 0.2, 0.7, 0.8}, {0, 0, 1, 1}}));
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_FALSE(model.fit.note.empty());
}

// Positives in the middle: separable by a bump, which no map with a, b >= 0 can be.
TEST(beta, a_bump_has_a_bounded_optimum) {
  const Model model = fitted("beta", binary({{0.1, 0.2, 0.45, 0.5, 0.55, 0.8, 0.9}, {0, 0, 1, 1, 1, 0, 0}}));
  EXPECT_EQ(model.fit.status, FitStatus::at_bound);
  EXPECT_LE(*model.fit.gradient, 1e-8);
}

TEST(beta, identical_scores_do_not_crash) {
  const Model model = fitted("beta", binary({{0.3, 0.3, 0.3, 0.3}, {1, 1, 1, 0}}));
  EXPECT_NEAR(applied(model, {0.3})[0], 0.75, 1e-15);
}

TEST(beta, two_distinct_scores_give_their_rates) {
  const Model model = fitted("beta", binary({{0.3, 0.3, 0.3, 0.6, 0.6, 0.6}, {1, 0, 0, 1, 1, 0}}));
  const auto q = applied(model, {0.3, 0.6});
  EXPECT_NEAR(q[0], 1.0 / 3, 1e-9);
  EXPECT_NEAR(q[1], 2.0 / 3, 1e-9);
  EXPECT_LE(*model.fit.gradient, 1e-8);
}

TEST(beta, scores_of_zero_and_one_are_fine) {
  const Model model = fitted("beta", binary({{0, 0, 1, 1, 0.3, 0.6}, {0, 1, 0, 1, 1, 0}}));
  EXPECT_LE(*model.fit.gradient, 1e-8);
  for (const double q : applied(model, {0, 1})) EXPECT_TRUE(q > 0 && q < 1);
}

// The problem is convex: if no step of the pattern improves, this is the minimum under the bounds.
RC_GTEST_PROP(beta, is_the_optimum_under_the_bounds, (std::uint64_t seed)) {
  const double tilt = *rc::gen::element(-0.8, -0.2, 0.3, 0.9);
  const Rows rows = simulated(150, seed, [&](double s) { return 0.5 + tilt * (s - 0.5); });
  const Model model = fitted("beta", binary(rows));
  if (model.fit.status == FitStatus::unbounded) return;
  const double a = only(model, "a"), b = only(model, "b"), c = only(model, "c"), best = loss(rows, a, b, c);
  for (const double h : {1e-1, 1e-3})
    for (int da = -1; da <= 1; ++da)
      for (int db = -1; db <= 1; ++db)
        for (int dc = -1; dc <= 1; ++dc)
          if (a + da * h >= 0 && b + db * h >= 0)
            RC_ASSERT(best <= loss(rows, a + da * h, b + db * h, c + dc * h) + 1e-13);
}

}  // namespace
