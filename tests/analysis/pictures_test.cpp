// The numbers behind pictures: shares, sizes and bins that can be checked on paper.
#include <gtest/gtest.h>

#include <cmath>

#include "infer/support.hpp"
#include "tare/analysis/bin_choice.hpp"
#include "tare/analysis/calibrator_map.hpp"
#include "tare/analysis/curves.hpp"
#include "tare/analysis/estimate_rows.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::calibrated_matrix;
using tare::detail::testing::DrawnMatrix;
using tare::detail::testing::must;

struct PictureRows {
  std::vector<double> score = {};
  std::vector<std::uint8_t> hit = {};
  std::vector<double> weight = {};
  [[nodiscard]] Predictions predictions() const {
    Predictions out;
    out.kind = Kind::confidences;
    out.n = score.size();
    out.confidences = *binary_view(std::span<const double>(score), hit, weight);
    return out;
  }
};

// Accuracies of the surest 1, 3 and 5 rows of five, two pairs of which are tied: 1, 2/3, 3/5.
TEST(rejection, keeps_equal_scores_together) {
  const PictureRows rows{{0.5, 0.9, 0.7, 0.7, 0.5}, {1, 1, 0, 1, 0}};
  const auto curve = must(analysis::rejection(rows.predictions()));
  ASSERT_EQ(curve.points.size(), 3U);
  EXPECT_EQ(curve.thresholds, 3U);
  const double share[] = {0.2, 0.6, 1}, accuracy[] = {1, 2.0 / 3, 0.6}, from[] = {0.9, 0.7, 0.5},
               claimed[] = {0.9, 2.3 / 3, 3.3 / 5};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(curve.points[i].share, share[i]);
    EXPECT_DOUBLE_EQ(curve.points[i].accuracy, accuracy[i]);
    EXPECT_DOUBLE_EQ(curve.points[i].threshold, from[i]);
    EXPECT_DOUBLE_EQ(curve.points[i].claimed, claimed[i]);
  }
  EXPECT_NEAR(curve.mean_accuracy, (1 + 2 * 2.0 / 3 + 2 * 0.6) / 5, 1e-15);
  // Wilson 1927 for 3 of 5: 0.2307 to 0.8824
  EXPECT_NEAR(curve.points[2].low, 0.2307, 1e-4);
  EXPECT_NEAR(curve.points[2].high, 0.8824, 1e-4);
}

TEST(rejection, counts_weights_as_rows) {
  const PictureRows twice{{0.9, 0.9, 0.6}, {1, 1, 0}}, weighted{{0.9, 0.6}, {1, 0}, {2, 1}};
  const auto a = must(analysis::rejection(twice.predictions())), b = must(analysis::rejection(weighted.predictions()));
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    EXPECT_EQ(a.points[i].share, b.points[i].share);
    EXPECT_EQ(a.points[i].accuracy, b.points[i].accuracy);
    EXPECT_EQ(a.points[i].low, b.points[i].low);
  }
}

// Of two classes the score is that of the predicted one: 0.2 for class 1 is 0.8 for class 0.
TEST(rejection, takes_the_predicted_of_two_classes) {
  const DrawnMatrix m{.values = {0.2, 0.9, 0.8}, .label = {0, 1, 0}, .k = 1};
  const auto curve = must(analysis::rejection(m.predictions()));
  ASSERT_EQ(curve.points.size(), 2U);
  EXPECT_DOUBLE_EQ(curve.points[0].threshold, 0.9);
  EXPECT_DOUBLE_EQ(curve.points[1].threshold, 0.8);
  EXPECT_DOUBLE_EQ(curve.points[1].accuracy, 2.0 / 3);
}

// Thinned points are those of the whole curve.
TEST(rejection, thins_without_moving_a_point) {
  PictureRows rows;
  for (int i = 0; i < 5000; ++i) {
    rows.score.push_back(0.5 + i / 10001.0);
    rows.hit.push_back(i % 3 != 0);
  }
  const auto whole = must(analysis::rejection(rows.predictions(), {.points = 5000}));
  const auto thin = must(analysis::rejection(rows.predictions(), {.points = 50}));
  EXPECT_EQ(whole.points.size(), 5000U);
  EXPECT_LE(thin.points.size(), 51U);
  EXPECT_EQ(thin.mean_accuracy, whole.mean_accuracy);
  for (const RejectionPoint& p : thin.points) {
    const auto i = static_cast<std::size_t>(std::lround(p.weight)) - 1;
    EXPECT_EQ(p.accuracy, whole.points[i].accuracy);
  }
  EXPECT_EQ(thin.points.back().share, 1);
}

TEST(resized, takes_scores_at_even_ranks) {
  const numeric::Ordered rows({0.1, 0.2, 0.3, 0.4}, std::vector<std::uint64_t>{1, 1, 1, 1},
                              std::vector<std::uint64_t>{0, 0, 1, 1});
  const auto half = analysis::resized(rows, 2);  // the middles of the halves: ranks 1/4 and 3/4
  ASSERT_EQ(half.groups(), 2U);
  EXPECT_EQ(half.score(0), 0.1 + 0.0);
  const auto more = analysis::resized(rows, 8);
  ASSERT_EQ(more.groups(), 4U);
  for (std::size_t g = 0; g < 4; ++g) EXPECT_EQ(more.mass(g), 2U);
  EXPECT_EQ(analysis::resized(rows, 7).total_mass(), 7U);
}

// At the n of the data it is what the test reports, and it falls about as 1 / sqrt(n).
TEST(detectable_curve, falls_with_n_and_holds_the_answer_of_the_test) {
  const auto m = calibrated_matrix(1000, 3, 1);
  const auto report = must(analysis::test(m.predictions()));
  const auto curve = must(analysis::detectable_curve(m.predictions(), {.sizes = {250, 4000}}));
  ASSERT_EQ(curve.points.size(), 3U);
  EXPECT_TRUE(curve.points[1].here);
  EXPECT_EQ(curve.points[1].smallest.tce, report.detectable->tce);
  const double few = *curve.points[0].smallest.tce, many = *curve.points[2].smallest.tce;
  EXPECT_NEAR(few / many, 4, 1.5);  // sqrt(4000 / 250), less what the shape of the path adds
}

// One bin: the gap of the means; as many bins as asked for: the estimator itself.
TEST(bin_choice, holds_the_estimators) {
  const auto m = calibrated_matrix(400, 3, 2);
  const auto p = m.predictions();
  const auto found = must(analysis::bin_choice(p, {.counts = {1, 15}, .sizes = {100}, .resamples = 50}));
  ASSERT_GE(found.lines.size(), 2U);
  for (const BinChoiceLine& line : found.lines) {
    const auto own = must(analysis::estimate(p, *measure::find(line.about.name), {.norm = 1}));
    ASSERT_EQ(line.by_bins.size(), 2U);
    EXPECT_EQ(line.by_bins[1].value, own.value);
    EXPECT_EQ(line.by_rows.back().value, own.value);
    EXPECT_EQ(line.by_rows.back().at, 400);
    EXPECT_GT(line.by_rows.front().value, line.by_rows.back().value);  // fewer rows, more noise
    EXPECT_GT(*line.by_bins[1].floor, *line.by_bins[0].floor);
  }
  EXPECT_EQ(found.lines[0].by_bins[0].value, found.lines[1].by_bins[0].value);  // one bin has no width
}

// Parts that are nearly everything have nearly its value; without weights that are whole there are none.
TEST(bin_choice, draws_parts_without_putting_rows_back) {
  const auto m = calibrated_matrix(400, 3, 2);
  const auto found = must(analysis::bin_choice(m.predictions(), {.counts = {15}, .sizes = {399}, .resamples = 20}));
  const auto& rows = found.lines.front().by_rows;
  EXPECT_NEAR(rows.front().value, rows.back().value, 0.002);
  const PictureRows weighted{{0.5, 0.6, 0.7}, {1, 0, 1}, {0.5, 1.25, 2}};
  const auto none = must(analysis::bin_choice(weighted.predictions(), {.counts = {2}, .sizes = {2}, .resamples = 20}));
  EXPECT_EQ(none.lines.front().by_rows.size(), 1U);
  EXPECT_NE(none.reason, "");
}

TEST(bin_choice, refuses_estimators_without_bins) {
  const PictureRows rows{{0.5, 0.6, 0.7}, {1, 0, 1}};
  EXPECT_FALSE(analysis::bin_choice(rows.predictions(), {.estimators = {"smece"}}));
  EXPECT_FALSE(analysis::bin_choice(rows.predictions(), {.estimators = {"nothing"}}));
  EXPECT_TRUE(analysis::bin_choice(rows.predictions(), {.resamples = 20}));
}

Model temperature(double t) {
  Model out{.method = "temperature", .k = 2, .columns = 1, .input = Kind::logits};
  out.parameters["temperature"] = t;
  return out;
}

DrawnMatrix five_odds() { return {.values = {-3, -1, 0.5, 2, 2}, .label = {0, 0, 1, 1, 0}, .k = 1}; }

// Log-odds z become z / 2: a point for each different score, and the tied ones together.
TEST(calibrator_map, is_the_formula_of_the_calibrator) {
  const auto m = five_odds();
  const auto map = must(analysis::calibrator_map(m.predictions(Kind::logits), temperature(2)));
  ASSERT_EQ(map.lines.size(), 1U);
  const double odds[] = {-3, -1, 0.5, 2};
  ASSERT_EQ(map.lines[0].curve.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const MapPoint& at = map.lines[0].curve[i];
    EXPECT_NEAR(at.before, 1 / (1 + std::exp(-odds[i])), 1e-12);
    EXPECT_NEAR(at.after, 1 / (1 + std::exp(-odds[i] / 2)), 1e-12);
    EXPECT_EQ(at.low, at.high);
    EXPECT_EQ(at.weight, i == 3 ? 2 : 1);
  }
}

TEST(calibrator_map, has_a_line_for_each_class) {
  const auto m = five_odds();
  const auto map =
      must(analysis::calibrator_map(m.predictions(Kind::logits), temperature(2), {.reduction = Reduction::classwise}));
  ASSERT_EQ(map.lines.size(), 2U);
  EXPECT_NEAR(map.lines[0].curve.front().after, 1 - 1 / (1 + std::exp(-1.0)), 1e-12);  // of class 0, at z = 2
}

TEST(recalibrated, with_a_temperature_of_one_nothing_moves) {
  const auto m = five_odds();
  const auto before = m.predictions(Kind::logits);
  const auto after = must(analysis::recalibrated(before, temperature(1)));
  const auto a = must(analysis::named_curve(before, "before")), b = must(analysis::named_curve(after, "after"));
  ASSERT_EQ(a.curve.cells.size(), b.curve.cells.size());
  for (std::size_t i = 0; i < a.curve.cells.size(); ++i) {
    EXPECT_NEAR(a.curve.cells[i].mean_score, b.curve.cells[i].mean_score, 1e-12);
    EXPECT_EQ(a.curve.cells[i].rate, b.curve.cells[i].rate);
  }
  double rows = 0;
  for (const Bin& bin : a.histogram) rows += bin.count;
  EXPECT_EQ(rows, 5);
  EXPECT_FALSE(analysis::named_curve(before, "x", {.reduction = Reduction::classwise}));
}

}  // namespace
