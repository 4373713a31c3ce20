#include "tare/numeric/order/pav.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using tare::detail::numeric::Ordered;
using tare::detail::numeric::pav;
using tare::detail::numeric::PavBlock;

Ordered unit_masses(const std::vector<int>& hits) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass(hits.size(), 1), marked(hits.begin(), hits.end());
  for (std::size_t i = 0; i < hits.size(); ++i) score.push_back(static_cast<double>(i) / 100);
  return {score, mass, marked};
}

// 0 | 1 0 | 1 1 0 -> 0, 1/2, 2/3
TEST(pav, by_hand) {
  const auto blocks = pav(unit_masses({0, 1, 0, 1, 1, 0}));
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[1].first, 1U);
  EXPECT_EQ(blocks[1].last, 3U);
  EXPECT_EQ(blocks[1].rate(), 0.5);
  EXPECT_EQ(blocks[2].hits, 2U);
  EXPECT_EQ(blocks[2].mass, 3U);
}

TEST(pav, pools_everything_when_labels_fall) {
  const auto blocks = pav(unit_masses({1, 1, 1, 0, 0}));
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].rate(), 0.6);
}

// 1/3 and 2/6 are equal as fractions: one block.
TEST(pav, joins_equal_rates) {
  const Ordered data({0.1, 0.2}, std::vector<std::uint64_t>{3, 6}, std::vector<std::uint64_t>{1, 2});
  EXPECT_EQ(pav(data).size(), 1U);
}

// Masses whose products need 128 bits: rates m/(m+1) < (m+1)/(m+2) differ by 1e-37.
TEST(pav, compares_rates_exactly) {
  const std::uint64_t m = (std::uint64_t{1} << 61) - 1;
  const Ordered rising({0.1, 0.2}, std::vector<std::uint64_t>{m + 1, m + 2}, std::vector<std::uint64_t>{m, m + 1});
  EXPECT_EQ(pav(rising).size(), 2U);
  const Ordered falling({0.1, 0.2}, std::vector<std::uint64_t>{m + 2, m + 1}, std::vector<std::uint64_t>{m + 1, m});
  EXPECT_EQ(pav(falling).size(), 1U);
}

// The fitted value of group g is max over i <= g of min over j >= g of the mean of groups i .. j.
TEST(pav, is_the_max_min_formula) {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t groups = 1 + rng() % 12;
    std::vector<double> score;
    std::vector<std::uint64_t> mass, hits;
    for (std::size_t g = 0; g < groups; ++g) {
      score.push_back(static_cast<double>(g) / 20);
      mass.push_back(1 + rng() % 4);
      hits.push_back(rng() % (mass.back() + 1));
    }
    const Ordered data(score, mass, hits);
    for (const PavBlock& block : pav(data))
      for (std::size_t g = block.first; g < block.last; ++g) {
        double fit = 0;
        for (std::size_t i = 0; i <= g; ++i) {
          double least = 1;
          for (std::size_t j = g; j < groups; ++j)
            least = std::min(least, static_cast<double>(data.hits_before(j + 1) - data.hits_before(i)) /
                                        static_cast<double>(data.mass_before(j + 1) - data.mass_before(i)));
          fit = std::max(fit, least);
        }
        EXPECT_DOUBLE_EQ(block.rate(), fit);
      }
  }
}

}  // namespace
