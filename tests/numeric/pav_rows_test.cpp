#include "tare/numeric/pav_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "tare/numeric/pav.hpp"

namespace {

using tare::numeric::order;
using tare::numeric::pav;
using tare::numeric::pooled_rows;

// The blocks of all rows sorted, by the other program for it.
template <class T>
void expect_as_sorted(const std::vector<T>& score, const std::vector<std::uint8_t>& mark) {
  const auto data = order(std::span<const T>(score), mark);
  const auto expected = pav(data);
  const auto found = pooled_rows(std::span<const T>(score), mark);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t b = 0; b < found.size(); ++b) {
    EXPECT_EQ(found[b].first, data.score(expected[b].first));
    EXPECT_EQ(found[b].last, data.score(expected[b].last - 1));
    EXPECT_EQ(found[b].mass, expected[b].mass);
    EXPECT_EQ(found[b].hits, expected[b].hits);
  }
}

template <class T>
void expect_as_sorted_for(std::size_t n, const std::function<double(double)>& score_of,
                          const std::function<double(double)>& rate_of) {
  std::mt19937_64 rng(n);
  std::uniform_real_distribution<double> uniform;
  std::vector<T> score(n);
  std::vector<std::uint8_t> mark(n);
  for (std::size_t i = 0; i < n; ++i) {
    score[i] = static_cast<T>(score_of(uniform(rng)));
    mark[i] = uniform(rng) < rate_of(static_cast<double>(score[i]));
  }
  expect_as_sorted(score, mark);
}

constexpr std::size_t many = 200'000;  // enough for cells

TEST(pav_rows, few_rows_pool_as_sorted_ones) {
  for (const std::size_t n : {1U, 2U, 7U, 1000U})
    expect_as_sorted_for<double>(n, [](double u) { return u; }, [](double p) { return p; });
}

TEST(pav_rows, many_rows_pool_as_sorted_ones) {
  const auto same = [](double u) { return u; };
  const auto piled = [](double u) { return 1 - std::pow(u, 20.9); };
  const auto both_ends = [](double u) { return u < 0.5 ? std::pow(2 * u, 30) : 1 - std::pow(2 - 2 * u, 30); };
  const auto rounded = [](double u) { return std::round(u * 50) / 50; };
  for (const std::function<double(double)>& shape : {std::function<double(double)>(same), {piled}, {both_ends}, {rounded}}) {
    expect_as_sorted_for<double>(many, shape, same);
    expect_as_sorted_for<float>(many, shape, same);
  }
}

TEST(pav_rows, rates_of_any_course_pool_as_sorted_ones) {
  const auto same = [](double u) { return u; };
  for (const std::function<double(double)>& rate :
       {std::function<double(double)>([](double p) { return 1 - p; }), {[](double) { return 0.5; }},
        {[](double) { return 0.0; }}, {[](double) { return 1.0; }}, {[](double p) { return p > 0.3 ? 1.0 : 0.0; }},
        {[](double p) { return std::floor(p * 40) / 40; }}, {[](double p) { return 0.5 + 0.4 * std::sin(40 * p); }}})
    expect_as_sorted_for<double>(many, same, rate);
}

TEST(pav_rows, equal_scores_are_one_group) {
  expect_as_sorted(std::vector<double>(many, 0.3), std::vector<std::uint8_t>(many, 1));
  std::vector<float> ends(many);
  std::vector<std::uint8_t> mark(many);
  for (std::size_t i = 0; i < many; ++i) {
    ends[i] = i % 3 == 0 ? 0.0F : 1.0F;
    mark[i] = i % 7 == 0;
  }
  expect_as_sorted(ends, mark);
}

}  // namespace
