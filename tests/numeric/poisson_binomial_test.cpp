#include "tare/numeric/random/poisson_binomial.hpp"

#include <boost/math/distributions/binomial.hpp>

#include "support/drawn.hpp"

namespace {

using tare::detail::numeric::PoissonBinomial;
using tare::detail::testing::SplitMix;

PoissonBinomial of(const std::vector<double>& p, std::vector<std::uint64_t> count = {}) {
  if (count.empty()) count.assign(p.size(), 1);
  return {p, count};
}

// Equal probabilities: the binomial distribution, by a table and, from a variance of 200 on, by the saddlepoint.
TEST(poisson_binomial, of_equal_rows_is_binomial) {
  for (const double n : {1.0, 7.0, 40.0, 700.0, 1000.0, 6000.0})
    for (const double p : {0.02, 0.3, 0.5, 0.95}) {
      const PoissonBinomial made = of({p}, {static_cast<std::uint64_t>(n)});
      const boost::math::binomial_distribution<double> want(n, p);
      const double tolerance = made.shifted().variance() < 200 ? 1e-11 : 5e-5;
      for (const double z : {-6.0, -3.0, -1.0, 0.0, 0.7, 2.0, 5.0}) {
        const double k = std::clamp(std::round(n * p + z * std::sqrt(n * p * (1 - p))), 0.0, n);
        const double above = k == 0 ? 1 : cdf(complement(want, k - 1)), below = cdf(want, k);
        EXPECT_NEAR(std::exp(made.log_at_least(k)) / above, 1, tolerance) << n << " " << p << " " << k;
        EXPECT_NEAR(std::exp(made.log_at_most(k)) / below, 1, tolerance) << n << " " << p << " " << k;
      }
    }
}

// Three rows, by hand.
TEST(poisson_binomial, of_three_rows_is_what_paper_and_pencil_say) {
  const PoissonBinomial made = of({0.5, 0.2, 0.9});
  EXPECT_NEAR(std::exp(made.log_at_least(3)), 0.09, 1e-15);
  EXPECT_NEAR(std::exp(made.log_at_most(0)), 0.04, 1e-15);
  EXPECT_NEAR(std::exp(made.log_at_most(1)), 0.04 + 0.04 + 0.01 + 0.36, 1e-15);
  EXPECT_NEAR(std::exp(made.log_two_sided(3)), 0.18, 1e-15);
  EXPECT_EQ(made.log_two_sided(2), 0);
}

// Log-odds shifted by t: the same as rows with the shifted probabilities.
TEST(poisson_binomial, shifted_is_that_of_shifted_rows) {
  SplitMix rng(3);
  for (const std::size_t n : {5u, 60u, 3000u}) {
    std::vector<double> p(n), moved(n);
    const double t = 0.4;
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = rng.uniform();
      moved[i] = p[i] * std::exp(t) / (1 - p[i] + p[i] * std::exp(t));
    }
    const PoissonBinomial base = of(p), want = of(moved);
    EXPECT_NEAR(base.shifted().mean(t), want.shifted().mean(), 1e-9);
    EXPECT_NEAR(base.shifted().variance(t), want.shifted().variance(), 1e-9);
    EXPECT_NEAR(base.shifted().shift_to(want.shifted().mean()), t, 1e-9);
    const double k = std::round(want.shifted().mean() + 2 * std::sqrt(want.shifted().variance()));
    EXPECT_NEAR(base.log_at_least(k, t), want.log_at_least(k), 1e-4);
    EXPECT_NEAR(base.log_at_most(k, t), want.log_at_most(k), 1e-4);
  }
}

// The interval of Clopper and Pearson (1934) is this one for equal rows: in log-odds, from those of p.
TEST(poisson_binomial, shifts_are_the_interval_of_clopper_and_pearson) {
  using binomial = boost::math::binomial_distribution<double>;
  const double p = 0.4;
  const auto odds = [](double x) { return std::log(x / (1 - x)); };
  for (const double n : {12.0, 300.0, 4000.0})
    for (const double share : {0.25, 0.4, 0.6}) {
      const double k = std::round(share * n);
      const auto found = of({p}, {static_cast<std::uint64_t>(n)}).shifts(k, 0.05);
      EXPECT_NEAR(found.low, odds(binomial::find_lower_bound_on_p(n, k, 0.025)) - odds(p), 2e-4);
      EXPECT_NEAR(found.high, odds(binomial::find_upper_bound_on_p(n, k, 0.025)) - odds(p), 2e-4);
    }
  const auto none = of({0.3, 0.2}).shifts(0, 0.05), all = of({0.3, 0.2}).shifts(2, 0.05);
  EXPECT_EQ(none.low, -HUGE_VAL);
  EXPECT_EQ(all.high, HUGE_VAL);
}

TEST(poisson_binomial, keeps_far_tails_and_impossible_rows_finite) {
  const PoissonBinomial sure = of(std::vector<double>(50, 1.0));
  EXPECT_NEAR(sure.log_two_sided(49), std::log(2 * 50 * 0x1p-20), 1e-4);
  const PoissonBinomial far = of({0.5}, {100'000});
  EXPECT_LT(far.log_two_sided(20'000), -1000);
  EXPECT_TRUE(std::isfinite(far.log_two_sided(20'000)));
  EXPECT_TRUE(std::isfinite(far.shifts(20'000, 0.05).low));
}

// The share of draws at or below k, and the p-value that belongs to a draw.
TEST(poisson_binomial, draws_have_the_distribution) {
  SplitMix rng(5);
  for (const std::uint64_t n : {30U, 2000U}) {
    const PoissonBinomial made = of({0.2, 0.7}, {n, n});
    const double k = std::round(made.shifted().mean() + std::sqrt(made.shifted().variance()));
    double below = 0, small = 0;
    const int draws = 40'000;
    for (int i = 0; i < draws; ++i) {
      const double drawn = made.draw(rng.uniform());
      below += drawn <= k ? 1 : 0;
      small += made.quick_two_sided(drawn) <= 0.05 ? 1 : 0;
    }
    EXPECT_NEAR(below / draws, std::exp(made.log_at_most(k)), 0.01);
    EXPECT_LE(small / draws, 0.055);
    EXPECT_NEAR(std::log(made.quick_two_sided(k)), made.log_two_sided(k), 0.02);
  }
}

}  // namespace
