#include "tare/infer/band/curve_band.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace {

namespace infer = tare::detail::infer;
using tare::detail::numeric::Ordered;

Ordered cells_of(const std::vector<std::uint64_t>& mass) {
  std::vector<double> score(mass.size());
  for (std::size_t c = 0; c < score.size(); ++c) score[c] = static_cast<double>(c) / static_cast<double>(score.size());
  return {score, mass, std::vector<std::uint64_t>(mass.size())};
}

double sum_of_shares(const auto& items) {
  return std::accumulate(items.begin(), items.end(), 0.0, [](double s, const auto& i) { return s + i.share; });
}

// 64 cells of one row: all of them; halves that begin at 0, 8, .. 32; quarters (16 rows) are below 20.
TEST(runs, of_64_rows_on_paper) {
  const auto runs = infer::make_runs(cells_of(std::vector<std::uint64_t>(64, 1)));
  ASSERT_EQ(runs.size(), 6U);
  EXPECT_EQ(runs[0].from, 0U);
  EXPECT_EQ(runs[0].to, 64U);
  EXPECT_DOUBLE_EQ(runs[0].share, 0.5);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_EQ(runs[i].from, 8 * (i - 1));
    EXPECT_EQ(runs[i].to, 8 * (i - 1) + 32);
    EXPECT_DOUBLE_EQ(runs[i].share, 0.1);
  }
  const auto pairs = infer::make_pairs(cells_of(std::vector<std::uint64_t>(64, 1)));
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].from, 0U);
  EXPECT_EQ(pairs[0].middle, 32U);
  EXPECT_EQ(pairs[0].to, 64U);
}

TEST(runs, share_the_level_whatever_the_masses_are) {
  std::mt19937_64 rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::uint64_t> mass(1 + rng() % 256);
    for (auto& m : mass) m = 1 + (rng() % 4 == 0 ? rng() % 1000 : rng() % 3);
    const auto cells = cells_of(mass);
    const auto runs = infer::make_runs(cells);
    EXPECT_NEAR(sum_of_shares(runs), 1, 1e-12);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      EXPECT_LT(runs[i].from, runs[i].to);
      EXPECT_LE(runs[i].to, mass.size());
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(runs[i].from == runs[j].from && runs[i].to == runs[j].to);
    }
    EXPECT_LE(runs.size(), 1100U);
    const auto pairs = infer::make_pairs(cells);
    EXPECT_NEAR(sum_of_shares(pairs), pairs.empty() ? 0 : 1, 1e-12);
  }
}

// Half of the rows have one score: some run is made of them alone.
TEST(runs, of_a_heavy_score_by_itself) {
  std::vector<std::uint64_t> mass(201, 1);
  mass[120] = 200;
  bool alone = false;
  for (const auto& run : infer::make_runs(cells_of(mass))) alone = alone || (run.from == 120 && run.to == 121);
  EXPECT_TRUE(alone);
}

}  // namespace
