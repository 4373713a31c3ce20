#include "tare/numeric/random/binomial.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <map>

namespace {

using tare::detail::numeric::Binomials;
using tare::detail::numeric::Draws;

std::vector<std::uint64_t> drawn(std::uint64_t n, double p, std::size_t replicates, std::uint64_t seed = 1,
                                 Draws draws = Draws::many) {
  Binomials one(draws);
  one.add(n, p);
  std::vector<std::uint64_t> out(replicates);
  one.draw(seed, 0, 0, replicates, out);
  return out;
}

// p-value of the chi-square test of the draws against the exact probabilities; values are pooled
// until 20 draws are expected.
double fit(std::uint64_t n, double p, std::size_t replicates, Draws draws = Draws::many) {
  const boost::math::binomial_distribution<double> exact(static_cast<double>(n), p);
  std::map<std::uint64_t, double> count;
  for (const auto k : drawn(n, p, replicates, 1, draws)) ++count[k];
  const double size = static_cast<double>(replicates), mean = static_cast<double>(n) * p;
  const double reach = 10 * std::sqrt(mean * (1 - p)) + 30;
  const auto from = static_cast<std::uint64_t>(std::max(0.0, std::floor(mean - reach)));
  const auto to = std::min(n, static_cast<std::uint64_t>(mean + reach));
  double statistic = 0, seen = 0, expected = 0;
  int cells = 0;
  for (std::uint64_t k = from; k <= to; ++k) {
    seen += count[k];
    expected += size * pdf(exact, static_cast<double>(k));
    const double rest = k < n ? size * cdf(complement(exact, static_cast<double>(k))) : 0;
    if (expected < 20 || rest < 20) {
      if (rest >= 20 || k < to) continue;
    }
    statistic += (seen - expected) * (seen - expected) / expected;
    seen = expected = 0;
    ++cells;
  }
  return cells < 2 ? 1 : cdf(complement(boost::math::chi_squared_distribution<double>(cells - 1), statistic));
}

TEST(binomial, follows_the_exact_probabilities) {
  for (const auto& [n, p] : std::vector<std::pair<std::uint64_t, double>>{{1, 0.3},
                                                                          {2, 0.5},
                                                                          {10, 0.01},
                                                                          {10, 0.999},
                                                                          {244, 0.5},
                                                                          {244, 0.93},
                                                                          {5000, 0.0001},
                                                                          {16384, 0.5},
                                                                          {16400, 0.5},  // by rejection from here
                                                                          {1'000'000, 0.5},
                                                                          {1'000'000, 0.995}})
    EXPECT_GT(fit(n, p, 200'000), 1e-4) << n << " " << p;
}

// Exact mean and variance where a table of frequencies would be too fine.
// By table up to a variance of 128, by rejection from there.
TEST(binomial, follows_them_where_draws_are_few) {
  for (const auto& [n, p] : std::vector<std::pair<std::uint64_t, double>>{
           {244, 0.5}, {510, 0.5}, {520, 0.5}, {3000, 0.05}, {15'000, 0.01}, {15'000, 0.5}, {15'000, 0.999}})
    EXPECT_GT(fit(n, p, 200'000, Draws::few), 1e-4) << n << " " << p;
}

TEST(binomial, has_the_right_moments_for_very_large_n) {
  for (const double p : {0.5, 0.001, 0.97}) {
    const double n = 1e11;
    double sum = 0, squares = 0;
    const auto draws = drawn(static_cast<std::uint64_t>(n), p, 100'000);
    for (const auto k : draws) {
      const double z = (static_cast<double>(k) - n * p) / std::sqrt(n * p * (1 - p));
      sum += z;
      squares += z * z;
    }
    const double size = static_cast<double>(draws.size());
    EXPECT_NEAR(sum / size, 0, 4 / std::sqrt(size));
    EXPECT_NEAR(squares / size, 1, 4 * std::sqrt(2 / size));
  }
}

TEST(binomial, is_certain_at_probability_0_and_1) {
  for (const std::uint64_t n : {0ULL, 1ULL, 1'000'000ULL}) {
    for (const auto k : drawn(n, 0, 1000)) EXPECT_EQ(k, 0U);
    for (const auto k : drawn(n, 1, 1000)) EXPECT_EQ(k, n);
  }
}

TEST(binomial, keeps_rare_events) {
  double hits = 0, misses = 0;
  for (const auto k : drawn(1'000'000, 1e-9, 1'000'000)) hits += static_cast<double>(k);
  EXPECT_NEAR(hits, 1000, 4 * std::sqrt(1000.0));
  for (const auto k : drawn(1'000'000, 1 - 1e-9, 1'000'000)) misses += 1e6 - static_cast<double>(k);
  EXPECT_NEAR(misses, 1000, 4 * std::sqrt(1000.0));
  for (const auto k : drawn(1000, 1e-12, 10'000)) EXPECT_LE(k, 1U);
}

TEST(binomial, draws_do_not_depend_on_the_split_into_calls_nor_on_the_neighbours) {
  Binomials many;
  for (int i = 0; i < 7; ++i) many.add(i == 3 ? 1'000'000 : 50, 0.1 + 0.1 * i);
  std::vector<std::uint64_t> whole(20 * many.size()), part(7 * many.size());
  many.draw(5, 2, 0, 20, whole);
  many.draw(5, 2, 9, 7, part);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole[9 * many.size() + i]);
  Binomials fewer;
  for (int i = 0; i < 5; ++i) fewer.add(i == 3 ? 1'000'000 : 50, 0.1 + 0.1 * i);
  std::vector<std::uint64_t> small(fewer.size());
  fewer.draw(5, 2, 0, 1, small);
  for (std::size_t i = 0; i < small.size(); ++i) EXPECT_EQ(small[i], whole[i]);
}

TEST(binomial, draws_of_different_cells_and_replicates_are_uncorrelated) {
  Binomials many;
  constexpr std::size_t cells = 6, replicates = 20'000;
  for (std::size_t i = 0; i < cells; ++i) many.add(100, 0.5);
  std::vector<std::uint64_t> out(cells * replicates);
  many.draw(1, 0, 0, replicates, out);
  for (std::size_t a = 0; a < cells; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double same = 0, next = 0;
      for (std::size_t r = 0; r + 1 < replicates; ++r) {
        const auto z = [&](std::size_t i, std::size_t j) { return (static_cast<double>(out[i * cells + j]) - 50) / 5; };
        same += z(r, a) * z(r, b);
        next += z(r, a) * z(r + 1, b);
      }
      EXPECT_NEAR(same / replicates, 0, 4.5 / std::sqrt(replicates));
      EXPECT_NEAR(next / replicates, 0, 4.5 / std::sqrt(replicates));
    }
}

}  // namespace
