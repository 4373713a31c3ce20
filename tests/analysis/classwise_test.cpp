#include "tare/analysis/classwise.hpp"

#include <gtest/gtest.h>

#include <string>

#include "infer/support.hpp"
#include "tare/infer/resample/null.hpp"

namespace {

namespace analysis = tare::detail::analysis;
namespace infer = tare::detail::infer;
using analysis::ClasswiseOptions;
using analysis::ClasswiseResult;
using analysis::survey_classes;
using infer::ResampledChoice;
using tare::detail::Kind;
using tare::detail::Measured;
using tare::detail::testing::calibrated_matrix;
using tare::detail::testing::DrawnMatrix;
using tare::detail::testing::line;
using tare::detail::testing::must;

const Measured& of(const ClasswiseResult& r, std::string_view name, std::optional<int> norm,
                   std::optional<std::size_t> class_index = {}) {
  for (const Measured& m : r.measured)
    if (m.name == name && m.norm == norm && m.class_index == class_index) return m;
  ADD_FAILURE() << name;
  std::abort();
}

// One bin: class gaps 0.7 - 0.5, 0.2 - 0.5 and 0.1 - 0.
TEST(classwise, averages_values_in_norm_1_and_squares_in_norm_2) {
  const DrawnMatrix m{.values = {0.8, 0.1, 0.1, 0.6, 0.3, 0.1}, .label = {0, 1}, .k = 3};
  const auto r =
      must(survey_classes(m.predictions(), {line("ece_ew", 1, 39, 1), line("ece_ew", 2, 39, 1)}, {.bins = 1}));
  EXPECT_NEAR(of(r, "ece_ew", 1, 0).estimate->value, 0.2, 1e-12);
  EXPECT_NEAR(of(r, "ece_ew", 1, 1).estimate->value, 0.3, 1e-12);
  EXPECT_NEAR(of(r, "ece_ew", 1, 2).estimate->value, 0.1, 1e-12);
  EXPECT_NEAR(of(r, "ece_ew", 1).estimate->value, 0.2, 1e-12);
  EXPECT_NEAR(of(r, "ece_ew", 2).estimate->value, std::sqrt((0.04 + 0.09 + 0.01) / 3), 1e-12);
}

TEST(classwise, averages_the_unclamped_squares_of_the_debiased_error) {
  const auto m = calibrated_matrix(400, 4, 1);
  const auto r = must(survey_classes(m.predictions(), {line("debias_em", 2, 0)}, {}));
  double sum = 0, negative = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& e = *of(r, "debias_em", 2, k).estimate;
    sum += *e.squared;
    negative += *e.squared < 0;
  }
  EXPECT_GT(negative, 0);  // otherwise clamping would not show
  EXPECT_NEAR(*of(r, "debias_em", 2).estimate->squared, sum / 4, 1e-15);
  EXPECT_NEAR(of(r, "debias_em", 2).estimate->value, std::sqrt(std::max(sum / 4, 0.0)), 1e-15);
}

TEST(classwise, draws_classes_with_their_probabilities) {
  const DrawnMatrix probs{.values = {0.5, 0, 0.3, 0.2}, .label = {0}, .k = 4};
  std::vector<double> below(4);
  infer::cumulative_probabilities(*probs.predictions().matrix, 0, below);
  EXPECT_EQ(below[0], below[1]);
  EXPECT_NEAR(below[2], 0.8, 1e-15);
  const DrawnMatrix logits{.values = {std::log(2.0), std::log(6.0)}, .label = {0}, .k = 2};
  below.resize(2);
  infer::cumulative_probabilities(*logits.predictions(Kind::logits).matrix, 0, below);
  EXPECT_NEAR(below[0] / below[1], 0.25, 1e-15);
  const DrawnMatrix odds{.values = {std::log(3.0)}, .label = {0}, .k = 1};
  infer::cumulative_probabilities(*odds.predictions(Kind::logits).matrix, 0, below);
  EXPECT_NEAR(below[0] / below[1], 0.25, 1e-15);
}

// Two classes: their labels are each other's complement, so in norm 1 with one bin both errors, and their mean,
// are the same number in every redrawing. Drawn one by one, the mean would have a smaller quantile.
TEST(classwise, keeps_the_dependence_between_classes) {
  const auto m = calibrated_matrix(1000, 2, 2);
  const std::vector<ResampledChoice> lines{line("ece_ew", 1, 1000, 1)};
  const auto joint = must(survey_classes(m.predictions(), lines, {.bins = 1}));
  EXPECT_TRUE(joint.notes.empty());
  EXPECT_NEAR(*of(joint, "ece_ew", 1).floor_high, *of(joint, "ece_ew", 1, 0).floor_high, 1e-12);
  const auto apart = must(survey_classes(m.predictions(), lines, {.bins = 1, .joint_draws = 0}));
  EXPECT_EQ(apart.notes.size(), 1U);
  EXPECT_LT(*of(apart, "ece_ew", 1).floor_high, 0.95 * *of(joint, "ece_ew", 1).floor_high);
}

TEST(classwise, floors_drawn_jointly_and_one_by_one_agree) {
  const auto m = calibrated_matrix(3000, 10, 3);
  const std::vector<ResampledChoice> lines{line("ece_ew", 1, 400), line("ece_em", 2, 400), line("debias_em", 2, 400),
                                           line("sweep_em", 1, 400)};
  const auto joint = must(survey_classes(m.predictions(), lines, {.threads = 2}));
  const auto apart = must(survey_classes(m.predictions(), lines, {.threads = 2, .joint_draws = 0}));
  ASSERT_EQ(joint.measured.size(), apart.measured.size());
  for (std::size_t i = 0; i < joint.measured.size(); ++i) {
    const Measured &a = joint.measured[i], &b = apart.measured[i];
    ASSERT_TRUE(a.floor && b.floor) << a.name;
    EXPECT_EQ(a.estimate->value, b.estimate->value);
    // (floor_high - floor) is at least 1.2 standard deviations of one redrawing
    const double sd = (*a.floor_high - *a.floor) / 1.2;
    EXPECT_NEAR(*a.floor, *b.floor, 4.5 * sd * std::sqrt(2.0 / 400)) << a.name;
    EXPECT_NEAR(*a.floor_high, *b.floor_high, 4.5 * 2.1 * sd * std::sqrt(2.0 / 400) + 0.1 * sd) << a.name;
  }
}

TEST(classwise, threads_change_no_bit) {
  const auto m = calibrated_matrix(500, 5, 4);
  for (const std::size_t draws : {analysis::most_joint_draws, std::size_t{0}}) {
    const std::vector<ResampledChoice> lines{line("ece_ew", 1, 60), line("sweep_em", 2, 60)};
    const auto one = must(survey_classes(m.predictions(), lines, {.threads = 1, .joint_draws = draws}));
    const auto three = must(survey_classes(m.predictions(), lines, {.threads = 3, .joint_draws = draws}));
    for (std::size_t i = 0; i < one.measured.size(); ++i) {
      EXPECT_EQ(one.measured[i].estimate->value, three.measured[i].estimate->value);
      EXPECT_EQ(one.measured[i].floor, three.measured[i].floor);
      EXPECT_EQ(one.measured[i].floor_high, three.measured[i].floor_high);
    }
  }
}

TEST(classwise, the_order_of_rows_changes_no_bit) {
  auto m = calibrated_matrix(200, 3, 5);
  const auto lines = [] { return std::vector<ResampledChoice>{line("ece_ew", 1, 39), line("sweep_em", 2, 39)}; };
  const auto before = must(survey_classes(m.predictions(), lines(), {}));
  DrawnMatrix reversed{.values = {}, .label = {m.label.rbegin(), m.label.rend()}, .k = 3};
  for (std::size_t i = m.label.size(); i-- > 0;)
    for (std::size_t j = 0; j < 3; ++j) reversed.values.push_back(m.values[3 * i + j]);
  const auto after = must(survey_classes(reversed.predictions(), lines(), {}));
  for (std::size_t i = 0; i < before.measured.size(); ++i) {
    EXPECT_EQ(before.measured[i].floor, after.measured[i].floor) << i;
    EXPECT_EQ(before.measured[i].floor_high, after.measured[i].floor_high) << i;
  }
}

TEST(classwise, mean_is_exceeded_by_five_in_a_hundred_calibrated_samples) {
  constexpr int samples = 400;
  int above = 0;
  for (int i = 0; i < samples; ++i) {
    const auto m = calibrated_matrix(300, 3, 100 + static_cast<std::uint64_t>(i));
    const auto r =
        must(survey_classes(m.predictions(), {line("ece_ew", 1, 99)}, {.seed = static_cast<std::uint64_t>(i)}));
    above += of(r, "ece_ew", 1).judgement != tare::detail::Judgement::within_noise;
  }
  EXPECT_NEAR(static_cast<double>(above) / samples, 0.05, 4 * std::sqrt(0.05 * 0.95 / samples));
}

TEST(classwise, many_classes_use_fewer_redrawings_and_say_so) {
  EXPECT_EQ(analysis::class_resamples(1000, 10), 1000U);
  EXPECT_EQ(analysis::class_resamples(1000, 100), 200U);
  EXPECT_EQ(analysis::class_resamples(1000, 1000), 20U);
  EXPECT_EQ(analysis::class_resamples(200, 1000), 19U);
  EXPECT_EQ(analysis::class_resamples(0, 1000), 0U);
  const auto m = calibrated_matrix(200, 50, 5);
  const auto r = must(survey_classes(m.predictions(), {line("ece_ew", 1, 100)}, {}));
  EXPECT_EQ(r.resamples, 40U);
  ASSERT_EQ(r.notes.size(), 1U);
  EXPECT_NE(r.notes[0].find("40 redrawings"), std::string::npos) << r.notes[0];
  EXPECT_EQ(of(r, "ece_ew", 1, 7).resamples, 40U);
}

TEST(classwise, a_class_without_a_value_leaves_the_mean_undefined_and_named) {
  DrawnMatrix m = calibrated_matrix(50, 3, 6);
  for (auto& y : m.label) y = y == 2 ? 0 : y;  // class 2 never happens: kde has no positives there
  const auto r = must(survey_classes(m.predictions(), {line("kde", 1, 39)}, {}));
  EXPECT_FALSE(of(r, "kde", 1).estimate);
  EXPECT_NE(of(r, "kde", 1).reason.find("class 2"), std::string::npos) << of(r, "kde", 1).reason;
  EXPECT_TRUE(of(r, "kde", 1, 0).estimate);
}

TEST(classwise, weights_count_as_repetition) {
  DrawnMatrix once = calibrated_matrix(150, 3, 7);
  DrawnMatrix twice = once;
  once.weight.assign(150, 2.0);
  twice.values.insert(twice.values.end(), once.values.begin(), once.values.end());
  twice.label.insert(twice.label.end(), once.label.begin(), once.label.end());
  const std::vector<ResampledChoice> lines{line("ece_em", 2, 39), line("debias_ew", 2, 39)};
  const auto a = must(survey_classes(once.predictions(), lines, {}));
  const auto b = must(survey_classes(twice.predictions(), lines, {.joint_draws = 0}));
  for (std::size_t i = 0; i < a.measured.size(); ++i) {
    EXPECT_EQ(a.measured[i].estimate->value, b.measured[i].estimate->value);
    EXPECT_EQ(a.measured[i].floor_high, b.measured[i].floor_high);
  }
}

// Each class is a problem of two classes by itself, and its curve is the one that this problem has.
TEST(classwise, has_the_curve_of_every_class) {
  const auto m = calibrated_matrix(400, 3, 1);
  const auto r = must(survey_classes(m.predictions(), {line("ece_ew", 1, 39, 15)}, {}));
  ASSERT_EQ(r.curves.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(r.curves[k].class_index, k);
    double rows = 0, hits = 0, labels = 0;
    for (const auto& cell : r.curves[k].curve.cells) {
      rows += cell.count;
      hits += cell.count * cell.rate;
    }
    for (const auto label : m.label) labels += static_cast<std::size_t>(label) == k;
    EXPECT_NEAR(rows, 400, 1e-9);
    EXPECT_NEAR(hits, labels, 1e-9);
    EXPECT_EQ(r.curves[k].curve.basis, tare::detail::BandBasis::rising);
  }
}

// Of 25 classes twenty curves are kept, among them that of the class that is claimed with 52% and occurs in 4%.
TEST(classwise, keeps_the_curves_of_the_worst_classes) {
  DrawnMatrix m{.k = 25};
  for (std::size_t i = 0; i < 500; ++i) {
    for (std::size_t k = 0; k < 25; ++k) m.values.push_back(k == 24 ? 0.52 : 0.02);
    m.label.push_back(static_cast<int>(i % 25));
  }
  const auto r = must(survey_classes(m.predictions(), {line("ece_ew", 1, 39, 15)}, {}));
  ASSERT_EQ(r.curves.size(), analysis::most_class_curves);
  EXPECT_EQ(r.curves.back().class_index, 24U);
  EXPECT_NEAR(r.curves.back().curve.cells.back().rate, 0.04, 1e-12);
}

}  // namespace
