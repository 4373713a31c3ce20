#include "tare/numeric/order/order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using tare::detail::numeric::gather;
using tare::detail::numeric::Ordered;

const Ordered five({0.125, 0.25, 0.5, 0.75, 1}, std::vector<std::uint64_t>{1, 3, 2, 4, 6},
                   std::vector<std::uint64_t>{0, 1, 2, 1, 6}, 2);

TEST(gather, adds_neighbours_and_takes_the_mean_of_their_scores) {
  const Ordered got = gather(five, std::vector<std::size_t>{0, 2, 4, 5});
  ASSERT_EQ(got.groups(), 3U);
  EXPECT_EQ(got.unit(), 2U);
  EXPECT_EQ(got.score(0), (0.125 + 3 * 0.25) / 4);
  EXPECT_DOUBLE_EQ(got.score(1), (2 * 0.5 + 4 * 0.75) / 6);
  EXPECT_EQ(got.score(2), 1);
  const std::vector<std::uint64_t> mass{4, 6, 6}, hits{1, 3, 6};
  for (std::size_t g = 0; g < 3; ++g) {
    EXPECT_EQ(got.mass(g), mass[g]) << g;
    EXPECT_EQ(got.hits(g), hits[g]) << g;
  }
}

// 0.1 has more digits than a sum of scores keeps, so that a mean may lie beside it.
TEST(gather, keeps_the_mean_among_its_scores) {
  const double low = 0.1, high = std::nextafter(low, 1);
  for (std::uint64_t mass = 1; mass < 2000; ++mass) {
    const Ordered data({low, high, 0.3}, std::vector<std::uint64_t>{mass, 1, mass},
                       std::vector<std::uint64_t>{0, 0, 1});
    const Ordered got = gather(data, std::vector<std::size_t>{0, 2, 3});
    ASSERT_GE(got.score(0), low) << mass;
    ASSERT_LE(got.score(0), high) << mass;
    ASSERT_EQ(got.score(1), 0.3) << mass;
  }
}

}  // namespace
