#include "tare/measure/partitions.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tare/measure/estimators.hpp"
#include "tare/measure/sample.hpp"
#include "tare/numeric/order/bin_walk.hpp"

namespace {

using tare::detail::measure::first_denominator;
using tare::detail::measure::Partitions;
using tare::detail::measure::Sample;
using tare::detail::numeric::Binning;
using tare::detail::numeric::Ordered;

TEST(partitions, first_denominator_is_that_of_a_search) {
  for (unsigned of = 1; of < 40; ++of)
    for (unsigned low = 0; low <= of; ++low)
      for (unsigned high = low; high <= of; ++high) {
        unsigned expected = 0;
        for (unsigned b = 1; b <= 30 && expected == 0; ++b)
          for (unsigned k = 0; k <= b; ++k)
            if (k * of >= low * b && k * of <= high * b) expected = b;
        ASSERT_EQ(first_denominator(low, high, of, 30), expected) << low << ' ' << high << ' ' << of;
      }
}

// Scores of any nearness with weights of any size.
Ordered odd_data(std::mt19937_64& rng, std::size_t groups) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  double at = 0.01;
  for (std::size_t g = 0; g < groups; ++g) {
    at += rng() % 2 ? 0.9 / static_cast<double>(groups) : std::ldexp(1, -static_cast<int>(rng() % 40) - 8);
    score.push_back(rng() % 5 == 0 ? std::round(at * 50) / 50 : at);
    at = std::max(at, score.back());
    mass.push_back(std::uint64_t{1} << rng() % 28);
    hits.push_back(rng() % (mass.back() + 1));
  }
  for (std::size_t g = 1; g < groups; ++g)
    if (score[g] <= score[g - 1]) score[g] = std::nextafter(score[g - 1], 1);
  return {std::move(score), mass, hits};
}

std::vector<std::uint32_t> starts_of(const Ordered& data, Binning binning, std::size_t b) {
  std::vector<std::uint32_t> out;
  tare::detail::numeric::for_each_bin(data, binning, b, [&](std::size_t, tare::detail::numeric::GroupRange r) {
    out.push_back(static_cast<std::uint32_t>(r.from));
  });
  out.push_back(static_cast<std::uint32_t>(data.groups()));
  return out;
}

// Every number of bins parts the groups in a way that is listed, at the first number that does so.
TEST(partitions, lists_every_way_once) {
  std::mt19937_64 rng(1);
  for (const auto binning : {Binning::width, Binning::mass})
    for (int trial = 0; trial < 60; ++trial) {
      const Ordered data = odd_data(rng, 2 + rng() % 12);
      const Partitions partitions(data, binning);
      std::set<std::vector<std::uint32_t>> seen;
      std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> expected, found;
      for (std::size_t b = 1; b <= 3000; ++b)
        if (auto starts = starts_of(data, binning, b); seen.insert(starts).second) expected.emplace_back(b, starts);
      partitions.each_after(0, 3000, [&](const Partitions::Way& way) {
        found.emplace_back(way.bins, way.starts);
        return true;
      });
      ASSERT_EQ(found, expected) << trial;
    }
}

// Step by step, as the definition says.
std::int64_t bins_by_definition(const Ordered& data, Binning binning, std::uint64_t limit) {
  const auto rises = [&](std::size_t b) {
    const auto starts = starts_of(data, binning, b);
    for (std::size_t j = 2; j < starts.size(); ++j) {
      const auto rate = [&](std::size_t i) {
        return std::pair(data.hits_before(starts[i]) - data.hits_before(starts[i - 1]),
                         data.mass_before(starts[i]) - data.mass_before(starts[i - 1]));
      };
      const auto [hits, mass] = rate(j - 1);
      const auto [next_hits, next_mass] = rate(j);
      if (static_cast<tare::detail::numeric::u128>(hits) * next_mass >
          static_cast<tare::detail::numeric::u128>(next_hits) * mass)
        return false;
    }
    return true;
  };
  std::uint64_t b = 1;
  while (b < limit && rises(b + 1)) ++b;
  return static_cast<std::int64_t>(b);
}

TEST(partitions, a_sweep_ends_where_it_would_step_by_step) {
  std::mt19937_64 rng(2);
  int beyond = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Ordered data = odd_data(rng, 2 + rng() % 6);
    const std::uint64_t limit = std::min<std::uint64_t>(data.total_mass(), 20'000);
    const auto check = [&](Binning binning, const tare::detail::Estimate& found) {
      const auto expected = bins_by_definition(data, binning, limit);
      ASSERT_EQ(found.bins, expected) << trial;
      beyond += expected > 300 && expected < static_cast<std::int64_t>(limit) ? 1 : 0;
    };
    const tare::detail::measure::Options options{.max_bins = static_cast<int>(limit)};
    check(Binning::width, sweep_ew(Sample(&data), options).value());
    check(Binning::mass, sweep_em(Sample(&data), options).value());
  }
  EXPECT_GT(beyond, 10);
}

// Three rows of weight 1, 1 and 1e9: a handful of ways, however many bins are asked for.
TEST(partitions, weights_of_very_different_size_part_scores_in_few_ways) {
  const Ordered data({0.2, 0.3, 0.7}, std::vector<std::uint64_t>{1'000'000'000, 1, 1},
                     std::vector<std::uint64_t>{0, 1, 0});
  const Partitions partitions(data, Binning::mass);
  EXPECT_EQ(partitions.parts(), 2U);
  std::size_t ways = 0;
  partitions.each_after(0, Partitions::most_bins, [&](const Partitions::Way&) { return ++ways > 0; });
  EXPECT_EQ(ways, 2U);
}

}  // namespace
