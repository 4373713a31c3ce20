#include "tare/numeric/order/bin_edges.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace tare::detail::numeric;

// Groups spread evenly, in two far corners, or few; of mass 1, or of very unequal masses.
Ordered groups_of(int kind, std::mt19937_64& rng) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  const std::size_t count = kind == 2 ? 5 : 700;
  for (std::size_t g = 0; g < count; ++g) {
    const double u = (static_cast<double>(g) + 0.5) / static_cast<double>(count);
    score.push_back(kind == 1 ? (u < 0.5 ? 0.01 + u * 1e-4 : 1 - std::pow(1 - u, 9)) : u);
    mass.push_back(kind == 0 ? 1 : rng() % (g % 7 == 0 ? 1'000'000'000'000 : 50) + 1);
    hits.push_back(mass.back() / 2);
  }
  return {score, mass, hits};
}

TEST(bin_edges, are_the_boundaries_that_a_search_finds) {
  std::mt19937_64 rng(1);
  for (const int kind : {0, 1, 2}) {
    const Ordered data = groups_of(kind, rng);
    for (const Binning binning : {Binning::width, Binning::mass}) {
      const BinEdges edges(data, binning);
      for (const std::size_t b : {1U, 2U, 3U, 15U, 64U, 100U, 699U, 1024U, 4999U})
        for (std::size_t j = 0; j <= b; ++j)
          ASSERT_EQ(edges(j, b), boundary(data, binning, j, b)) << kind << ' ' << j << ' ' << b;
    }
  }
}

TEST(bin_starts, are_those_of_all_bins_that_are_not_empty) {
  std::mt19937_64 rng(2);
  for (const int kind : {0, 1, 2}) {
    const Ordered data = groups_of(kind, rng);
    const BinEdges width(data, Binning::width), mass(data, Binning::mass);
    const BinStarts starts(width, {30, 60}, mass, {5, 3000});
    EXPECT_TRUE(starts.of(Binning::width, 29).empty() && starts.of(Binning::width, 61).empty());
    for (const Binning binning : {Binning::width, Binning::mass})
      for (std::size_t b = binning == Binning::width ? 30 : 5; b <= 60; ++b) {
        std::vector<std::uint32_t> wanted;
        for_each_bin(data, binning, b,
                     [&](std::size_t, GroupRange r) { wanted.push_back(static_cast<std::uint32_t>(r.from)); });
        wanted.push_back(static_cast<std::uint32_t>(data.groups()));
        const auto found = starts.of(binning, b);
        EXPECT_EQ(std::vector(found.begin(), found.end()), wanted) << kind << ' ' << b;
      }
  }
}

}  // namespace
