#include "tare/simulate/truth.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "support/golden.hpp"

namespace tare::detail::simulate {
namespace {

using tare::detail::testing::golden_csv;
using tare::detail::testing::must;

Truth truth(double alpha, double beta, std::string_view curve) {
  return {.scores = {.kind = ScoreKind::beta, .alpha = alpha, .beta = beta}, .curve = must(parse_curve(curve))};
}
Truth uniform(std::string_view curve) { return {.curve = must(parse_curve(curve))}; }
double tce(const Truth& t, int norm) { return must(true_error(t, norm)); }

TEST(true_error, is_that_of_the_ten_models_to_twelve_digits) {
  const auto rows = golden_csv("tce.csv");
  ASSERT_EQ(rows.size(), models().size());
  for (const auto& f : rows) {
    const Truth t = must(model(f[0]));
    EXPECT_EQ(t.scores.alpha, std::stod(f[1])) << f[0];
    EXPECT_EQ(t.scores.beta, std::stod(f[2])) << f[0];
    EXPECT_NEAR(tce(t, 1) / std::stod(f[6]), 1, 1e-12) << f[0];
    EXPECT_NEAR(tce(t, 2) / std::stod(f[7]), 1, 1e-12) << f[0];
    EXPECT_EQ(tce(must(model(f[0], true)), 2), 0);
  }
}

TEST(true_error, of_a_power_of_uniform_scores_is_known_on_paper) {
  EXPECT_NEAR(tce(uniform("power:2"), 1), 1.0 / 2 - 1.0 / 3, 1e-15);
  EXPECT_NEAR(tce(uniform("power:2"), 2), std::sqrt(1.0 / 30), 1e-15);
  EXPECT_NEAR(tce(uniform("flipped_power:2"), 2), std::sqrt(1.0 / 30), 1e-15);
  EXPECT_NEAR(tce(uniform("log_log_b0:-0.6931471805599453"), 1), 0.25, 1e-15);  // T = 1/2
  EXPECT_NEAR(tce(uniform("logit_logit_b0:0"), 1), 0.25, 1e-13);
  EXPECT_NEAR(tce(uniform("isotonic:0.5,0.5"), 2), std::sqrt(1.0 / 12), 1e-13);
  EXPECT_NEAR(tce(uniform("isotonic:0.5,0,0.5,1"), 1), 0.25, 1e-13);  // a step at 1/2
}

// mpmath 1.4, 30 digits, the intervals of integration split at the crossings.
TEST(true_error, agrees_with_integrals_of_thirty_digits) {
  const struct {
    double alpha, beta;
    const char* curve;
    double l1, l2;
  } cases[] = {
      {1, 1, "logistic:10,0.5", 0.11280976677102074, 0.12632675853606916},
      {0.5, 0.5, "logistic:40,0.3", 0.18727042240889202, 0.2597954419497315},
      {3.5, 5.5, "logit_logit:0.4,2.5", 0.12197229028786224, 0.13506333470487442},
      {0.3, 7, "logit_logit:-0.2,0.1", 0.28779302704830433, 0.2935036228765808},
      {1.2, 0.2, "logit_logflip:-3,-1.5", 0.14691366267844685, 0.22836746876694439},  // two crossings
      {2, 0.3, "isotonic:0.2,0.1,0.6,0.5,0.6,0.7,0.9,0.85", 0.10048944121733265, 0.11097891496575575},
      {2000, 500, "logit_logit:0.1,0.8", 0.029842062125662526, 0.02985622038437888},  // narrow
  };
  for (const auto& c : cases) {
    const Truth t = truth(c.alpha, c.beta, c.curve);
    EXPECT_NEAR(tce(t, 1) / c.l1, 1, 1e-11) << c.curve;
    EXPECT_NEAR(tce(t, 2) / c.l2, 1, 1e-11) << c.curve;
  }
}

// Differences of moments lose their digits near the identity, and the integral does not.
TEST(true_error, keeps_its_digits_near_the_identity) {
  const Truth t = truth(2.8, 0.05, "logflip_logflip:0,1.001");
  EXPECT_NEAR(tce(t, 1) / 2.9971650839763063e-5, 1, 1e-10);
  EXPECT_NEAR(tce(t, 2) / 8.2711494710579792e-5, 1, 1e-10);
}

TEST(crossings, are_all_found) {
  const auto c = [](std::string_view text) {
    std::vector<double> out;
    for (const ScorePoint p : crossings(must(parse_curve(text)))) out.push_back(p.c);
    return out;
  };
  EXPECT_TRUE(c("power:2").empty());
  EXPECT_TRUE(c("logit_logit:0,1").empty());
  ASSERT_EQ(c("logit_logit:0.4,2.5").size(), 1U);
  EXPECT_NEAR(c("logit_logit:0.4,2.5")[0], 1 / (1 + std::exp(0.4 / 1.5)), 1e-14);
  ASSERT_EQ(c("logistic:10,0.5").size(), 3U);
  EXPECT_NEAR(c("logistic:10,0.5")[0], 0.00718806418267162247, 1e-15);
  EXPECT_NEAR(c("logistic:10,0.5")[1], 0.5, 1e-15);
  ASSERT_EQ(c("logit_logflip:-3,-1.5").size(), 2U);
  // sigma(b0 - 1.5 ln u) touches the identity at u = 1/3 when b0 = ln 2 + 1.5 ln(1/3), and crosses it twice nearby
  // below
  const double touch = std::log(2) - 1.5 * std::log(3);
  EXPECT_EQ(c(to_text({find_curve("logit_logflip"), {touch - 1e-7, -1.5}})).size(), 2U);
  EXPECT_EQ(c(to_text({find_curve("logit_logflip"), {touch + 1e-7, -1.5}})).size(), 0U);
}

TEST(true_error, of_empirical_scores_is_their_mean) {
  Truth t = uniform("power:2");
  t.scores = {.kind = ScoreKind::empirical, .values = {{0, 1}, {0.25, 0.75}, {0.5, 0.5}, {1, 0}}};
  EXPECT_NEAR(tce(t, 1), (0.1875 + 0.25) / 4, 1e-15);
  EXPECT_NEAR(tce(t, 2), std::sqrt((0.1875 * 0.1875 + 0.0625) / 4), 1e-15);
}

TEST(true_error, scales_with_the_strength_of_the_curve) {
  for (const PublishedModel& row : models()) {
    Truth t = must(model(row.name));
    const double full = tce(t, 2);
    t.curve.strength = 0.1;
    EXPECT_NEAR(tce(t, 2), 0.1 * full, 1e-16);
    t.curve.strength = 0.5;
    EXPECT_NEAR(tce(t, 2), full / 2, 1e-16);
    t.curve.strength = 0;
    EXPECT_EQ(tce(t, 1), 0);
  }
}

TEST(true_error, says_when_there_is_none) {
  EXPECT_EQ(true_error(uniform("power:2"), 3).error().code, Errc::bad_option);
  EXPECT_EQ(true_error(truth(1, 1, "log_log:-0.5,-0.5"), 2).error().code, Errc::undefined);  // 1 / c is not integrable
  EXPECT_TRUE(true_error(truth(1, 1, "log_log:-0.5,-0.5"), 1));
  EXPECT_EQ(true_error(uniform("log_log:800,1"), 1).error().code, Errc::undefined);
  EXPECT_EQ(true_error(truth(0, 1, "power:2"), 1).error().code, Errc::bad_option);
}

RC_GTEST_PROP(true_error, of_power_laws_agrees_with_sums_over_many_quantiles, ()) {
  const double alpha = *rc::gen::inRange(5, 40) / 10.0, d = *rc::gen::inRange(5, 40) / 10.0;
  // Beta(alpha, 1) scores are v^(1/alpha): a midpoint sum over v
  double l1 = 0, l2 = 0;
  const int n = 4000;
  for (int i = 0; i < n; ++i) {
    const double c = std::pow((i + 0.5) / n, 1 / alpha), g = std::abs(c - std::pow(c, d));
    l1 += g / n;
    l2 += g * g / n;
  }
  const Truth t = truth(alpha, 1, "power:" + std::to_string(d));
  RC_ASSERT(std::abs(tce(t, 1) - l1) < 1e-4);
  RC_ASSERT(std::abs(tce(t, 2) - std::sqrt(l2)) < 1e-4);
}

}  // namespace
}  // namespace tare::detail::simulate
