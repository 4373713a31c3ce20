#include "tare/numeric/order/row_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace {

using namespace tare::detail;
using namespace tare::detail::numeric;

struct Data {
  std::size_t k;
  std::vector<double> values;
  std::vector<std::int32_t> mark;
  std::vector<double> weight;
  [[nodiscard]] RowContent content() const { return {std::span<const double>(values), k, mark, weight}; }
  [[nodiscard]] std::vector<double> row(std::size_t i) const {
    std::vector<double> out(values.begin() + static_cast<std::ptrdiff_t>(i * k),
                            values.begin() + static_cast<std::ptrdiff_t>((i + 1) * k));
    out.push_back(mark[i]);
    out.push_back(weight[i]);
    return out;
  }
};

// Few different numbers: many rows are alike.
Data drawn(std::size_t n, std::size_t k, int different, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  Data out{k, {}, {}, {}};
  for (std::size_t i = 0; i < n * k; ++i)
    out.values.push_back(static_cast<double>(rng() % static_cast<unsigned>(different)) / 8);
  for (std::size_t i = 0; i < n; ++i) {
    out.mark.push_back(static_cast<std::int32_t>(rng() % 3));
    out.weight.push_back(static_cast<double>(1 + rng() % 2));
  }
  return out;
}

Data shuffled(const Data& data, std::uint64_t seed) {
  std::vector<std::size_t> order(data.mark.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  Data out{data.k, {}, {}, {}};
  for (const std::size_t i : order) {
    const auto row = data.row(i);
    out.values.insert(out.values.end(), row.begin(), row.end() - 2);
    out.mark.push_back(data.mark[i]);
    out.weight.push_back(data.weight[i]);
  }
  return out;
}

TEST(row_order, shows_the_same_rows_in_the_same_order_however_they_came) {
  for (const std::size_t n : {1U, 2U, 300U, 20000U})
    for (const std::size_t k : {1U, 3U, 10U})
      for (const int different : {2, 100000}) {
        const Data a = drawn(n, k, different, n + k), b = shuffled(a, 5);
        const auto first = row_order(a.content(), 7), second = row_order(b.content(), 7);
        ASSERT_EQ(first.size(), n);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(a.row(first[i]), b.row(second[i])) << n << " " << k << " " << i;
        auto places = first;
        std::sort(places.begin(), places.end());
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(places[i], i);
      }
}

TEST(row_order, does_not_depend_on_threads) {
  const Data data = drawn(200000, 3, 3, 9);
  EXPECT_EQ(row_order(data.content(), 1), row_order(data.content(), 1, 3));
}

TEST(row_order, follows_the_seed) {
  const Data data = drawn(1000, 3, 1000, 9);
  EXPECT_NE(row_order(data.content(), 1), row_order(data.content(), 2));
}

// All that a row holds counts, and every place of it.
TEST(row_hashes, differ_where_rows_differ) {
  const std::vector<double> zeros(7);
  const std::vector<std::int32_t> mark{0};
  const std::vector<double> weight{1};
  const auto of = [&](const std::vector<double>& v, const std::vector<std::int32_t>& m, const std::vector<double>& w) {
    return row_hashes({std::span<const double>(v), v.size(), m, w}, 3).at(0);
  };
  std::set<std::uint64_t> seen{of(zeros, mark, weight), of(zeros, {1}, weight), of(zeros, mark, {2})};
  for (std::size_t j = 0; j < 7; ++j)
    for (const double x : {1.0, -1.0, 2.0, 5e-324}) {
      auto v = zeros;
      v[j] = x;
      seen.insert(of(v, mark, weight));
    }
  EXPECT_EQ(seen.size(), 3 + 7 * 4U);
  EXPECT_EQ(of({-0.0, 0.5}, mark, weight), of({0.0, 0.5}, mark, weight));
  EXPECT_EQ(of({0.25, 0.5}, mark, weight), of({0.25, 0.5}, {}, {}));
}

TEST(row_hashes, see_numbers_and_not_how_they_are_stored) {
  const Data data = drawn(100, 6, 1000, 4);
  const std::vector<float> small(data.values.begin(), data.values.end());
  EXPECT_EQ(row_hashes(data.content(), 3), row_hashes({std::span<const float>(small), 6, data.mark, data.weight}, 3));
}

// As a permutation drawn at random: each of 40 unlike rows comes first about as often.
TEST(row_order, is_even_over_seeds) {
  std::vector<double> values(40);
  std::iota(values.begin(), values.end(), 0.0);
  std::vector<int> first(40);
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    ++first[row_order({std::span<const double>(values), 1}, seed).at(0)];
  double chi2 = 0;
  for (const int count : first) chi2 += (count - 100.0) * (count - 100.0) / 100;
  EXPECT_LT(chi2, 81);  // 39 degrees of freedom: exceeded once in 10,000
}

}  // namespace
