#include "tare/infer/resample/paired.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace {

using tare::detail::Change;
using tare::detail::infer::paired_differences;
using tare::detail::infer::RowLosses;

// Scores uniform, calibrated; losses are those of the scores plus noise of the given mean.
RowLosses drawn(std::size_t n, std::uint64_t seed, double shift) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  RowLosses out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.score[i] = uniform(rng);
    out.label[i] = out.right[i] = uniform(rng) < out.score[i];
    out.brier[i] = 1 + normal(rng) + shift;
    out.nll[i] = 2 + normal(rng) + shift;
  }
  return out;
}

TEST(paired_differences, of_a_method_with_itself_are_zero_and_noise) {
  const auto a = drawn(100, 1, 0);
  const auto d = paired_differences({&a, &a}, {}, {{1, 0}}, 15, {.resamples = 100});
  ASSERT_EQ(d[0].size(), 3U);
  for (const auto& one : d[0]) {
    EXPECT_EQ(one.value, 0);
    EXPECT_EQ(one.low, 0);
    EXPECT_EQ(one.high, 0);
    EXPECT_EQ(one.change, Change::noise);
  }
}

TEST(paired_differences, by_hand) {
  RowLosses a(2), b(2);
  a.score = b.score = {0.5, 0.6};
  a.brier = {0.1, 0.3};
  b.brier = {0.2, 0.6};
  const auto d = paired_differences({&a, &b}, {}, {{0, 1}}, 15, {.resamples = 50});
  EXPECT_EQ(d[0][0].criterion, tare::detail::Criterion::brier);
  EXPECT_NEAR(d[0][0].value, -0.2, 1e-15);
  const std::vector<double> weight{3, 1};
  EXPECT_NEAR(paired_differences({&a, &b}, weight, {{0, 1}}, 15, {.resamples = 50})[0][0].value, -0.15, 1e-15);
}

TEST(paired_differences, see_a_real_difference) {
  const auto a = drawn(500, 1, 0), b = drawn(500, 2, 0.5);
  const auto d = paired_differences({&a, &b}, {}, {{1, 0}, {0, 1}}, 15, {});
  EXPECT_EQ(d[0][0].change, Change::worse);
  EXPECT_EQ(d[1][0].change, Change::better);
}

TEST(paired_differences, leave_out_an_infinite_nll) {
  auto a = drawn(50, 1, 0), b = drawn(50, 2, 0);
  b.nll[7] = INFINITY;
  const auto d = paired_differences({&a, &b}, {}, {{1, 0}}, 15, {.resamples = 50});
  ASSERT_EQ(d[0].size(), 2U);
  EXPECT_EQ(d[0][1].criterion, tare::detail::Criterion::squared_error);
}

// The standard error of a mean over W predictions is that of one over the root of W, in any unit of the weights. Half
// widths from 400 resamples are good to a tenth.
TEST(paired_differences, have_intervals_that_follow_the_total_weight) {
  const std::size_t n = 400;
  const auto a = drawn(n, 1, 0), b = drawn(n, 2, 0);
  const auto half = [&](double each) {
    const std::vector<double> weight(each > 0 ? n : 0, each);
    const auto d = paired_differences({&a, &b}, weight, {{1, 0}}, 15, {.resamples = 400});
    return (d[0][0].high - d[0][0].low) / 2;
  };
  const double one = half(0);
  for (const double each : {1.0, 4.0, 1e6, 0.25, 1.0 / 40})
    EXPECT_NEAR(half(each) * std::sqrt(each) / one, 1, 0.15) << each;
}

// A row as good as without weight has no mass, lies above every bin and is never drawn.
TEST(paired_differences, never_draw_a_row_without_mass) {
  RowLosses a(4), b(4);
  a.score = b.score = {0.1, 0.2, 0.3, 0.9};
  a.brier = {0, 0, 0, INFINITY};
  const std::vector<double> weight{1.5, 1e6, 2.5, 1e-12};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto d = paired_differences({&a, &b}, weight, {{0, 1}}, 3, {.resamples = 50, .seed = seed});
    EXPECT_EQ(d[0][0].value, 0);
    EXPECT_EQ(d[0][0].high, 0);
  }
}

TEST(paired_differences, do_not_take_rounding_for_a_difference) {
  RowLosses a(50), b(50);
  for (std::size_t i = 0; i < 50; ++i) {
    a.score[i] = b.score[i] = 0.5;
    a.brier[i] = 0.25;
    b.brier[i] = 0.25 + 1e-15;
    a.nll[i] = b.nll[i] = 1;
  }
  EXPECT_EQ(paired_differences({&a, &b}, {}, {{0, 1}}, 15, {.resamples = 50})[0][0].change, Change::noise);
}

TEST(paired_differences, do_not_depend_on_threads) {
  const auto a = drawn(300, 1, 0), b = drawn(300, 2, 0);
  const auto one = paired_differences({&a, &b}, {}, {{1, 0}}, 15, {.resamples = 200, .threads = 1});
  const auto three = paired_differences({&a, &b}, {}, {{1, 0}}, 15, {.resamples = 200, .threads = 3});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(one[0][c].low, three[0][c].low);
}

// Five methods of equal merit: the chance that anything is called better or worse is 5% per criterion.
TEST(paired_differences, call_noise_noise_in_95_of_100_comparisons_of_equals) {
  const int m = 300;
  std::array<int, 3> alarms{};
  for (int t = 0; t < m; ++t) {
    std::vector<RowLosses> methods;
    std::vector<const RowLosses*> pointers;
    for (std::uint64_t k = 0; k < 5; ++k) methods.push_back(drawn(200, 1000 * static_cast<std::uint64_t>(t) + k, 0));
    for (const auto& one : methods) pointers.push_back(&one);
    const auto d = paired_differences(pointers, {}, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}, 10,
                                      {.resamples = 300, .seed = static_cast<std::uint64_t>(t)});
    for (std::size_t c = 0; c < 3; ++c) {
      bool any = false;
      for (const auto& pair : d) any |= pair[c].change != Change::noise;
      alarms[c] += any;
    }
  }
  const double most = 0.05 + 3 * std::sqrt(0.05 * 0.95 / m);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_LT(alarms[c] / static_cast<double>(m), most) << c;
}

}  // namespace
