#include "tare/analysis/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/sanitized.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/render/prose/prose.hpp"

namespace {

using namespace tare::detail;

struct VerdictRows {
  std::vector<double> score;
  std::vector<std::uint8_t> label;

  void add(double s, int y, std::size_t times = 1) {
    score.insert(score.end(), times, s);
    label.insert(label.end(), times, static_cast<std::uint8_t>(y));
  }
  [[nodiscard]] TestReport tested(bool detectable = true) const {
    const auto view = binary_view(std::span<const double>(score), label);
    auto report =
        analysis::test_sample(measure::Sample(*view), {.statistics = {"smooth_test"}, .detectable = detectable});
    EXPECT_TRUE(report) << sentence(report.error());
    report->input.n = score.size();
    return *std::move(report);
  }
  [[nodiscard]] Verdict verdict(bool detectable = true) const { return tested(detectable).verdict; }
};

// Whatever is found, its parts agree.
void expect_consistent(const Verdict& v) {
  ASSERT_TRUE(v.p_value);
  const bool rejected = v.outcome == Outcome::miscalibrated;
  EXPECT_EQ(rejected, *v.p_value < v.alpha);
  for (const ErrorRange* r : {&v.square, &v.mean}) {
    ASSERT_TRUE(r->value && r->low && r->high) << r->estimator;
    EXPECT_EQ(*r->low > 0, rejected) << r->estimator << " " << *v.p_value;
    EXPECT_LE(*r->low, *r->value) << r->estimator;
    EXPECT_LE(*r->value, *r->high) << r->estimator;
  }
  if (!rejected) {
    EXPECT_EQ(v.direction, Direction::none);
    EXPECT_EQ(v.shape, Shape::none);
    if (v.mean_gap.low) {
      EXPECT_LE(*v.mean_gap.low, 0);
      EXPECT_GE(*v.mean_gap.high, 0);
    }
  }
  if (v.outcome == Outcome::nothing_found) {
    ASSERT_TRUE(v.detectable);
    EXPECT_LE(*v.detectable, analysis::useful_error);
    EXPECT_GE(*v.detectable, *v.square.high);
  }
}

// Curves of several kinds, from calibrated to wild, at sizes where the test and the interval could disagree.
TEST(verdict, agrees_with_itself_on_many_samples) {
  std::mt19937_64 random(20240917);
  const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
  for (int sample = 0; sample < tare::detail::testing::samples(160); ++sample) {
    const std::size_t n = std::array<std::size_t, 4>{25, 120, 600, 2500}[static_cast<std::size_t>(sample % 4)];
    const double size = 0.35 / std::sqrt(static_cast<double>(n) / 25), piled = sample % 3 == 0 ? 0.05 : 1;
    VerdictRows rows;
    for (std::size_t i = 0; i < n; ++i) {
      const double s = sample % 7 == 6 ? std::round(5 * uniform()) / 5 : 1 - std::pow(uniform(), 1 / piled);
      double rate = s;
      if (sample % 5 == 1) rate = s - size;
      if (sample % 5 == 2) rate = s + size * (0.5 - s) * 3;
      if (sample % 5 == 3) rate = s + size * std::sin(20 * s);
      if (sample % 5 == 4) rate = s * s;
      rows.add(s, uniform() < std::clamp(rate, 0.0, 1.0));
    }
    SCOPED_TRACE(sample);
    expect_consistent(rows.verdict(false));
  }
}

TEST(verdict, takes_a_certain_error_for_miscalibration_whatever_else) {
  VerdictRows rows;
  rows.add(1, 1, 99);
  rows.add(1, 0);
  const Verdict v = rows.verdict();
  EXPECT_EQ(v.outcome, Outcome::miscalibrated);
  EXPECT_EQ(*v.p_value, 0x1p-20);
  EXPECT_EQ(v.certain.wrong(), 1);
  expect_consistent(v);
  // the other side, and among calibrated rows
  rows = {};
  for (int i = 0; i < 400; ++i) rows.add(0.5, i % 2);
  rows.add(1e-9, 1, 2);
  const TestReport mixed = rows.tested();
  EXPECT_EQ(mixed.verdict.outcome, Outcome::miscalibrated);
  EXPECT_LE(*mixed.verdict.p_value, 2 * 0x1p-20);
  EXPECT_NE(render::verdict_sentence(mixed).find("2 rows with a score of 0 and label 1"), std::string::npos);
  expect_consistent(mixed.verdict);
}

// A million scores of 1 - 5e-7 promise half an error: one of them is no evidence.
TEST(verdict, does_not_blame_a_model_for_the_error_it_promised) {
  EXPECT_EQ(analysis::p_of_certain({.misses_at_one = 1, .rows = 1e6, .expected = 0.5}), 1);
  EXPECT_EQ(analysis::p_of_certain({.misses_at_one = 1, .rows = 1e6, .expected = 0}), 0x1p-20);
  EXPECT_EQ(analysis::p_of_certain({.rows = 1e6, .expected = 0.5}), 1);
}

TEST(verdict, of_certain_and_right_rows_finds_nothing) {
  VerdictRows rows;
  rows.add(1, 1, 500);
  const Verdict v = rows.verdict();
  EXPECT_NE(v.outcome, Outcome::miscalibrated);
  EXPECT_EQ(*v.p_value, 1);
  expect_consistent(v);
}

TEST(verdict, of_thirty_rows_cannot_tell) {
  VerdictRows rows;
  for (int i = 0; i < 30; ++i) rows.add(0.6 + 0.01 * i, i % 3 != 0);
  const TestReport report = rows.tested();
  EXPECT_EQ(report.verdict.outcome, Outcome::cannot_tell);
  EXPECT_GT(*report.verdict.detectable, 0.2);
  EXPECT_NE(render::verdict_sentence(report).find("Cannot tell: 30 rows only show errors above"), std::string::npos);
}

// Mean score and rate agree, and the scores are twice as far from 1/2 as they should be.
TEST(verdict, sees_scores_that_are_too_extreme) {
  VerdictRows rows;
  for (int i = 0; i < 1000; ++i) {
    rows.add(0.9, i % 10 < 7);
    rows.add(0.1, i % 10 < 3);
  }
  const Verdict v = rows.verdict(false);
  EXPECT_EQ(v.outcome, Outcome::miscalibrated);
  EXPECT_EQ(v.direction, Direction::none);
  EXPECT_EQ(v.shape, Shape::too_extreme);
  // log(7/3) on log(9): the maximum likelihood of two groups
  EXPECT_NEAR(v.slope->value, std::log(7.0 / 3) / std::log(9.0), 1e-9);
}

// Two scores, each right on average over both: only a statistic that is told where to look rejects.
TEST(verdict, of_another_statistic_has_no_interval_that_begins_at_zero) {
  VerdictRows rows;
  for (int i = 0; i < 2000; ++i) rows.add(0.3 + 0.0002 * i, i % 2);
  const auto view = binary_view(std::span<const double>(rows.score), rows.label);
  for (const char* name : {"mce_ew", "ks", "cox_slope", "hosmer_lemeshow"}) {
    const auto report = analysis::test_sample(measure::Sample(*view), {.statistics = {name}, .detectable = false});
    ASSERT_TRUE(report);
    const Verdict& v = report->verdict;
    EXPECT_EQ(v.test, name);
    EXPECT_EQ(v.outcome == Outcome::miscalibrated, *v.p_value < 0.05) << name;
    for (const ErrorRange* r : {&v.square, &v.mean})
      if (r->low) {
        EXPECT_EQ(*r->low > 0, v.outcome == Outcome::miscalibrated) << name << " " << r->estimator;
      }
  }
}

TEST(verdict, is_what_the_lines_of_a_survey_follow) {
  VerdictRows rows;
  std::mt19937_64 random(4);
  for (int i = 0; i < 3000; ++i) {
    const double s = std::uniform_real_distribution<double>(0, 1)(random);
    rows.add(s, std::uniform_real_distribution<double>(0, 1)(random) < s);
  }
  Predictions p;
  p.kind = Kind::confidences;
  p.n = rows.score.size();
  p.confidences = *binary_view(std::span<const double>(rows.score), rows.label);
  const auto s = analysis::survey(p, {.estimators = {"rank_poly", "rank_sign", "debias_em"}});
  ASSERT_TRUE(s);
  const Verdict& v = s->test->verdict;
  for (const Measured& m : s->measured) {
    ASSERT_TRUE(m.low);
    EXPECT_EQ(*m.low > 0, v.outcome == Outcome::miscalibrated) << m.name;
    if (m.name != "debias_em") {
      EXPECT_EQ(m.judgement == Judgement::above_noise, v.outcome == Outcome::miscalibrated) << m.name;
    }
  }
}

}  // namespace
