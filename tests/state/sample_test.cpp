#include "tare/state/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "state/state_rows.hpp"
#include "tare/measure/spec.hpp"
#include "tare/state/state.hpp"

namespace {

using namespace tare::detail::state;
using tare::detail::measure::Estimator;
using tare::detail::measure::find;
using tare::detail::measure::Sample;
using tare::detail::testing::must;
using tare::detail::testing::part_of;
using tare::detail::testing::Rows;
using tare::detail::testing::state_of;
using tare::detail::testing::state_rows;

Grouped grouped_of(const Rows& rows, std::size_t cells, int bins = 15) {
  const State state = state_of(rows, cells, bins);
  return grouped(state.body(), state.shape());
}

double error_of(const char* name, const Grouped& data, int norm = 2, int bins = 15) {
  return must(find(name)->run(Sample(&data.ordered), {.bins = bins, .norm = norm})).value;
}

// At most M different scores: bit for bit the numbers of the rows.
TEST(state_sample, few_scores_give_the_numbers_of_the_rows) {
  for (const char* recipe : {"uniform", "small", "tied"}) {
    Rows rows = state_rows(recipe, 1500);
    for (const bool weighted : {false, true}) {
      if (weighted)
        for (std::size_t i = 0; i < 1500; ++i) rows.weight.push_back(static_cast<double>(i % 3));
      const Grouped data = grouped_of(rows, 2000);
      EXPECT_TRUE(data.exact);
      EXPECT_EQ(data.width, 0);
      const Sample sample(&data.ordered);
      for (const Estimator& e : tare::detail::measure::all())
        for (const int norm : {1, 2}) {
          const auto mine = e.run(sample, {.norm = norm}), theirs = e.run(rows.view(), {.norm = norm});
          ASSERT_EQ(mine.has_value(), theirs.has_value()) << e.name;
          if (!mine) continue;
          EXPECT_EQ(mine->value, theirs->value) << e.name << ' ' << norm << ' ' << recipe;
        }
    }
  }
}

// More scores than cells: no cell crosses the edge of a bin, so that means over bins are those of the rows, and the
// rest is close.
TEST(state_sample, many_scores_keep_the_declared_bins_and_move_by_less_than_a_cell) {
  const Rows rows = state_rows("uniform", 20'000);
  const Grouped data = grouped_of(rows, 1024, 10);
  EXPECT_FALSE(data.exact);
  EXPECT_GT(data.width, 0);
  EXPECT_LE(data.width, 0x1p-8);
  for (const char* name : {"ece_ew", "debias_ew", "mce_ew"})
    EXPECT_NEAR(error_of(name, data, 2, 10), must(find(name)->run(rows.view(), {.bins = 10})).value, 1e-14) << name;
  const Sample sample(&data.ordered);
  for (const char* name : {"ece_em", "smece", "ks", "brier", "confidence"}) {
    const tare::detail::measure::Options options{.norm = 1};
    EXPECT_NEAR(must(find(name)->run(sample, options)).value, must(find(name)->run(rows.view(), options)).value,
                data.width)
        << name;
  }
}

TEST(state_sample, groups_rise_and_lie_in_their_cells) {
  for (const char* recipe : {"uniform", "small", "large", "special"})
    for (const std::size_t cells : {256U, 1000U}) {
      const Grouped data = grouped_of(state_rows(recipe, 30'000), cells);
      const auto s = data.ordered.scores();
      for (std::size_t g = 1; g < s.size(); ++g) ASSERT_LT(s[g - 1], s[g]) << recipe;
      EXPECT_EQ(data.ordered.total_mass(), 30'000U);
    }
}

TEST(state_sample, mixes_weighted_and_unweighted_parts) {
  State a = must(State::make(2));
  ASSERT_TRUE(a.add(Rows{{0.2, 0.9}, {0, 1}, {0.5, 1.5}}.view()));
  ASSERT_TRUE(a.add(Rows{{0.3}, {1}}.view()));
  // lower bin: weight 1.5, mean score 0.4/1.5, rate 1/1.5; upper: weight 1.5, gap 0.1
  EXPECT_NEAR(error_of("ece_ew", grouped(a.body(), a.shape()), 1, 2), 0.5 * (0.6 / 1.5) + 0.5 * 0.1, 1e-14);
}

// Weights of 1e-7: the same error as with weights of 1, and the same bits for every split.
TEST(state_sample, small_weights_count_like_large_ones) {
  Rows all = tare::detail::testing::calibrated(1000, 7);
  const double plain = must(find("ece_ew")->run(all.view(), {})).value;
  all.weight.assign(1000, 1e-7);
  const double value = error_of("ece_ew", grouped_of(all, 65536));
  EXPECT_NEAR(value, plain, 1e-6 * plain);
  for (const std::size_t cut : {1U, 17U, 999U}) {
    State a = must(State::make());
    ASSERT_TRUE(a.add(part_of(all, cut, 1000).view()));
    ASSERT_TRUE(a.add(part_of(all, 0, cut).view()));
    EXPECT_EQ(error_of("ece_ew", grouped(a.body(), a.shape())), value) << cut;
  }
}

}  // namespace
