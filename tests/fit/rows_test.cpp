// What is applied in vectors has the bits of what is written into headers, one row at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/targets.hpp"
#include "tare/fit/rows/kernels.hpp"

namespace {

namespace rows = tare::detail::fit::rows;

// Numbers of every size, zeros and equal ones among them.
template <class T>
std::vector<T> drawn_rows(std::size_t count, bool probabilities, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal(0, 3);
  std::vector<T> out(count);
  for (T& x : out) {
    const double z = normal(bits) * (bits() % 16 == 0 ? 100 : 1);
    x = static_cast<T>(probabilities ? 1 / (1 + std::exp(-z)) : z);
    if (bits() % 32 == 0) x = 0;
    if (bits() % 64 == 0) x = probabilities ? 1 : static_cast<T>(rows::masked_logit);
  }
  return out;
}

template <class T>
void compare_rows(std::size_t k, bool probabilities) {
  const std::size_t n = 2000;
  const auto in = drawn_rows<T>(n * k, probabilities, k);
  std::vector<double> many(n * k), one(n * k);
  rows::tempered_rows(in.data(), n, k, probabilities, 0.7, many.data());
  for (std::size_t i = 0; i < n; ++i) rows::tempered(in.data() + i * k, k, probabilities, 0.7, one.data() + i * k);
  EXPECT_EQ(many, one) << k;
  if (k == 1) return;
  rows::features_of_logits(in.data(), n * k, probabilities, many.data());
  for (std::size_t i = 0; i < n; ++i) rows::logit_features(in.data() + i * k, k, probabilities, one.data() + i * k);
  EXPECT_EQ(many, one) << k;
  rows::softmax_rows(many.data(), n, k);
  for (std::size_t i = 0; i < n; ++i) rows::softmax(one.data() + i * k, k);
  EXPECT_EQ(many, one) << k;
  for (const bool odds : {false, true}) {
    std::vector<rows::RowFacts> facts(n);
    rows::facts_of_rows(in.data(), n, k, !probabilities, odds, facts.data());
    for (std::size_t i = 0; i < n; ++i) {
      const auto wanted = rows::row_facts(in.data() + i * k, k, !probabilities, odds);
      ASSERT_EQ(facts[i].top, wanted.top) << k;
      ASSERT_EQ(facts[i].log_normaliser, wanted.log_normaliser) << k;
      ASSERT_EQ(facts[i].top_odds, wanted.top_odds) << k;
    }
  }
}

TEST(rows, kernels_have_the_bits_of_single_rows_on_every_instruction_set) {
  tare::detail::testing::for_targets([](const char* target) {
    SCOPED_TRACE(target);
    for (const bool probabilities : {false, true})
      for (const std::size_t k : {1u, 2u, 3u, 4u, 7u, 8u, 9u, 10u, 16u, 17u, 31u}) {
        compare_rows<double>(k, probabilities);
        compare_rows<float>(k, probabilities);
      }
  });
}

TEST(rows, a_matrix_is_added_from_the_first_feature_to_the_last) {
  tare::detail::testing::for_targets([](const char* target) {
    SCOPED_TRACE(target);
    for (const std::size_t k : {2u, 3u, 8u, 10u, 19u}) {
      const std::size_t n = 37;
      const auto x = drawn_rows<double>(n * k, false, 1), w = drawn_rows<double>(k * k, false, 2);
      const auto b = drawn_rows<double>(k, false, 3);
      std::vector<double> turned(k * k), many(n * k), one(n * k);
      for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < k; ++j) turned[j * k + c] = w[c * k + j];
      rows::affine_rows(x.data(), n, k, turned.data(), b.data(), many.data());
      for (std::size_t i = 0; i < n; ++i)
        rows::affine(x.data() + i * k, k, w.data(), k * k, b.data(), one.data() + i * k);
      EXPECT_EQ(many, one) << k;
    }
  });
}

}  // namespace
