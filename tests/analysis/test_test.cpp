#include "tare/analysis/test.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "infer/support.hpp"
#include "support/sanitized.hpp"

namespace {

namespace analysis = tare::detail::analysis;
namespace infer = tare::detail::infer;
using analysis::test_sample;
using analysis::TestOptions;
using tare::detail::TestReport;
using tare::detail::testing::beta_rows;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::shaped;

TestReport run(const Rows& rows, TestOptions options) {
  options.detectable = false;
  return must(test_sample(rows.view(), options));
}

double p_of(const TestReport& report, std::string_view name) {
  for (const auto& t : report.tests)
    if (t.name == name) return t.p_value.value_or(-1);
  ADD_FAILURE() << name;
  return -1;
}

// P(T >= t) over all 2^n labels, each with its probability: nothing is drawn.
double exact_p(const Rows& rows, const infer::Statistic& statistic) {
  const double observed = must(statistic(rows.view()));
  const std::size_t n = rows.score.size();
  double above = 0, below = 0;
  for (std::uint32_t labels = 0; labels < 1U << n; ++labels) {
    Rows other = rows;
    double probability = 1;
    for (std::size_t i = 0; i < n; ++i) {
      other.label[i] = labels >> i & 1U;
      probability *= other.label[i] ? rows.score[i] : 1 - rows.score[i];
    }
    const auto value = statistic(other.view());
    if (!value || *value >= observed - 1e-12) above += probability;
    if (!value || *value <= observed + 1e-12) below += probability;
  }
  return statistic.two_sided() ? std::min(1.0, 2 * std::min(above, below)) : above;
}

TEST(test, p_values_are_those_of_all_possible_labels) {
  const Rows rows{{0.1, 0.25, 0.25, 0.4, 0.55, 0.7, 0.7, 0.9, 0.95, 1}, {0, 1, 1, 0, 1, 0, 1, 0, 1, 1}};
  const std::vector<std::string> names{"rank_poly",       "debias_em", "sweep_em",      "ks",     "spiegelhalter",
                                       "hosmer_lemeshow", "cox_slope", "cox_intercept", "ece_ew", "corp",
                                       "smece",           "debias_ew"};
  const std::size_t resamples = tare::detail::testing::sanitized ? 999 : 9999;
  const auto report = run(rows, {.statistics = names, .bins = 3, .resamples = resamples});
  for (const auto& name : names) {
    const double exact = exact_p(rows, must(infer::find_statistic(name, {.bins = 3})));
    const double se = std::sqrt(std::max(exact * (1 - exact), 1e-3) / static_cast<double>(resamples));
    EXPECT_NEAR(p_of(report, name), exact, 4 * 2 * se + 1 / static_cast<double>(resamples + 1)) << name;
  }
}

TEST(test, rejects_what_is_clearly_miscalibrated) {
  const auto rows = tare::detail::testing::simulated(2000, 1, [](double s) { return s * s; });
  const auto report = run(rows, {.resamples = 199});
  for (const auto& t : report.tests) {
    // Spiegelhalter's Z is blind to c^2 on uniform scores: the integral of (c^2 - c)(1 - 2c) is 0.
    if (t.name == "spiegelhalter") continue;
    EXPECT_DOUBLE_EQ(t.p_value.value_or(1), t.two_sided ? 0.01 : 0.005) << t.name;
  }
}

TEST(test, row_order_and_threads_change_no_bit) {
  const std::size_t cells = tare::detail::testing::sanitized ? 64 : 512;
  for (const std::size_t n : {cells - 12, std::size_t{20'000}}) {  // rows, and cells of rows
    auto rows = shaped("piled", n, 2);
    const TestOptions options{.resamples = 99, .cells = cells};
    const auto one = must(test_sample(rows.view(), options));
    std::reverse(rows.score.begin(), rows.score.end());
    std::reverse(rows.label.begin(), rows.label.end());
    for (const int threads : {1, 3}) {
      auto other_options = options;
      other_options.threads = threads;
      const auto other = must(test_sample(rows.view(), other_options));
      ASSERT_EQ(one.tests.size(), other.tests.size());
      for (std::size_t t = 0; t < one.tests.size(); ++t) {
        EXPECT_EQ(one.tests[t].statistic, other.tests[t].statistic) << one.tests[t].name;
        EXPECT_EQ(one.tests[t].p_value, other.tests[t].p_value) << one.tests[t].name;
        EXPECT_EQ(one.tests[t].accepted_high, other.tests[t].accepted_high) << one.tests[t].name;
      }
      EXPECT_EQ(one.detectable->tce, other.detectable->tce);
      EXPECT_EQ(one.detectable->exponent, other.detectable->exponent);
    }
  }
}

TEST(test, a_weight_of_two_is_the_row_twice) {
  auto once = shaped("uniform", 200, 3), twice = once;
  once.weight.assign(200, 2.0);
  twice.score.insert(twice.score.end(), once.score.begin(), once.score.end());
  twice.label.insert(twice.label.end(), once.label.begin(), once.label.end());
  const auto a = run(once, {.resamples = 99}), b = run(twice, {.resamples = 99});
  for (std::size_t t = 0; t < a.tests.size(); ++t) EXPECT_EQ(a.tests[t].p_value, b.tests[t].p_value);
}

// Above 8192 different scores the statistic shown is still that of the rows.
TEST(test, shows_the_statistic_of_the_rows) {
  const auto rows = shaped("piled", 20'000, 4);
  const auto report = run(rows, {.resamples = 40, .cells = 256});
  for (const auto& t : report.tests)
    EXPECT_EQ(t.statistic, must(must(infer::find_statistic(t.name))(rows.view()))) << t.name;
}

TEST(test, reports_what_cannot_happen_on_its_own) {
  Rows rows{{0, 0, 0.5, 0.5, 0.7, 1, 1, 1}, {0, 1, 0, 1, 1, 1, 0, 0}};
  auto report = run(rows, {.resamples = 99});
  EXPECT_EQ(report.verdict.certain.misses_at_one, 2);
  EXPECT_EQ(report.verdict.certain.hits_at_zero, 1);
  rows.weight.assign(8, 0.5);
  EXPECT_EQ(run(rows, {.resamples = 99}).verdict.certain.misses_at_one, 1);
  report = run(Rows{{0.2, 1 - 2e-6}, {0, 0}}, {.resamples = 99});
  EXPECT_EQ(report.verdict.certain.wrong(), 0);
}

// Gathered into cells, a score of exactly 1 keeps to itself, and its neighbours stay uncertain.
TEST(test, keeps_certain_scores_certain_in_cells) {
  Rows rows = shaped("uniform", 3000, 5);
  for (std::size_t i = 0; i < 3000; ++i) {
    rows.score[i] = i % 3 == 0 ? 1 : 1 - 1e-3 * rows.score[i];
    rows.label[i] = 1;
  }
  const auto v = rows.view();
  const auto cells = infer::make_cells(tare::detail::numeric::order(v.score(), v.label()), 15, 128).ordered;
  const std::size_t last = cells.groups() - 1;
  EXPECT_EQ(cells.score(last), 1);
  EXPECT_EQ(cells.mass(last), 1000U);
  EXPECT_LT(cells.score(last - 1), 1);
}

TEST(test, says_why_there_is_no_p_value) {
  const auto report = run(Rows{{0, 1, 1}, {0, 1, 1}}, {.resamples = 99});
  EXPECT_EQ(p_of(report, "ks"), 1);
  for (const auto& t : report.tests)
    if (t.name == "cox_slope" || t.name == "spiegelhalter" || t.name == "hosmer_lemeshow") {
      EXPECT_FALSE(t.p_value) << t.name;
      EXPECT_FALSE(t.reason.empty()) << t.name;
    }
}

TEST(test, gates_by_one_statistic) {
  const auto bad = tare::detail::testing::simulated(1000, 6, [](double s) { return s * s; });
  const auto fine = shaped("uniform", 1000, 7);
  for (const auto* name : {"rank_poly", "debias_em", "cox_slope", "ks"}) {
    const TestOptions options{.statistics = {name}, .resamples = 199, .alpha = 0.02, .gate = true};
    EXPECT_TRUE(run(bad, options).gate->rejected) << name;
    EXPECT_FALSE(run(fine, options).gate->rejected) << name;
  }
  EXPECT_EQ(run(bad, {.resamples = 99, .gate = true}).gate->statistic, "smooth_test");
  EXPECT_FALSE(run(bad, {.resamples = 99}).gate);
}

TEST(test, refuses_what_has_no_meaning) {
  const auto rows = shaped("uniform", 50, 8);
  const auto refused = [&](const TestOptions& options, const std::string& words) {
    const auto result = test_sample(rows.view(), options);
    ASSERT_FALSE(result) << words;
    EXPECT_NE((tare::detail::sentence(result.error()) + " / " + result.error().remedy).find(words), std::string::npos)
        << tare::detail::sentence(result.error()) << " / " << result.error().remedy;
  };
  refused({.statistics = {"spiegelhaltr"}}, "did you mean spiegelhalter?");
  refused({.statistics = {"debias_me"}}, "did you mean debias_em?");
  refused({.statistics = {"brier"}}, "spiegelhalter is the test made of the Brier score");
  refused({.statistics = {"ks", "smece"}, .gate = true}, "a gate decides by one statistic");
  refused({.statistics = {"ks"}, .resamples = 99, .alpha = 0.001}, "pass at least 1000 resamples");
  refused({.statistics = {"cox_slope"}, .resamples = 38, .alpha = 0.05}, "pass at least 40 resamples");
  refused({.alpha = 0}, "alpha is 0");
  refused({.alpha = 1}, "alpha is 1");
  refused({.bins = 0}, "bins is 0");
  refused({.norm = 3}, "norm is 3");
  refused({.resamples = 0}, "resamples");
  EXPECT_TRUE(test_sample(rows.view(), {.statistics = {"ks"}, .resamples = 20, .detectable = false}));
  const auto undecided = test_sample(Rows{{0, 1}, {0, 1}}.view(), {.statistics = {"cox_slope"}, .gate = true});
  ASSERT_FALSE(undecided);
  EXPECT_EQ(undecided.error().code, tare::detail::Errc::undefined);
}

TEST(test, takes_every_error_of_the_table_as_a_statistic) {
  const auto rows = shaped("uniform", 300, 9);
  std::vector<std::string> names;
  for (const auto name : infer::statistic_names()) names.emplace_back(name);
  EXPECT_GE(names.size(), 18U);
  const auto report = run(rows, {.statistics = names, .resamples = 40});
  for (const auto& t : report.tests) EXPECT_TRUE(t.p_value) << t.name << " " << t.reason;
}

TEST(test, knows_its_input) {
  const auto matrix = tare::detail::testing::calibrated_matrix(400, 4, 1);
  auto report = must(analysis::test(matrix.predictions(), {.resamples = 99, .detectable = false}));
  EXPECT_EQ(report.input.n, 400U);
  EXPECT_EQ(report.input.reduction, tare::detail::Reduction::top_label);
  EXPECT_GT(p_of(report, "rank_poly"), 0.01);
  EXPECT_FALSE(analysis::test(matrix.predictions(), {.reduction = tare::detail::Reduction::classwise}));
}

}  // namespace
