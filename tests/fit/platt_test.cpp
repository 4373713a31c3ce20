#include "tare/fit/platt.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fit/maps.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

// Two scores with log-odds -z and z, hit rates 1/4 and 3/4: sigma(a z + b) must be those, so b = 0, a = ln 3 / z.
TEST(platt, by_hand) {
  const double s = 0.8, z = std::log(4);
  const Matrix data = binary({{1 - s, 1 - s, 1 - s, 1 - s, s, s, s, s}, {1, 0, 0, 0, 1, 1, 1, 0}});
  const Model model = fitted("platt", data);
  EXPECT_NEAR(only(model, "a"), std::log(3) / z, 1e-12);
  EXPECT_NEAR(only(model, "b"), 0, 1e-12);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(*model.fit.gradient, 1e-12);
  EXPECT_NEAR(*model.fit.nll_after, -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-14);
}

TEST(platt, matches_the_reference) {
  const auto golden = golden_calibrators()["binary"]["d08_n100_uniform_c2"];
  const Matrix data = binary(golden_rows("d08_n100_uniform_c2"));
  const Model model = fitted("platt", data);
  EXPECT_NEAR(only(model, "a"), golden["platt"]["a"].get<double>(), 1e-11);
  EXPECT_NEAR(only(model, "b"), golden["platt"]["b"].get<double>(), 1e-11);
  EXPECT_NEAR(*model.fit.nll_after, golden["platt"]["mean_nll"].get<double>(), 1e-14);
  EXPECT_LE(*model.fit.gradient, 1e-12);
  const Model smooth = fitted("platt", data, {.smooth_targets = true});
  EXPECT_NEAR(only(smooth, "a"), golden["platt_smoothed_targets"]["a"].get<double>(), 1e-11);
  EXPECT_NEAR(only(smooth, "b"), golden["platt_smoothed_targets"]["b"].get<double>(), 1e-11);
}

// No finite slope is best here; peers return whatever the iteration limit left.
TEST(platt, says_that_separated_classes_have_no_optimum) {
  const Matrix data = binary({{0.1, 0.2, 0.7, 0.8}, {0, 0, 1, 1}});
  const Model model = fitted("platt", data);
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_FALSE(model.fit.note.empty());
  const auto q = applied(model, {0, 0.1, 0.5, 0.8, 1});
  EXPECT_TRUE(std::is_sorted(q.begin(), q.end()));
  EXPECT_LE(*model.fit.gradient, 1e-8);
  // the map is that of the smooth targets
  EXPECT_EQ(q, applied(fitted("platt", data, {.smooth_targets = true}), {0, 0.1, 0.5, 0.8, 1}));
  // the classes touch in one score: still no optimum
  EXPECT_EQ(fitted("platt", binary({{0.1, 0.5, 0.5, 0.8}, {0, 0, 1, 1}})).fit.status, FitStatus::unbounded);
  // the wrong way round: the slope goes to minus infinity
  const Model falling = fitted("platt", binary({{0.1, 0.2, 0.7, 0.8}, {1, 1, 0, 0}}));
  EXPECT_EQ(falling.fit.status, FitStatus::unbounded);
  EXPECT_LT(only(falling, "a"), 0);
}

TEST(platt, smooth_targets_have_an_optimum_on_separated_classes) {
  const Model model = fitted("platt", binary({{0.1, 0.2, 0.7, 0.8}, {0, 0, 1, 1}}), {.smooth_targets = true});
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(*model.fit.gradient, 1e-8);
}

// Smooth targets with one class are the constant (n + 1) / (n + 2), whatever the score.
TEST(platt, one_class_gives_the_rule_of_succession) {
  const Model model = fitted("platt", binary({{0.1, 0.6, 0.9}, {1, 1, 1}}));
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  for (const double q : applied(model, {0, 0.5, 1})) EXPECT_NEAR(q, 4.0 / 5, 1e-12);
}

TEST(platt, one_score_keeps_the_slope_of_the_identity) {
  const Model model = fitted("platt", binary({{0.9, 0.9, 0.9, 0.9}, {1, 0, 1, 0}}));
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_EQ(only(model, "a"), 1);
  EXPECT_NEAR(applied(model, {0.9})[0], 0.5, 1e-15);
}

TEST(platt, scores_of_zero_and_one_are_fine) {
  const Model model = fitted("platt", binary({{0, 0, 1, 1, 0.3, 0.6, 0.4, 0.7}, {0, 1, 0, 1, 1, 0, 0, 1}}));
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  for (const double q : applied(model, {0, 1})) EXPECT_TRUE(q > 0 && q < 1);
}

// Log-odds come from the logits, not from probabilities that have rounded to 1.
TEST(platt, huge_logits_keep_their_size) {
  Matrix data{.kind = Kind::logits, .columns = 1, .values = {}, .label = {}};
  for (int i = 0; i < 40; ++i) {
    data.values.push_back((i % 2 ? 1 : -1) * (i < 20 ? 1e4 : 1e3));
    data.label.push_back(i % 5 == 0 ? 1 - i % 2 : i % 2);
  }
  const Model model = fitted("platt", data);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(*model.fit.gradient, 1e-8);
}

TEST(platt, two_columns_agree_with_one) {
  const Matrix one = binary(simulated(300, 3, [](double s) { return 0.2 + 0.5 * s; }));
  Matrix two{.columns = 2, .values = {}, .label = one.label};
  Matrix logits{.kind = Kind::logits, .columns = 2, .values = {}, .label = one.label};
  for (const double s : one.values) {
    two.values.insert(two.values.end(), {1 - s, s});
    logits.values.insert(logits.values.end(), {5, 5 + std::log(s / (1 - s))});
  }
  const Model a = fitted("platt", one), b = fitted("platt", two), c = fitted("platt", logits);
  for (const char* name : {"a", "b"}) {
    EXPECT_NEAR(only(a, name), only(b, name), 1e-9);
    EXPECT_NEAR(only(a, name), only(c, name), 1e-9);
  }
  const auto q = applied(b, {0.25, 0.75});
  EXPECT_NEAR(q[1], applied(a, {0.75})[0], 1e-9);
  EXPECT_EQ(q[0] + q[1], 1);
}

TEST(platt, float32_is_fitted_in_double_precision) {
  const Matrix data = binary(simulated(500, 9, [](double s) { return 0.1 + 0.7 * s; }));
  const std::vector<float> narrow(data.values.begin(), data.values.end());
  Matrix wide = data;
  wide.values.assign(narrow.begin(), narrow.end());
  const auto from32 = must(
      fit::platt_calibrator.fit(must(multiclass_view(Kind::probs, std::span<const float>(narrow), 1, data.label)), {}));
  EXPECT_EQ(only(from32, "a"), only(fitted("platt", wide), "a"));
  EXPECT_LE(*from32.fit.gradient, 1e-10);
}

TEST(platt, finds_the_slope_that_made_the_labels) {
  const Rows rows = simulated(200000, 5, [](double s) { return fit::sigma(0.5 * fit::log_odds(s) + 0.3); });
  const Model model = fitted("platt", binary(rows));
  EXPECT_NEAR(only(model, "a"), 0.5, 0.02);
  EXPECT_NEAR(only(model, "b"), 0.3, 0.03);
}

RC_GTEST_PROP(platt, every_fit_is_certified, (std::uint64_t seed)) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 80);
  const Rows rows = calibrated(n, seed);
  const Model model = fitted("platt", binary(rows));
  RC_ASSERT(model.fit.status == FitStatus::converged || model.fit.status == FitStatus::unbounded);
  RC_ASSERT(*model.fit.gradient <= 1e-8);
  if (model.fit.status == FitStatus::converged) RC_ASSERT(*model.fit.nll_after <= *model.fit.nll_before + 1e-12);
}

}  // namespace
