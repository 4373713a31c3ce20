#include "tare/analysis/consistency.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tare/analysis/survey.hpp"
#include "tare/measure/sample.hpp"

namespace {

using namespace tare::detail;

numeric::Ordered rows_of(const std::vector<double>& score, const std::vector<std::uint8_t>& label,
                         const std::vector<double>& weight = {}) {
  return numeric::order(std::span<const double>(score), label, weight);
}

// A hundred rows of score 1/2: hits are Binomial(100, 1/2), whose 2.5% and 97.5% quantiles are 40 and 60.
TEST(consistency_bands, are_binomial_quantiles_where_scores_are_equal) {
  const auto rows = rows_of(std::vector<double>(100, 0.5), std::vector<std::uint8_t>(100, 1));
  const auto band = analysis::consistency_bands(rows, numeric::Binning::width, 10, {.resamples = 20000});
  ASSERT_EQ(band.size(), 1U);
  EXPECT_NEAR(band[0].low, 0.40, 0.0101);
  EXPECT_NEAR(band[0].high, 0.60, 0.0101);
}

TEST(consistency_bands, have_no_width_where_labels_are_certain) {
  const auto rows = rows_of({0, 0, 1, 1, 1}, {0, 1, 1, 1, 0});
  const auto band = analysis::consistency_bands(rows, numeric::Binning::width, 2);
  ASSERT_EQ(band.size(), 2U);
  EXPECT_EQ(band[0].low, 0);
  EXPECT_EQ(band[0].high, 0);
  EXPECT_EQ(band[1].low, 1);
  EXPECT_EQ(band[1].high, 1);
}

TEST(consistency_bands, take_a_weight_of_two_for_the_row_twice) {
  const std::vector<double> score{0.3, 0.4, 0.8}, weight{2, 3, 4};
  const auto weighted = analysis::consistency_bands(rows_of(score, {0, 1, 1}, weight), numeric::Binning::width, 2);
  const auto repeated = analysis::consistency_bands(
      rows_of({0.3, 0.3, 0.4, 0.4, 0.4, 0.8, 0.8, 0.8, 0.8}, {0, 0, 1, 1, 1, 1, 1, 1, 1}), numeric::Binning::width, 2);
  ASSERT_EQ(weighted.size(), repeated.size());
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    EXPECT_EQ(weighted[i].low, repeated[i].low);
    EXPECT_EQ(weighted[i].high, repeated[i].high);
  }
}

TEST(consistency_bands, do_not_depend_on_threads) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> score(5000);
  for (double& s : score) s = uniform(random);
  const auto rows = rows_of(score, std::vector<std::uint8_t>(5000, 1));
  const auto one = analysis::consistency_bands(rows, numeric::Binning::mass, 15, {.threads = 1});
  const auto two = analysis::consistency_bands(rows, numeric::Binning::mass, 15, {.threads = 2});
  ASSERT_EQ(one.size(), 15U);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].low, two[i].low);
}

// Bars of calibrated models lie inside in at least 95 of 100 cases, and not in nearly all of them.
TEST(consistency_bands, hold_the_bars_of_calibrated_models) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform;
  int inside = 0, all = 0;
  for (int sample = 0; sample < 40; ++sample) {
    std::vector<double> score(3000);
    std::vector<std::uint8_t> label(3000);
    for (std::size_t i = 0; i < score.size(); ++i) {
      score[i] = uniform(random);
      label[i] = uniform(random) < score[i];
    }
    const auto rows = rows_of(score, label);
    const auto band = analysis::consistency_bands(rows, numeric::Binning::width, 15, {.resamples = 400});
    const auto bins = numeric::width_bins(rows, 15);
    for (std::size_t b = 0; b < 15; ++b, ++all)
      inside += band[b].low <= bins[b].mean_label() && bins[b].mean_label() <= band[b].high;
  }
  // 600 cases of probability 0.95 to 0.96: mean 573, standard deviation 5.3
  EXPECT_GT(inside, 551);
  EXPECT_LT(inside, 596);
}

// Bins of the survey and bands must be the same bins, whatever their number.
TEST(bands_of, match_the_bins_of_the_survey) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> score(4000);
  std::vector<std::uint8_t> label(4000);
  for (std::size_t i = 0; i < score.size(); ++i) {
    score[i] = std::round(uniform(random) * 500) / 500;  // ties
    label[i] = uniform(random) < score[i] * score[i];
  }
  const auto view = binary_view(std::span<const double>(score), label);
  ASSERT_TRUE(view);
  Predictions p;
  p.kind = Kind::confidences;
  p.n = score.size();
  p.confidences = *view;
  const auto survey =
      analysis::survey(p, {.estimators = {"ece_ew", "ece_em", "sweep_em", "debias_em", "ks"}, .resample = false});
  ASSERT_TRUE(survey);
  const auto bands = analysis::bands_of(*survey, measure::Sample(*view).ordered());
  ASSERT_EQ(bands.size(), 4U);  // ks has no bins
  for (const auto& b : bands)
    for (const auto& m : survey->measured)
      if (m.name == b.estimator) {
        ASSERT_EQ(b.band.size(), m.estimate->per_bin.size()) << m.name;
        for (std::size_t i = 0; i < b.band.size(); ++i) {
          EXPECT_LE(b.band[i].low, m.estimate->per_bin[i].mean_score);
          EXPECT_GE(b.band[i].high, m.estimate->per_bin[i].mean_score);
        }
      }
}

}  // namespace
