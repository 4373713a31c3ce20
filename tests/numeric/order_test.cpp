#include "tare/numeric/order/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "numeric/samples.hpp"
#include "support/targets.hpp"
#include "tare/numeric/order/radix_sort.hpp"

namespace {

using namespace tare::detail::numeric;
using tare::detail::testing::Scored;
using tare::detail::testing::shapes;

void expect_same_order(const Ordered& a, const Ordered& b, const std::string& name) {
  ASSERT_EQ(a.groups(), b.groups()) << name;
  for (std::size_t g = 0; g <= a.groups(); ++g) {
    ASSERT_EQ(a.mass_before(g), b.mass_before(g)) << name;
    ASSERT_EQ(a.hits_before(g), b.hits_before(g)) << name;
    ASSERT_TRUE(a.score_before(g) == b.score_before(g)) << name;
    if (g < a.groups()) {
      ASSERT_EQ(a.score(g), b.score(g)) << name;
    }
  }
}

template <class T>
class order_of : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(order_of, Types);

struct Group {
  std::uint64_t mass = 0, hits = 0;
};

template <class T>
std::map<double, Group> grouped(const Scored<T>& r, const std::vector<std::uint64_t>& mass) {
  std::map<double, Group> groups;
  for (std::size_t i = 0; i < r.score.size(); ++i) {
    if (mass[i] == 0) continue;
    auto& g = groups[std::abs(static_cast<double>(r.score[i]))];
    g.mass += mass[i];
    g.hits += r.mark[i] ? mass[i] : 0;
  }
  return groups;
}

void expect_groups(const Ordered& o, const std::map<double, Group>& groups, const std::string& name) {
  ASSERT_EQ(o.groups(), groups.size()) << name;
  std::size_t g = 0;
  std::uint64_t before = 0, hits = 0;
  u128 score = 0;
  for (const auto& [x, group] : groups) {
    ASSERT_EQ(o.score(g), x) << name;
    ASSERT_FALSE(std::signbit(o.score(g)));
    ASSERT_EQ(o.mass_before(g), before);
    ASSERT_EQ(o.hits_before(g), hits);
    ASSERT_TRUE(o.score_before(g) == score);
    ASSERT_EQ(o.mass(g), group.mass);
    ASSERT_EQ(o.hits(g), group.hits);
    before += group.mass;
    hits += group.hits;
    score += static_cast<u128>(std::llrint(std::ldexp(x, 46))) * group.mass;
    ++g;
  }
  EXPECT_EQ(o.total_mass(), before);
  EXPECT_EQ(o.total_hits(), hits);
  EXPECT_TRUE(o.score_before(g) == score);
}

TYPED_TEST(order_of, rows_groups_equal_scores_whatever_the_threads) {
  for (const std::size_t n : {1U, 2U, 15U, 16U, 17U, 1000U, 140'003U})
    for (const auto& r : shapes<TypeParam>(n, n)) {
      if (n > 1000 && r.name != "uniform" && r.name != "ten levels" && r.name != "piled at 1") continue;
      const auto groups = grouped(r, std::vector<std::uint64_t>(n, 1));
      for (const int threads : {1, 2, 3}) expect_groups(order(r.reals(), r.mark, {}, threads), groups, r.name);
    }
}

TYPED_TEST(order_of, weighted_rows_adds_weights_and_forgets_rows_of_weight_0) {
  for (const auto& r : shapes<TypeParam>(20'000, 7)) {
    std::vector<double> weight;
    std::vector<std::uint64_t> mass;
    for (std::size_t i = 0; i < r.score.size(); ++i) {
      weight.push_back(static_cast<double>(i % 5));
      mass.push_back(i % 5);
    }
    const auto whole = order(r.reals(), r.mark, weight, 2);
    EXPECT_EQ(whole.unit(), 1U);
    expect_groups(whole, grouped(r, mass), r.name);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      weight[i] += i % 5 ? 0.25 : 0;
      mass[i] = mass[i] ? (4 * mass[i] + 1) << 34U : 0;
    }
    // they sum to 44,000, between 2^15 and 2^16
    const auto parts = order(r.reals(), r.mark, weight);
    EXPECT_EQ(parts.unit(), std::uint64_t{1} << 36U);
    expect_groups(parts, grouped(r, mass), r.name);
  }
}

// Between 2^51 and 2^52 units in all, whatever one weight is; never coarser than 2^-20, never finer than 2^-60.
TEST(mass_unit, suits_the_size_of_the_weights) {
  using tare::detail::numeric::mass_unit;
  const auto of = [](std::vector<double> weight) { return std::log2(static_cast<double>(mass_unit(weight))); };
  EXPECT_EQ(of({}), 0);
  EXPECT_EQ(of({1, 2, 0, 1e6}), 0);
  EXPECT_EQ(of({0.5, 0.5}), 51);
  EXPECT_EQ(of({0.25, 0.25}), 52);
  EXPECT_EQ(of({0.5, 1.5, 0}), 50);
  EXPECT_EQ(of(std::vector<double>(512, 1.0 / 512)), 51);
  EXPECT_EQ(of(std::vector<double>(1000, 1e-7)), 60);
  EXPECT_EQ(of(std::vector<double>(4, 0x1p37 + 0.5)), 20);
  std::vector<double> mixed{0.1, 1e-9, 3, 1e5};
  const double unit = of(mixed);
  std::reverse(mixed.begin(), mixed.end());
  EXPECT_EQ(of(mixed), unit);
}

TYPED_TEST(order_of, keys_is_that_of_the_standard_sort) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 255U, 4096U, 200'003U})
    for (const auto& r : shapes<TypeParam>(n, 10 + n)) {
      std::vector<decltype(key_of(TypeParam{}, 0))> want;
      for (std::size_t i = 0; i < n; ++i) want.push_back(key_of(r.score[i], r.mark[i]));
      std::sort(want.begin(), want.end());
      for (const int threads : {1, 2, 3}) {
        const auto have = sorted_keys(std::span<const TypeParam>(r.score), r.mark, threads);
        ASSERT_TRUE(std::equal(have.begin(), have.end(), want.begin(), want.end())) << r.name << " " << n;
      }
    }
}

// Past the caches: whole lines are written around them, and pieces of threads meet within a line.
TYPED_TEST(order_of, many_keys_is_that_of_the_standard_sort) {
  const std::size_t n = (std::size_t{1} << 23) / sizeof(TypeParam) + 1001;
  const auto r = tare::detail::testing::drawn<TypeParam>("piled at 1", n, 5,
                                                         [](double u, std::size_t) { return 1 - std::pow(u, 3); });
  std::vector<decltype(key_of(TypeParam{}, 0))> want;
  for (std::size_t i = 0; i < n; ++i) want.push_back(key_of(r.score[i], r.mark[i]));
  std::sort(want.begin(), want.end());
  for (const int threads : {1, 2, 3}) {
    const auto have = sorted_keys(std::span<const TypeParam>(r.score), r.mark, threads);
    ASSERT_TRUE(std::equal(have.begin(), have.end(), want.begin(), want.end())) << threads;
  }
}

TEST(order, from_groups_and_with_other_marks) {
  Ordered o({0.25, 0.5}, std::vector<std::uint64_t>{3, 1}, std::vector<std::uint64_t>{1, 1});
  EXPECT_EQ(o.total_mass(), 4U);
  EXPECT_EQ(o.hits(0), 1U);
  EXPECT_TRUE(o.score_before(2) == static_cast<u128>(5) << 44);  // 3/4 + 1/2 = 5/4
  o.set_hits(std::vector<std::uint64_t>{0, 1});
  EXPECT_EQ(o.hits_before(1), 0U);
  EXPECT_EQ(o.total_hits(), 1U);
}

// Sorted rows grouped by vectors, against the sort of the same rows.
TEST(order, sorted_rows_need_no_sort) {
  Ordered used;
  tare::detail::testing::for_targets([&](const char* target) {
    for (auto& r : shapes<double>(1013, 4)) {
      for (const std::size_t n : {1U, 2U, 7U, 8U, 9U, 100U, 1013U}) {
        std::vector<std::pair<double, std::uint8_t>> rows;
        for (std::size_t i = 0; i < n; ++i) rows.emplace_back(std::abs(r.score[i]), r.mark[i]);
        std::sort(rows.begin(), rows.end());
        std::vector<double> score;
        std::vector<std::uint8_t> mark;
        for (const auto& [x, m] : rows) {
          score.push_back(x);
          mark.push_back(m);
        }
        used.assign_sorted(score, mark);
        expect_same_order(used, order(std::span<const double>(score), mark), r.name + " " + target);
        expect_same_order(used, order(std::span<const double>(r.score).first(n), std::span(r.mark).first(n)),
                          r.name + " " + target);
      }
    }
  });
}

TEST(order, rows_in_ascending_order_are_those_in_any_order) {
  std::vector<double> score;
  std::vector<std::uint8_t> mark;
  for (std::size_t i = 0; i < 300000; ++i) {
    score.push_back(static_cast<double>(i / 3) / 1e5);
    mark.push_back(static_cast<std::uint8_t>(i * i % 7 % 2));  // not in order within a group
  }
  const Ordered ascending = order(std::span<const double>(score), mark, {}, 3);
  std::reverse(score.begin(), score.end());
  std::reverse(mark.begin(), mark.end());
  expect_same_order(ascending, order(std::span<const double>(score), mark), "reversed");
  EXPECT_EQ(ascending.groups(), 100000U);
}

TEST(order, a_score_that_falls_behind_its_predecessor_joins_it) {
  std::vector<double> score{0.1, 0.3, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.85};
  const std::vector<std::uint8_t> mark{0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1};
  Ordered given, expected;
  given.assign_sorted(score, mark);
  score = {0.1, 0.3, 0.3, 0.3, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.9};
  expected.assign_sorted(score, mark);
  expect_same_order(given, expected, "");
  EXPECT_EQ(given.groups(), 8U);
  EXPECT_EQ(given.mass(1), 4U);
  EXPECT_EQ(given.hits(1), 3U);
}

}  // namespace
