#include "tare/analysis/survey.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "analysis/confidences.hpp"
#include "infer/support.hpp"
#include "support/sanitized.hpp"

namespace {

namespace measure = tare::detail::measure;
using tare::detail::Errc;
using tare::detail::Judgement;
using tare::detail::Kind;
using tare::detail::Measured;
using tare::detail::Predictions;
using tare::detail::Reduction;
using tare::detail::Survey;
using tare::detail::analysis::survey;
using tare::detail::analysis::SurveyOptions;
using tare::detail::testing::calibrated_matrix;
using tare::detail::testing::confidences;
using tare::detail::testing::DrawnMatrix;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::sanitized;
using tare::detail::testing::shaped;
using tare::detail::testing::simulated;

const Measured& of(const Survey& s, std::string_view name, std::optional<int> norm = {},
                   std::optional<std::size_t> class_index = {}) {
  for (const Measured& m : s.measured)
    if (m.name == name && (!norm || m.norm == norm) && m.class_index == class_index) return m;
  ADD_FAILURE() << name;
  std::abort();
}

void expect_same_bits(const Survey& a, const Survey& b) {
  ASSERT_EQ(a.measured.size(), b.measured.size());
  for (std::size_t i = 0; i < a.measured.size(); ++i) {
    const Measured &x = a.measured[i], &y = b.measured[i];
    ASSERT_EQ(x.estimate.has_value(), y.estimate.has_value()) << x.name;
    EXPECT_EQ(x.reason, y.reason) << x.name;
    if (x.estimate) {
      EXPECT_EQ(x.estimate->value, y.estimate->value) << x.name;
      EXPECT_EQ(x.estimate->se, y.estimate->se) << x.name;
      EXPECT_EQ(x.estimate->squared, y.estimate->squared) << x.name;
      EXPECT_EQ(x.estimate->squared_se, y.estimate->squared_se) << x.name;
      EXPECT_EQ(x.estimate->bins, y.estimate->bins) << x.name;
      ASSERT_EQ(x.estimate->parts.size(), y.estimate->parts.size()) << x.name;
      for (std::size_t p = 0; p < x.estimate->parts.size(); ++p)
        EXPECT_EQ(x.estimate->parts[p].value, y.estimate->parts[p].value) << x.name << " " << x.estimate->parts[p].name;
      ASSERT_EQ(x.estimate->per_bin.size(), y.estimate->per_bin.size()) << x.name;
      for (std::size_t j = 0; j < x.estimate->per_bin.size(); ++j) {
        const tare::detail::Bin &p = x.estimate->per_bin[j], &q = y.estimate->per_bin[j];
        EXPECT_EQ(std::tie(p.lower, p.upper, p.count, p.mean_score, p.mean_label),
                  std::tie(q.lower, q.upper, q.count, q.mean_score, q.mean_label))
            << x.name << " bin " << j;
      }
    }
    EXPECT_EQ(x.judgement, y.judgement) << x.name;
    EXPECT_EQ(x.floor, y.floor) << x.name;
    EXPECT_EQ(x.floor_high, y.floor_high) << x.name;
    EXPECT_EQ(x.low, y.low) << x.name;
    EXPECT_EQ(x.high, y.high) << x.name;
  }
}

TEST(survey, has_a_line_for_every_estimator_and_norm) {
  const auto rows = shaped("uniform", 400, 1);
  const auto s = must(survey(confidences(rows), {.seed = 3}));
  std::multiset<std::string> names;
  for (const auto& m : s.measured) names.insert(m.name);
  for (const auto& row : measure::all())
    EXPECT_EQ(names.count(std::string(row.name)), row.norms == measure::Norms::both ? 2U : 1U) << row.name;
  EXPECT_EQ(s.input.n, 400U);
  EXPECT_EQ(s.input.reduction, Reduction::top_label);
  EXPECT_EQ(s.seed, 3U);
  EXPECT_EQ(s.resamples, 1000U);
  for (const auto& m : s.measured) {
    const auto& row = *measure::find(m.name);
    EXPECT_EQ(m.floor.has_value(), row.is_error && m.estimate.has_value()) << m.name;
    EXPECT_EQ(m.judgement == Judgement::none, !m.floor.has_value()) << m.name;
    if (m.estimate) {
      EXPECT_NE(m.interval.empty(), m.interval_reason.empty()) << m.name;
    }
    if (m.low) {
      EXPECT_LE(*m.low, m.estimate->value) << m.name;
      EXPECT_GE(*m.high, m.estimate->value) << m.name;
    }
  }
}

TEST(survey, threads_and_row_order_change_no_bit) {
  auto rows = shaped("piled", 3000, 2);
  const SurveyOptions fast{.estimators = {"ece_ew", "sweep_em", "debias_em", "lb_em", "ks", "nll", "brier", "accuracy"},
                           .verdict = !sanitized};
  auto options = fast;
  const auto one = must(survey(confidences(rows), options));
  std::reverse(rows.score.begin(), rows.score.end());
  std::reverse(rows.label.begin(), rows.label.end());
  for (const int threads : {1, 2, 3}) {
    options.threads = threads;
    expect_same_bits(one, must(survey(confidences(rows), options)));
  }
}

Rows shuffled(const Rows& rows, std::uint64_t seed) {
  std::vector<std::size_t> place(rows.score.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::mt19937_64 rng(seed);
  std::shuffle(place.begin(), place.end(), rng);
  Rows out;
  for (const std::size_t i : place) {
    out.score.push_back(rows.score[i]);
    out.label.push_back(rows.label[i]);
    if (!rows.weight.empty()) out.weight.push_back(rows.weight[i]);
  }
  return out;
}

// The whole table, with ties, certain scores and weights that are whole, fractional and mixed.
TEST(survey, of_every_estimator_is_the_same_to_the_bit_for_shuffled_rows_and_threads) {
  for (const int weights : {0, 1, 2, 3}) {
    Rows rows = shaped("grid", 90, 21);
    const Rows more = shaped("piled", 60, 22);
    rows.score.insert(rows.score.end(), more.score.begin(), more.score.end());
    rows.label.insert(rows.label.end(), more.label.begin(), more.label.end());
    for (std::size_t i = 0; i < 150 && weights > 0; ++i) {
      const auto u = static_cast<double>(1 + i * i % 7);
      rows.weight.push_back(weights == 1 ? u - 1 : weights == 2 ? u / 10 : i % 5 == 0 ? 1e4 * u : u / 512);
    }
    SurveyOptions options{.threads = 1};
    const auto one = must(survey(confidences(rows), options));
    const Rows other = shuffled(rows, 23 + static_cast<std::uint64_t>(weights));
    options.threads = 3;
    expect_same_bits(one, must(survey(confidences(other), options)));
  }
}

// More different scores than cells.
TEST(survey, from_cells_is_the_same_to_the_bit_for_shuffled_rows_and_threads) {
  Rows rows = shaped("piled", 9000, 24);
  const std::vector<std::string> fast{"ece_ew",   "ece_em",    "debias_ew", "debias_em",
                                      "sweep_em", "rank_poly", "ks",        "corp"};
  for (const bool weighted : {false, true}) {
    for (std::size_t i = 0; i < 9000 && weighted; ++i) rows.weight.push_back(static_cast<double>(1 + i % 3) / 4);
    const auto one = must(survey(confidences(rows), {.estimators = fast, .verdict = !sanitized, .threads = 1}));
    const Rows other = shuffled(rows, 25);
    expect_same_bits(one, must(survey(confidences(other), {.estimators = fast, .verdict = !sanitized, .threads = 2})));
  }
}

TEST(survey, seeds_change_the_floor_and_nothing_else) {
  const auto rows = shaped("uniform", 500, 3);
  const auto a = must(survey(confidences(rows), {.estimators = {"ece_ew"}, .seed = 1}));
  const auto b = must(survey(confidences(rows), {.estimators = {"ece_ew"}, .seed = 2}));
  EXPECT_EQ(of(a, "ece_ew", 1).estimate->value, of(b, "ece_ew", 1).estimate->value);
  EXPECT_NE(of(a, "ece_ew", 1).floor, of(b, "ece_ew", 1).floor);
}

TEST(survey, without_resampling_has_values_only) {
  const auto s = must(survey(confidences(shaped("uniform", 300, 4)), {.resample = false}));
  EXPECT_EQ(s.resamples, 0U);
  for (const auto& m : s.measured) {
    EXPECT_FALSE(m.floor || m.floor_high || m.low || m.high) << m.name;
    EXPECT_EQ(m.judgement, Judgement::none);
  }
}

TEST(survey, tells_a_calibrated_model_from_a_bad_one) {
  const SurveyOptions options{.estimators = {"ece_ew", "debias_em", "sweep_em"}};
  const auto good = must(survey(confidences(shaped("uniform", 5000, 5)), options));
  EXPECT_EQ(of(good, "ece_ew", 1).judgement, Judgement::within_noise);
  const auto bad = must(survey(confidences(simulated(5000, 6, [](double c) { return c * c; })), options));
  for (const auto& m : bad.measured) EXPECT_EQ(m.judgement, Judgement::above_noise) << m.name;
}

TEST(survey, refuses_options_without_meaning_and_names_the_remedy) {
  const auto p = confidences(shaped("uniform", 20, 7));
  const auto typo = survey(p, {.estimators = {"ece_ww"}});
  ASSERT_FALSE(typo);
  EXPECT_EQ(typo.error().code, Errc::bad_option);
  EXPECT_NE(typo.error().remedy.find("ece_ew"), std::string::npos) << typo.error().remedy;
  const auto part = survey(p, {.estimators = {"sweep"}});
  ASSERT_FALSE(part);
  EXPECT_NE(part.error().remedy.find("sweep_em"), std::string::npos) << part.error().remedy;
  for (const int bins : {0, -1, 10'001, 1'000'000}) EXPECT_FALSE(survey(p, {.bins = bins}));
  EXPECT_FALSE(survey(p, {.norms = {3}}));
  EXPECT_FALSE(survey(p, {.norms = {}}));
  EXPECT_FALSE(survey(p, {.norms = {1}, .estimators = {"debias_em"}}));
}

TEST(survey, lists_debias_in_norm_2_only) {
  const auto s = must(survey(confidences(shaped("uniform", 50, 8)), {.norms = {1}, .resample = false}));
  for (const auto& m : s.measured) {
    EXPECT_EQ(m.name.find("debias"), std::string::npos);
    EXPECT_NE(m.norm, 2);
  }
}

// By hand: -(ln 0.7 + ln 0.2) / 2, and for brier ((0.3^2 + 0.2^2 + 0.1^2) + (0.5^2 + 0.8^2 + 0.3^2)) / 2.
TEST(survey, scores_the_full_matrix_of_three_classes_and_says_so) {
  const DrawnMatrix m{.values = {0.7, 0.2, 0.1, 0.5, 0.2, 0.3}, .label = {0, 1}, .k = 3};
  const auto s = must(survey(m.predictions(), {.estimators = {"nll", "brier", "accuracy"}}));
  EXPECT_EQ(s.input.reduction, Reduction::top_label);
  EXPECT_EQ(of(s, "nll").scope, "multiclass");
  EXPECT_NEAR(of(s, "nll").estimate->value, -(std::log(0.7) + std::log(0.2)) / 2, 1e-12);
  EXPECT_EQ(of(s, "brier").scope, "multiclass");
  EXPECT_NEAR(of(s, "brier").estimate->value, 0.56, 1e-12);
  EXPECT_EQ(of(s, "accuracy").estimate->value, 0.5);
  EXPECT_EQ(of(s, "accuracy").scope, "");
}

TEST(survey, scores_two_classes_as_binary) {
  const DrawnMatrix m{.values = {0.7, 0.3, 0.4, 0.6}, .label = {0, 0}, .k = 2};
  const auto s = must(survey(m.predictions(), {.estimators = {"brier"}}));
  EXPECT_EQ(s.input.reduction, Reduction::positive);
  EXPECT_EQ(of(s, "brier").scope, "binary");
  EXPECT_NEAR(of(s, "brier").estimate->value, (0.09 + 0.36) / 2, 1e-12);
}

TEST(survey, weight_2_is_the_row_twice) {
  auto once = shaped("uniform", 300, 9);
  auto twice = once;
  once.weight.assign(300, 2.0);
  twice.score.insert(twice.score.end(), once.score.begin(), once.score.end());
  twice.label.insert(twice.label.end(), once.label.begin(), once.label.end());
  const SurveyOptions options{.estimators = {"ece_ew", "debias_em", "sweep_em", "accuracy", "brier"}};
  const auto a = must(survey(confidences(once), options));
  expect_same_bits(a, must(survey(confidences(twice), options)));
  EXPECT_TRUE(a.input.weighted);
  EXPECT_EQ(a.input.total_weight, 600);
}

TEST(survey, undefined_estimators_say_why) {
  const Rows rows{{0.2, 0.4, 1.0}, {0, 0, 0}};  // kde has no positives, the log loss is infinite
  const auto s = must(survey(confidences(rows), {}));
  for (const auto* name : {"kde", "nll"}) {
    EXPECT_FALSE(of(s, name).estimate) << name;
    EXPECT_FALSE(of(s, name).reason.empty()) << name;
    EXPECT_FALSE(of(s, name).floor) << name;
  }
}

// Fewer rows than bins, all of them wrong: the debiased error is no zero within noise.
TEST(survey, a_debiased_error_of_single_rows_has_neither_floor_nor_interval_nor_verdict) {
  const Rows rows{{0.91, 0.97, 0.77, 0.83, 0.7}, {0, 0, 0, 0, 0}};
  const auto s = must(survey(confidences(rows), {}));
  const Measured& m = of(s, "debias_em");
  EXPECT_FALSE(m.estimate);
  EXPECT_NE(m.reason.find("one row"), std::string::npos) << m.reason;
  EXPECT_FALSE(m.floor || m.floor_high || m.low || m.high);
  EXPECT_EQ(m.judgement, Judgement::none);
  EXPECT_NE(of(s, "ece_em", 1).judgement, Judgement::within_noise);  // all are wrong
}

}  // namespace
