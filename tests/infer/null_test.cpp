#include "tare/infer/resample/null.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "infer/support.hpp"
#include "tare/analysis/estimate_rows.hpp"
#include "tare/numeric/random/rng.hpp"

namespace {

namespace analysis = tare::detail::analysis;
namespace infer = tare::detail::infer;
namespace measure = tare::detail::measure;
using infer::Floor;
using infer::NullValue;
using infer::ResampledChoice;
using tare::detail::Judgement;
using tare::detail::testing::line;
using tare::detail::testing::Rows;
using tare::detail::testing::shaped;

infer::NullValues values_of(const Rows& rows, std::span<const ResampledChoice> lines, std::uint64_t seed = 1,
                            int threads = 1) {
  const measure::Sample sample(rows.view());
  return infer::null_values(infer::null_cells(sample.ordered(), 15), lines, seed, 0, threads);
}

Floor floor_of(const Rows& rows, const ResampledChoice& l, std::uint64_t seed = 1) {
  const auto floor = infer::floor_of(values_of(rows, {&l, 1}, seed)[0]);
  EXPECT_TRUE(floor);
  return floor.value_or(Floor{});
}

// One bin: |mean score - mean label|, and the sum of labels is all but normal with variance sum s (1 - s),
// so the floor is sqrt(2 / pi) standard deviations and the 95% quantile 1.960 of them.
TEST(floor, of_one_bin_is_that_of_a_normal_distribution) {
  for (const auto* shape : {"uniform", "grid", "piled"}) {
    const auto rows = shaped(shape, 20'000, 1);
    double variance = 0;
    for (const double s : rows.score) variance += s * (1 - s);
    const double sd = std::sqrt(variance) / 20'000;
    const Floor floor = floor_of(rows, line("ece_ew", 1, 4000, 1));
    EXPECT_NEAR(floor.mean / sd, std::sqrt(2 / std::numbers::pi), 4 * 0.603 / std::sqrt(4000.0)) << shape;
    EXPECT_NEAR(floor.high / sd, 1.96, 0.12) << shape;
  }
}

// The definition: every label redrawn by itself, no cells.
infer::NullValues row_by_row(const Rows& rows, std::span<const ResampledChoice> lines, std::uint64_t seed) {
  Rows redrawn = rows;
  auto out = infer::empty_values(lines);
  for (std::uint32_t r = 0; r < lines[0].resamples; ++r) {
    tare::detail::numeric::Rng rng(seed, 1, r);
    for (std::size_t i = 0; i < rows.score.size(); ++i) redrawn.label[i] = rng.uniform() < rows.score[i];
    const measure::Sample sample(redrawn.view());
    static_cast<void>(sample.ordered());
    for (std::size_t l = 0; l < lines.size(); ++l)
      if (const auto e = lines[l].estimator->run(sample, lines[l].options)) out[l][r] = {true, e->value, 0};
  }
  return out;
}

TEST(floor, from_cells_is_that_of_rows_redrawn_one_by_one) {
  constexpr std::size_t resamples = 300;
  std::vector<ResampledChoice> lines;
  for (const auto& row : measure::all()) {
    if (!row.is_error || row.resamples < 1000) continue;
    for (const int norm : {1, 2})
      if (has_norm(row, norm) || (norm == 2 && row.norms == measure::Norms::none))
        lines.push_back(line(row.name, norm, resamples));
  }
  for (const auto* shape : {"uniform", "grid", "piled"}) {
    const auto rows = shaped(shape, 20'000, 2);
    const auto full = row_by_row(rows, lines, 5), cells = values_of(rows, lines);
    for (std::size_t l = 0; l < lines.size(); ++l) {
      const auto a = infer::floor_of(cells[l]), b = infer::floor_of(full[l]);
      ASSERT_TRUE(a && b);
      double squares = 0;
      for (const auto& v : full[l]) squares += (v.value - b->mean) * (v.value - b->mean);
      // Standard errors of a difference of means and of 95% quantiles (about 2.1 sd / sqrt(m) each).
      const double se = std::sqrt(2 * squares) / resamples;
      EXPECT_NEAR(a->mean, b->mean, 4.5 * se + 1e-4 * b->mean) << shape << " " << lines[l].estimator->name;
      EXPECT_NEAR(a->high, b->high, 4.5 * 2.1 * se + 1e-4 * b->mean) << shape << " " << lines[l].estimator->name;
    }
  }
}

TEST(null, threads_and_row_order_change_no_bit) {
  auto rows = shaped("piled", 12'000, 3);
  const std::vector<ResampledChoice> lines{line("ece_ew", 1, 50), line("sweep_em", 2, 70), line("lb_em", 2, 20)};
  const auto one = values_of(rows, lines);
  std::reverse(rows.score.begin(), rows.score.end());
  std::reverse(rows.label.begin(), rows.label.end());
  for (const int threads : {1, 2, 3}) {
    const auto other = values_of(rows, lines, 1, threads);
    for (std::size_t l = 0; l < lines.size(); ++l) {
      ASSERT_EQ(one[l].size(), lines[l].resamples);
      for (std::size_t r = 0; r < one[l].size(); ++r) EXPECT_EQ(one[l][r].value, other[l][r].value);
    }
  }
}

TEST(null, lines_share_the_redrawings_and_seeds_do_not) {
  const auto rows = shaped("uniform", 300, 4);
  // with one bin, width and mass mean the same
  const std::vector<ResampledChoice> lines{line("ece_ew", 1, 40, 1), line("ece_em", 1, 30, 1)};
  const auto a = values_of(rows, lines, 1), b = values_of(rows, lines, 2);
  std::size_t same = 0;
  for (std::size_t r = 0; r < 30; ++r) {
    EXPECT_EQ(a[0][r].value, a[1][r].value);
    same += a[0][r].value == b[0][r].value;
  }
  EXPECT_LT(same, 10U);
}

TEST(floor, of_certain_scores_is_zero) {
  const Rows rows{{0, 0, 1, 1, 1}, {0, 0, 1, 1, 1}};
  for (const auto* name : {"ece_ew", "sweep_em", "debias_em"}) {
    const Floor floor = floor_of(rows, line(name, 2, 39));
    EXPECT_EQ(floor.mean, 0);
    EXPECT_EQ(floor.high, 0);
  }
}

TEST(floor, quantile_has_the_rank_that_keeps_the_size) {
  std::vector<NullValue> values;
  for (int i = 1; i <= 39; ++i) values.push_back({true, static_cast<double>(40 - i), 0});
  const auto floor = infer::floor_of(values);
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->high, 38);  // 2 of 40 equally likely places lie above it
  EXPECT_EQ(floor->mean, 20);
}

TEST(floor, is_missing_when_most_redrawings_are_undefined) {
  std::vector<NullValue> values(10);
  values[0] = {true, 1, 1};
  EXPECT_FALSE(infer::floor_of(values));
  for (auto& v : values) v.defined = true;
  EXPECT_TRUE(infer::floor_of(values));
}

// The size of "is it miscalibrated?": the floor is that of the scores at hand, so 5% at any n.
TEST(floor, is_exceeded_by_five_in_a_hundred_calibrated_samples) {
  constexpr int samples = 600;
  const std::vector<ResampledChoice> lines{line("ece_ew", 1, 199), line("ece_em", 2, 199), line("debias_em", 2, 199),
                                           line("sweep_em", 2, 199), line("lb_ew", 2, 199)};
  std::vector<int> above(lines.size());
  for (int i = 0; i < samples; ++i) {
    const auto rows = shaped(i % 2 == 0 ? "uniform" : "piled", 500, 1000 + static_cast<std::uint64_t>(i));
    const auto values = values_of(rows, lines, static_cast<std::uint64_t>(i));
    for (std::size_t l = 0; l < lines.size(); ++l) {
      const auto e = lines[l].estimator->run(rows.view(), lines[l].options);
      const auto floor = infer::floor_of(values[l]);
      ASSERT_TRUE(e && floor);
      above[l] += e->value > floor->high;
    }
  }
  const double se = std::sqrt(0.05 * 0.95 / samples);
  for (std::size_t l = 0; l < lines.size(); ++l)
    EXPECT_NEAR(static_cast<double>(above[l]) / samples, 0.05, 4 * se) << lines[l].estimator->name;
}

TEST(judgement, is_about_the_quantile_of_the_noise) {
  EXPECT_EQ(analysis::judgement_of(0.02, {0.01, 0.02}), Judgement::within_noise);
  // nothing left to chance, and a value that is rounding: nothing rests on that
  EXPECT_EQ(analysis::judgement_of(2.9e-10, {0, 0}), Judgement::within_noise);
  EXPECT_EQ(analysis::judgement_of(3e-6, {0, 0}), Judgement::above_noise);
  EXPECT_EQ(analysis::judgement_of(0.021, {0.01, 0.02}), Judgement::above_noise);
}

}  // namespace
