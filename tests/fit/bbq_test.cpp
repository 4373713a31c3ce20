#include "tare/fit/bbq.hpp"

#include <cmath>

#include "fit/maps.hpp"
#include "tare/numeric/order/bin_walk.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

// The ranges of B stated in the paper for these N.
TEST(bbq, tries_the_bin_counts_of_the_paper) {
  const auto range = [](std::uint64_t n) {
    const auto c = fit::bbq_bins(n, 1);
    return std::pair{c.fewest, c.most};
  };
  EXPECT_EQ(range(1), (std::pair<std::size_t, std::size_t>{1, 1}));
  EXPECT_EQ(range(100), (std::pair<std::size_t, std::size_t>{1, 20}));
  EXPECT_EQ(range(997), (std::pair<std::size_t, std::size_t>{1, 100}));
  EXPECT_EQ(range(1000), (std::pair<std::size_t, std::size_t>{1, 100}));
  EXPECT_EQ(range(5000), (std::pair<std::size_t, std::size_t>{1, 171}));
  EXPECT_EQ(range(1'000'000), (std::pair<std::size_t, std::size_t>{10, 1000}));
  EXPECT_EQ(range(999'999), (std::pair<std::size_t, std::size_t>{9, 1000}));
}

TEST(bbq, weights_count_as_rows) {
  const auto c = fit::bbq_bins(std::uint64_t{5000} << 20, std::uint64_t{1} << 20);
  EXPECT_EQ(c.most, 171U);
}

// Two rows, one bin, prior Beta(1, 1) (the middle is 1/2, N'/B = 2): the posterior mean is (m + 1) / (N + 2).
TEST(bbq, few_rows_by_hand) {
  EXPECT_EQ(applied(fitted("bbq", binary({{0.2, 0.6}, {1, 1}})), {0, 0.5, 1}), (std::vector<double>{0.75, 0.75, 0.75}));
  EXPECT_EQ(applied(fitted("bbq", binary({{0.2}, {0}})), {0.9}), (std::vector<double>{1.0 / 3}));
}

// Six rows: binnings of one and of two bins, worked out with the recursion G(x + 1) = x G(x).
TEST(bbq, six_rows_by_hand) {
  const Rows rows{{0.1, 0.2, 0.3, 0.7, 0.8, 0.9}, {0, 0, 0, 1, 1, 1}};
  for (const bool share_prior : {false, true}) {
    // one bin: alpha = beta = 1: 3! 3! / (2 * 3 * ... * 7) = 36 / 5040
    // two bins meet at 1/2: middles 1/4 and 3/4; in bin one beta (beta+1) (beta+2) / (A (A+1) (A+2)), beta = 3/4 A
    const double a = share_prior ? 1 : 2, beta = 0.75 * a;
    const double one = 36.0 / 5040, half = beta * (beta + 1) * (beta + 2) / (a * (a + 1) * (a + 2)), two = half * half;
    const double share = two / (one + two), low_bin = 0.25 * a / (3 + a);
    const double low = (1 - share) * 0.5 + share * low_bin, high = (1 - share) * 0.5 + share * (1 - low_bin);
    const auto q = applied(fitted("bbq", binary(rows), {.share_prior = share_prior}), {0, 0.5, 0.51, 1});
    EXPECT_NEAR(q[0], low, 1e-14);
    EXPECT_NEAR(q[1], low, 1e-14);
    EXPECT_NEAR(q[2], high, 1e-14);
    EXPECT_NEAR(q[3], high, 1e-14);
  }
}

double log_score_of_golden_rows(std::size_t bins, bool share_prior) {
  const Rows rows = golden_rows("d08_n100_uniform_c2");
  const auto data = numeric::order(std::span<const double>(rows.score), rows.label);
  std::vector<std::size_t> ends;
  numeric::for_each_bin(data, numeric::Binning::mass, bins,
                        [&](std::size_t, numeric::GroupRange range) { ends.push_back(range.to); });
  return fit::bbq_log_score(data, ends, share_prior);
}

// The rules of the authors' program. Their bins are ours where the number of bins divides that of the rows, and no
// middle is so near 0 or 1 that they would move it.
TEST(bbq, scores_are_those_of_the_authors_program) {
  const auto authors = golden_calibrators()["binary"]["d08_n100_uniform_c2"]["bbq_naeini_bdeu2"]["log_scores"];
  for (const std::size_t b : {1U, 2U, 4U, 5U, 10U, 20U})
    EXPECT_NEAR(log_score_of_golden_rows(b, false), authors[b - 1].get<double>(), 1e-11) << b;
}

// The formula of the paper in Python with scipy.special.gammaln, for bins that meet half-way between scores.
TEST(bbq, a_shared_prior_gives_the_formula_of_the_paper) {
  const auto authors = golden_calibrators()["binary"]["d08_n100_uniform_c2"]["bbq_paper_formula_Nprime2"]["log_scores"];
  const std::vector<std::pair<std::size_t, double>> expected{
      {1, authors[0].get<double>()}, {2, authors[1].get<double>()}, {4, -39.79402470088712},
      {5, -42.52269027693204},       {10, -44.55120364761393},      {20, -50.41673081628004}};
  for (const auto& [b, log_score] : expected) EXPECT_NEAR(log_score_of_golden_rows(b, true), log_score, 1e-11) << b;
}

TEST(bbq, identical_scores_are_one_bin) {
  Rows rows;
  for (int i = 0; i < 100; ++i) {
    rows.score.push_back(0.5);
    rows.label.push_back(i < 30);
  }
  EXPECT_NEAR(applied(fitted("bbq", binary(rows)), {0.5})[0], 31.0 / 102, 1e-15);
}

TEST(bbq, scores_at_both_ends_are_fine) {
  const auto q =
      applied(fitted("bbq", binary({{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 0, 0, 0, 0, 0}})), {0, 1});
  EXPECT_GT(q[0], 0.5);
  EXPECT_LT(q[1], 0.5);
}

TEST(bbq, learns_a_curve_that_is_known) {
  const Rows rows = simulated(20000, 1, [](double s) { return s * s; });
  std::vector<double> x;
  for (int i = 1; i < 20; ++i) x.push_back(i / 20.0);
  for (const bool share_prior : {false, true}) {
    const auto q = applied(fitted("bbq", binary(rows), {.share_prior = share_prior}), x);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(q[i], x[i] * x[i], 0.06) << x[i];
  }
}

}  // namespace
