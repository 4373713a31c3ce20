#include "tare/measure/rank_poly/rank_poly.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/targets.hpp"
#include "tare/measure/estimators.hpp"

namespace {

using tare::detail::Errc;
using tare::detail::Estimate;
using tare::detail::measure::rank_poly;
using tare::detail::measure::rank_poly_path;
using tare::detail::testing::drawn;
using tare::detail::testing::golden_csv;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::SplitMix;

double part(const Estimate& e, std::string_view name) {
  for (const auto& p : e.parts)
    if (p.name == name) return p.value;
  ADD_FAILURE() << name;
  return 0;
}

// Two rows, r = 3/4 and 1/4, one term: each predicts the other, so D = 3/16 and L = 4/4 * 2 * 9/256 = 9/128. With
// h = 1/2, N = 2/4 [(5/16)^2 - (81 + 1)/(4 * 256)] = 9/1024.
TEST(rank_poly, by_hand) {
  const Rows rows{{0.25, 0.75}, {1, 1}};
  const auto e = must(rank_poly(rows.view()));
  EXPECT_NEAR(*e.squared, 3.0 / 16, 1e-16);
  EXPECT_EQ(part(e, "degree"), 0);
  EXPECT_NEAR(part(e, "se") * part(e, "se"), 9.0 / 128, 1e-16);
  EXPECT_NEAR(part(e, "se_null") * part(e, "se_null"), 9.0 / 1024, 1e-16);
  EXPECT_NEAR(part(e, "z"), 3.0 / 16 / std::sqrt(9.0 / 1024) - 1, 1e-14);
  EXPECT_NEAR(e.value, std::sqrt(3.0 / 16 * (1 + 9.0 / 128 / (4 * (9.0 / 256 + 9.0 / 128)))), 1e-15);
}

TEST(rank_poly, needs_a_second_row) {
  const Rows one{{0.4}, {1}};
  EXPECT_EQ(rank_poly(one.view()).error().code, Errc::undefined);
  const Rows parts{{0.4, 0.6}, {1, 0}, {0.5, 0.5}};
  EXPECT_EQ(rank_poly(parts.view()).error().code, Errc::undefined);
}

TEST(rank_poly, exists_in_norm_two_only) {
  EXPECT_EQ(rank_poly(tare::detail::testing::calibrated(10, 1).view(), {.norm = 1}).error().code, Errc::unsupported);
}

TEST(rank_poly, of_certain_and_right_scores_is_zero) {
  const Rows rows{{0, 1, 1, 0, 1, 1, 0}, {0, 1, 1, 0, 1, 1, 0}};
  const auto e = must(rank_poly(rows.view()));
  EXPECT_EQ(e.value, 0);
  EXPECT_EQ(*e.squared, 0);
  EXPECT_EQ(part(e, "z"), -1);
}

// Only one row is wrong, and up to five rows have one term, so nothing but rounding could make these differ from 0.
TEST(rank_poly, does_not_take_rounding_for_an_error) {
  for (const std::size_t n : {2U, 3U, 4U, 5U}) {
    Rows rows{std::vector<double>(n, 1.0), std::vector<std::uint8_t>(n, 1)};
    rows.score[0] = 0;
    const auto e = must(rank_poly(rows.view()));
    EXPECT_EQ(e.value, 0) << n;
    EXPECT_EQ(part(e, "z"), -1) << n;
  }
}

RC_GTEST_PROP(rank_poly, of_one_score_is_the_debiased_error_of_one_bin, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 3000);
  Rows rows{std::vector<double>(n, *rc::gen::inRange(0, 101) / 100.0), {}};
  for (std::size_t i = 0; i < n; ++i) rows.label.push_back(*rc::gen::arbitrary<bool>());
  const double expected = *must(tare::detail::measure::debias_em(rows.view(), {.bins = 1})).squared;
  // A mean score is off by up to 2^-47 = 7e-15 (numeric/exact/fixed.hpp), the square of its gap by twice that.
  RC_ASSERT(std::abs(*must(rank_poly(rows.view())).squared - expected) < 2e-14);
}

void expect_reference(const std::vector<std::string>& f) {
  const auto number = [&](std::size_t i) { return std::strtod(f[i].c_str(), nullptr); };
  const Rows rows = drawn(f[0], static_cast<std::size_t>(number(1)), static_cast<std::uint64_t>(number(2)));
  const auto e = must(rank_poly(rows.view()));
  const std::string what = f[0] + ", n = " + f[1] + ", seed " + f[2];
  EXPECT_NEAR(*e.squared, number(4), 1e-13) << what;
  EXPECT_EQ(part(e, "degree"), number(5) - 1) << what;
  EXPECT_NEAR(part(e, "se_null") * part(e, "se_null"), number(6), 1e-15) << what;
  EXPECT_NEAR(part(e, "se") * part(e, "se"), number(7), 1e-13) << what;
  // Both are differences: where nothing but rounding is left of D or of N, so is of their root and their ratio.
  if (std::abs(number(4)) > 1e-15) {
    EXPECT_NEAR(e.value, number(3), 1e-9) << what;
  }
  if (number(6) * number(1) * number(1) > 1e-6) {
    EXPECT_NEAR(part(e, "z"), number(8), 1e-9 * std::max(1.0, std::abs(number(8)))) << what;
  }
}

TEST(rank_poly, agrees_with_the_numpy_reference) {
  for (const auto& fields : golden_csv("rank_poly.csv")) expect_reference(fields);
}

TEST(rank_poly, agrees_with_the_numpy_reference_on_every_instruction_set) {
  tare::detail::testing::for_targets([](const char* target) {
    SCOPED_TRACE(target);
    for (const auto& fields : golden_csv("rank_poly.csv"))
      if (fields[2] == "1") expect_reference(fields);
  });
}

// The NumPy reference (tests/golden/rank_intervals_reference.py).
TEST(rank_poly, has_the_interval_of_the_reference) {
  const auto golden = golden_csv("rank_interval.csv");
  ASSERT_GT(golden.size(), 600U);
  for (const auto& f : golden) {
    SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2]);
    const auto e = must(rank_poly(drawn(f[0], std::stoul(f[1]), std::stoul(f[2])).view()));
    ASSERT_TRUE(e.interval);
    EXPECT_NEAR(e.interval->low, std::stod(f[3]), 1e-9);
    EXPECT_NEAR(e.interval->high, std::stod(f[4]), 1e-9);
  }
}

TEST(rank_poly, threads_and_row_order_change_no_bit) {
  for (const char* kind : {"uniform", "saturated", "half", "nearly"}) {
    Rows rows = drawn(kind, 150'000, 5);
    const auto one = must(rank_poly(rows.view()));
    std::reverse(rows.score.begin(), rows.score.end());
    std::reverse(rows.label.begin(), rows.label.end());
    for (const int threads : {1, 2, 3}) {
      const auto other = must(rank_poly({rows.view(), threads}));
      EXPECT_EQ(one.value, other.value) << kind;
      EXPECT_EQ(one.squared, other.squared) << kind;
      EXPECT_EQ(one.interval->low, other.interval->low) << kind;
      EXPECT_EQ(one.interval->high, other.interval->high) << kind;
      for (std::size_t i = 0; i < one.parts.size(); ++i) EXPECT_EQ(one.parts[i].value, other.parts[i].value) << kind;
    }
  }
}

TEST(rank_poly, takes_two_halves_of_a_row_as_the_row) {
  const Rows once = drawn("piled", 700, 3);
  Rows halves;
  for (std::size_t i = 0; i < once.score.size(); ++i)
    for (int h = 0; h < 2; ++h) {
      halves.score.push_back(once.score[i]);
      halves.label.push_back(once.label[i]);
      halves.weight.push_back(0.5);
    }
  const auto a = must(rank_poly(once.view())), b = must(rank_poly(halves.view()));
  EXPECT_NEAR(*a.squared, *b.squared, 1e-15);
  EXPECT_NEAR(a.value, b.value, 1e-13);
  EXPECT_NEAR(a.interval->low, b.interval->low, 1e-12);
  EXPECT_NEAR(a.interval->high, b.interval->high, 1e-12);
}

// Means over redrawn labels, for every number of terms.
struct Means {
  std::vector<double> squared, variance, null, away;
  double draws = 0;
};

template <class Curve>
Means over_redrawings(const std::vector<double>& score, int draws, const Curve& curve) {
  Means out;
  std::vector<double> squares;
  for (int seed = 0; seed < draws; ++seed) {
    SplitMix rng(static_cast<std::uint64_t>(seed) << 32);
    Rows rows{score, {}};
    for (const double s : score) rows.label.push_back(rng.uniform() < curve(s));
    const auto path = rank_poly_path(rows.view());
    for (auto* v : {&out.squared, &out.null, &out.away, &squares}) v->resize(path.size(), 0.0);
    for (std::size_t k = 0; k < path.size(); ++k) {
      out.squared[k] += path[k].squared / draws;
      squares[k] += path[k].squared * path[k].squared / draws;
      out.null[k] += path[k].null / draws;
      out.away[k] += path[k].away / draws;
    }
  }
  for (std::size_t k = 0; k < squares.size(); ++k) out.variance.push_back(squares[k] - out.squared[k] * out.squared[k]);
  out.draws = draws;
  return out;
}

// The identity: given the scores, D has mean 0 if the model is calibrated, for every number of terms and any scores.
TEST(rank_poly, has_mean_zero_and_variance_n_on_calibrated_data) {
  for (const char* kind : {"uniform", "grid", "saturated", "half"}) {
    const auto m = over_redrawings(drawn(kind, 200, 7).score, 4000, [](double s) { return s; });
    for (std::size_t k = 0; k < m.squared.size(); ++k) {
      EXPECT_LT(std::abs(m.squared[k]), 4 * std::sqrt(m.variance[k] / m.draws)) << kind << " " << k;
      EXPECT_NEAR(m.null[k] / m.variance[k], 1, 0.2) << kind << " " << k;
    }
  }
}

// At equally spaced scores the gap s^2 - s is a polynomial of degree 2 in rank: from three terms on D has the mean
// mean((s^2 - s)^2), exactly. With one term the mean of the gap is all that can be seen.
TEST(rank_poly, has_the_mean_of_the_squared_gap_where_the_gap_is_a_polynomial_in_rank) {
  std::vector<double> score;
  double all = 0, mean = 0;
  const int n = 200;
  for (int i = 0; i < n; ++i) {
    const double s = (i + 0.5) / n, gap = s * s - s;
    score.push_back(s);
    mean += gap / n;
    all += gap * gap / n;
  }
  const auto m = over_redrawings(score, 4000, [](double s) { return s * s; });
  ASSERT_EQ(m.squared.size(), 8U);  // 200^0.4
  for (std::size_t k = 2; k < m.squared.size(); ++k)
    EXPECT_LT(std::abs(m.squared[k] - all), 4 * std::sqrt(m.variance[k] / m.draws)) << k;
  // of one term: the mean over pairs of different rows
  const double pairs = (n * mean * mean - all) / (n - 1);
  EXPECT_LT(std::abs(m.squared[0] - pairs), 4 * std::sqrt(m.variance[0] / m.draws));
  // given the scores, the variance is about L, which also counts that they might be others
  for (std::size_t k = 2; k < m.squared.size(); ++k) {
    EXPECT_LT(m.variance[k], 1.1 * (m.null[k] + m.away[k])) << k;
    EXPECT_GT(m.variance[k], 0.6 * (m.null[k] + m.away[k])) << k;
  }
}

// Uniform scores with the curve c^2: the true error is sqrt(1/30) = 0.1826.
TEST(rank_poly, finds_the_true_error) {
  double sum = 0, square = 0;
  const int samples = 500;
  for (int seed = 0; seed < samples; ++seed) {
    const auto rows =
        tare::detail::testing::simulated(1000, static_cast<std::uint64_t>(seed), [](double c) { return c * c; });
    const double v = must(rank_poly(rows.view())).value;
    sum += v / samples;
    square += v * v / samples;
  }
  EXPECT_NEAR(sum, std::sqrt(1.0 / 30), 4 * std::sqrt((square - sum * sum) / samples));
}

// Hit rates in steps of 0.2: the root mean square gap is 0.2 / sqrt(12), and polynomials of degree 15 see two thirds.
TEST(rank_poly, warns_of_rough_curves_and_allows_for_them) {
  int warned = 0, held = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Rows rows =
        tare::detail::testing::simulated(20'000, seed, [](double s) { return 0.2 * std::floor(s / 0.2) + 0.1; });
    const auto e = must(rank_poly(rows.view()));
    warned += !e.note.empty();
    held += tare::detail::measure::square_interval(e, 3.2).high >= 0.2 / std::sqrt(12.0);
    EXPECT_EQ(part(e, "rough"), e.note.empty() ? 0 : 1);
  }
  EXPECT_GT(warned, 35);
  EXPECT_GT(held, 28);
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    warned -= !must(rank_poly(tare::detail::testing::simulated(20'000, seed, [](double s) { return s * s; }).view()))
                   .note.empty();
  EXPECT_GT(warned, 30);  // a smooth curve is called rough in a few of 100 samples
}

}  // namespace
