#include "tare/numeric/simd/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

using tare::detail::numeric::softmax_rows;
using tare::detail::numeric::SoftmaxRows;

struct Answer {
  explicit Answer(std::size_t n) : confidence(n), complement(n), nll(n), log_normaliser(n), argmax(n) {}
  SoftmaxRows out() { return {confidence.data(), complement.data(), nll.data(), log_normaliser.data(), argmax.data()}; }
  bool operator==(const Answer&) const = default;
  std::vector<double> confidence, complement, nll, log_normaliser;
  std::vector<std::int32_t> argmax;
};

template <class T>
struct Logits {
  std::size_t k;
  std::vector<T> z;
  std::vector<std::int32_t> label;
  [[nodiscard]] Answer answer(int threads = 1) const {
    Answer a(label.size());
    softmax_rows(std::span<const T>(z), k, label, a.out(), threads);
    return a;
  }
};

template <class T>
Logits<T> drawn(std::size_t n, std::size_t k, double spread, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal(0, spread);
  Logits<T> out{k, {}, {}};
  for (std::size_t i = 0; i < n * k; ++i) out.z.push_back(static_cast<T>(normal(rng)));
  for (std::size_t i = 0; i < n; ++i) out.label.push_back(static_cast<std::int32_t>(rng() % (k == 1 ? 2 : k)));
  return out;
}

// Against long double, term by term.
template <class T>
void expect_right(const Logits<T>& l, double tolerance) {
  const auto a = l.answer();
  for (std::size_t i = 0; i < l.label.size(); ++i) {
    std::vector<long double> row(l.z.begin() + static_cast<std::ptrdiff_t>(i * l.k),
                                 l.z.begin() + static_cast<std::ptrdiff_t>((i + 1) * l.k));
    if (l.k == 1) row.insert(row.begin(), 0);
    std::size_t top = 0;
    for (std::size_t j = 1; j < row.size(); ++j)
      if (row[j] > row[top]) top = j;
    long double rest = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (j != top) rest += std::exp(row[j] - row[top]);
    ASSERT_EQ(a.argmax[i], static_cast<std::int32_t>(top)) << "row " << i << ", k " << l.k;
    const auto confidence = static_cast<double>(1 / (1 + rest)), complement = static_cast<double>(rest / (1 + rest));
    ASSERT_NEAR(a.confidence[i], confidence, tolerance * complement + 1e-15) << "row " << i << ", k " << l.k;
    ASSERT_NEAR(a.complement[i], complement, tolerance * complement) << "row " << i << ", k " << l.k;
    const auto log_rest = static_cast<double>(std::log1p(rest));
    const long double z = row[static_cast<std::size_t>(l.label[i])];
    const auto nll = static_cast<double>(std::log1p(rest) + (row[top] - z));
    ASSERT_NEAR(a.nll[i], nll, tolerance * log_rest + 4e-16 * nll) << "row " << i << ", k " << l.k;
    const auto whole = static_cast<double>(row[top] + std::log1p(rest));
    ASSERT_NEAR(a.log_normaliser[i], whole, tolerance * log_rest + 4e-16 * std::abs(static_cast<double>(row[top])))
        << "row " << i << ", k " << l.k;
  }
}

const std::vector<std::size_t> widths{1,  2,  3,  4,  5,  9,   10,  16,  17,   31,  63,
                                      64, 65, 67, 79, 80, 100, 127, 255, 1000, 1003};

// float32: the difference of two logits is itself rounded, by 2^-24 of its size (|z - m| < 60 counts).
TEST(softmax_rows, agrees_with_long_double_in_float32) {
  for (const std::size_t k : widths)
    for (const double spread : {0.01, 1.0, 5.0}) expect_right(drawn<float>(300, k, spread, k), 2e-6);
}

TEST(softmax_rows, is_accurate_to_float32_where_differences_of_logits_are_exact) {
  for (const std::size_t k : widths) {
    auto l = drawn<float>(300, k, 3, k);
    for (auto& z : l.z) z = std::round(z * 256) / 256;
    expect_right(l, 5e-7);
  }
}

TEST(softmax_rows, agrees_with_long_double_in_float64) {
  for (const std::size_t k : widths)
    for (const double spread : {0.01, 1.0, 5.0}) expect_right(drawn<double>(300, k, spread, k), 4e-15);
}

TEST(softmax_rows, keeps_the_complement_of_saturated_rows) {
  for (const std::size_t k : {1U, 2U, 3U, 10U, 64U, 100U}) {
    auto l = drawn<float>(100, k, 0, 1);
    for (std::size_t i = 0; i < 100; ++i) l.z[i * k + i % k] = static_cast<float>(2 * i + 1);
    expect_right(l, 1e-6);
    auto wide = drawn<double>(100, k, 0, 1);
    for (std::size_t i = 0; i < 100; ++i) wide.z[i * k + i % k] = static_cast<double>(2 * i + 1);
    expect_right(wide, 4e-15);
  }
}

TEST(softmax_rows, survives_huge_logits) {
  const Logits<float> a{3, {1e4F, -1e4F, 1e4F, -1e4F, 1e4F, 0, 3e38F, -3e38F, 0}, {1, 1, 0}};
  const auto f = a.answer();
  EXPECT_EQ(f.confidence, (std::vector<double>{0.5, 1, 1}));
  EXPECT_EQ(f.argmax, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_NEAR(f.nll[0], 2e4 + std::log(2.0), 1e-9);
  EXPECT_EQ(f.nll[1], 0);
  EXPECT_EQ(f.complement[2], 0);
  const Logits<double> b{2, {1e4, -1e4, -1e300, 1e300}, {0, 1}};
  EXPECT_EQ(b.answer().confidence, (std::vector<double>{1, 1}));
}

TEST(softmax_rows, takes_the_lowest_index_on_a_tie_and_halves_exactly) {
  for (const std::size_t k : {2U, 7U, 10U, 33U, 64U, 100U, 1000U}) {
    Logits<float> l{k, std::vector<float>(3 * k, 1.5F), {0, 1, 1}};
    l.z[k] = -40;        // the second row begins with a loser
    l.z[2 * k] = -0.0F;  // zeros of both signs are equal
    for (std::size_t j = 1; j < k; ++j) l.z[2 * k + j] = 0.0F;
    const auto a = l.answer();
    EXPECT_EQ(a.argmax, (std::vector<std::int32_t>{0, 1, 0})) << k;
    EXPECT_EQ(a.complement[0] + a.confidence[0], 1) << k;
    EXPECT_DOUBLE_EQ(a.confidence[0], 1 / static_cast<double>(k));
  }
}

TEST(softmax_rows, gives_each_row_the_same_bits_whatever_surrounds_it) {
  for (const std::size_t k : {1U, 2U, 10U, 63U, 64U, 130U}) {
    const auto l = drawn<float>(1001, k, 4, 3);
    const auto all = l.answer();
    EXPECT_EQ(l.answer(2), all);
    EXPECT_EQ(l.answer(3), all);
    for (const std::size_t i : {0U, 17U, 255U, 256U, 1000U}) {
      const Logits<float> one{
          k,
          {l.z.begin() + static_cast<std::ptrdiff_t>(i * k), l.z.begin() + static_cast<std::ptrdiff_t>((i + 1) * k)},
          {l.label[i]}};
      const auto a = one.answer();
      EXPECT_EQ(a.confidence[0], all.confidence[i]);
      EXPECT_EQ(a.nll[0], all.nll[i]);
    }
  }
}

TEST(softmax_rows, writes_only_what_is_wanted) {
  const auto l = drawn<double>(700, 5, 1, 9);
  std::vector<double> confidence(700);
  softmax_rows(std::span<const double>(l.z), 5, {}, {.confidence = confidence.data()});
  EXPECT_EQ(confidence, l.answer().confidence);
}

}  // namespace
