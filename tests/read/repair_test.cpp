// Repairs of numbers: what each does on paper, and that it is a function of its row alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/core/views.hpp"
#include "tare/read/assemble.hpp"

namespace {

using namespace tare::detail;
using read::Array;
using read::DType;
using read::Matrix;
using read::Reading;
using read::ReadLog;
using tare::detail::testing::lent;
using tare::detail::testing::must;
using Numbers = std::vector<double>;
constexpr double infinite = std::numeric_limits<double>::infinity();

Numbers numbers_of(const Matrix& m) {
  Numbers out;
  for (std::size_t i = 0; i < m.values.size(); ++i) out.push_back(m.values[i]);
  return out;
}

Numbers repaired_probs(const Numbers& values, std::size_t k, const Reading& reading, ReadLog& log) {
  const Array from = lent(DType::f8, values, {values.size() / k, k});
  return numbers_of(must(read::repaired(must(read::to_matrix(from)), from, Kind::probs, reading, log)));
}

Numbers unrounded_probs(const Numbers& values, std::size_t k, ReadLog& log, double tolerance = row_sum_tolerance) {
  const Array from = lent(DType::f8, values, {values.size() / k, k});
  return numbers_of(read::unrounded(must(read::to_matrix(from)), from, tolerance, log));
}

TEST(repair, percentages_are_divided_by_100) {
  ReadLog log;
  EXPECT_EQ(repaired_probs({25, 75, 0, 100}, 2, {.percent = true}, log), (Numbers{0.25, 0.75, 0, 1}));
  EXPECT_EQ(log.rescaled, 0U);
  EXPECT_EQ(repaired_probs({0.25, 0.75}, 2, {}, log), (Numbers{0.25, 0.75}));
}

TEST(repair, rows_are_divided_by_their_sums_where_it_is_asked) {
  ReadLog log;
  EXPECT_EQ(repaired_probs({1, 3, 0.25, 0.75}, 2, {.renormalize = true}, log), (Numbers{0.25, 0.75, 0.25, 0.75}));
  EXPECT_TRUE(log.asked);
  EXPECT_EQ(log.rescaled, 1U);
  EXPECT_EQ(log.furthest, 3);
  // What is no share is left for the checks to refuse: negative numbers, a sum of 0, infinity.
  const Numbers odd = {-1, 3, 0, 0, infinite, 1};
  EXPECT_EQ(repaired_probs(odd, 2, {.renormalize = true}, log), odd);
  EXPECT_EQ(log.rescaled, 1U);
}

TEST(repair, percentages_that_want_a_sum_get_both) {
  ReadLog log;
  EXPECT_EQ(repaired_probs({50, 150}, 2, {.percent = true, .renormalize = true}, log), (Numbers{0.25, 0.75}));
  EXPECT_EQ(log.furthest, 1);
}

TEST(repair, logits_of_minus_infinity_are_masked) {
  ReadLog log;
  const auto masked = [&](const Numbers& values) {
    const Array from = lent(DType::f8, values, {values.size() / 2, 2});
    return read::repaired(must(read::to_matrix(from)), from, Kind::logits, {}, log);
  };
  EXPECT_EQ(numbers_of(must(masked({1, -infinite, 2, 3}))), (Numbers{1, masked_logit, 2, 3}));
  // Beside a logit that is as low itself, what would stand for it would lie.
  const Numbers low = {masked_logit, -infinite};
  EXPECT_EQ(numbers_of(must(masked(low))), low);
  const auto none = masked({0, 1, -infinite, -infinite});
  ASSERT_FALSE(none);
  EXPECT_KEPT(sentence(none.error()) + " | " + none.error().remedy);
}

TEST(repair, numbers_that_rounding_moved_outside_are_moved_back) {
  ReadLog log;
  EXPECT_EQ(unrounded_probs({1.000005, -0.000005}, 1, log), (Numbers{1, 0}));
  EXPECT_EQ(log.clamped, 2U);
  EXPECT_EQ(unrounded_probs({1.00002, 0.5, -0.00002}, 1, log), (Numbers{1.00002, 0.5, -0.00002}));
  EXPECT_EQ(log.clamped, 2U);
}

// Three numbers of two decimals may each be off by 0.005: a sum of 1.01 is explained, one of 1.02 is not.
TEST(repair, sums_that_decimals_explain_become_1) {
  ReadLog log;
  const Numbers got = unrounded_probs({0.34, 0.34, 0.33, 0.34, 0.34, 0.34, 0.2, 0.3, 0.5}, 3, log);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(got[j], (j == 2 ? 0.33 : 0.34) / 1.01, 1e-15);
  for (std::size_t j = 3; j < 6; ++j) EXPECT_EQ(got[j], 0.34);
  EXPECT_EQ(got[8], 0.5);
  EXPECT_EQ(log.rescaled, 1U);
  EXPECT_NEAR(log.furthest, 0.01, 1e-12);
  // Of more decimals less is explained: 0.3401 + 0.3401 + 0.3299 is not rounded to two.
  ReadLog finer;
  unrounded_probs({0.3401, 0.3401, 0.3299}, 3, finer);
  EXPECT_EQ(finer.rescaled, 0U);
}

RC_GTEST_PROP(repair, follows_from_the_row_alone, ()) {
  const auto k = *rc::gen::inRange<std::size_t>(1, 6), n = *rc::gen::inRange<std::size_t>(1, 9);
  Numbers values;
  for (std::size_t i = 0; i < n * k; ++i)
    values.push_back(static_cast<double>(*rc::gen::inRange(-1, 60)) / *rc::gen::element(100.0, 1e6));
  const Reading reading{.percent = *rc::gen::arbitrary<bool>(), .renormalize = *rc::gen::arbitrary<bool>()};
  ReadLog whole, parts;
  const Numbers asked = repaired_probs(values, k, reading, whole), rounded = unrounded_probs(values, k, whole);
  for (std::size_t i = 0; i < n; ++i) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * k);
    const Numbers row(from, from + static_cast<std::ptrdiff_t>(k));
    const Numbers one = repaired_probs(row, k, reading, parts), other = unrounded_probs(row, k, parts);
    for (std::size_t j = 0; j < k; ++j) {
      RC_ASSERT(one[j] == asked[i * k + j]);
      RC_ASSERT(other[j] == rounded[i * k + j]);
    }
  }
  RC_ASSERT(whole.rescaled == parts.rescaled);
  RC_ASSERT(whole.clamped == parts.clamped);
  RC_ASSERT(whole.furthest == parts.furthest);
}

TEST(repair, log_probabilities_become_probabilities) {
  const Numbers values = {std::log(0.25), 0, 5e-6, -infinite};
  const Array made = must(read::exponentials(lent(DType::f8, values, {4})));
  const Numbers got = tare::detail::testing::matrix_numbers(made);
  EXPECT_NEAR(got[0], 0.25, 1e-16);
  EXPECT_EQ((Numbers{got[1], got[2], got[3]}), (Numbers{1, 1, 0}));
  const Numbers wrong = {-1, 0.5};
  const auto refused = read::exponentials(lent(DType::f8, wrong, {2}));
  ASSERT_FALSE(refused);
  EXPECT_KEPT(sentence(refused.error()) + " | " + refused.error().remedy);
}

TEST(repair, one_class_against_the_rest) {
  const Numbers probs = {0.2, 0.3, 0.5}, logits = {1, 2, 4};
  const auto of = [](const Numbers& values, Kind kind, std::size_t column) {
    return numbers_of(read::one_class(must(read::to_matrix(lent(DType::f8, values, {1, 3}))), kind, column)).at(0);
  };
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(of(probs, Kind::probs, j), probs[j]);
    double others = 0;
    for (std::size_t i = 0; i < 3; ++i)
      if (i != j) others += std::exp(logits[i]);
    EXPECT_NEAR(of(logits, Kind::logits, j), logits[j] - std::log(others), 1e-14);
  }
  const Numbers large = {1000, 0, 999};
  EXPECT_NEAR(of(large, Kind::logits, 0), 1, 1e-12);
}

}  // namespace
