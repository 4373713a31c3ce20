#include "tare/state/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "state/state_rows.hpp"

namespace {

using tare::detail::state::State;
using tare::detail::testing::must;
using tare::detail::testing::part_of;
using tare::detail::testing::Rows;
using tare::detail::testing::state_of;
using tare::detail::testing::state_rows;

Rows shuffled(const Rows& rows, std::mt19937_64& rng) {
  std::vector<std::size_t> order(rows.score.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), rng);
  Rows out;
  for (const std::size_t i : order) {
    out.score.push_back(rows.score[i]);
    out.label.push_back(rows.label[i]);
    if (!rows.weight.empty()) out.weight.push_back(rows.weight[i]);
  }
  return out;
}

// Random parts of shuffled rows, merged two by two in random order.
State in_pieces(const Rows& rows, std::size_t cells, std::mt19937_64& rng) {
  const Rows all = shuffled(rows, rng);
  std::vector<State> parts;
  for (std::size_t from = 0; from < all.score.size();) {
    const std::size_t to = std::min(all.score.size(), from + 1 + rng() % (all.score.size() / 10));
    parts.push_back(state_of(part_of(all, from, to), cells));
    if (rng() % 3 == 0 && to < all.score.size()) {  // and some rows one after the other
      EXPECT_TRUE(parts.back().add(part_of(all, to, to + 1).view()));
      from = to + 1;
    } else {
      from = to;
    }
  }
  while (parts.size() > 1) {
    std::swap(parts[rng() % parts.size()], parts.back());
    const State last = std::move(parts.back());
    parts.pop_back();
    EXPECT_TRUE(parts[rng() % parts.size()].merge(last));
  }
  return parts.front();
}

TEST(state, any_split_any_order_and_any_tree_of_merges_is_the_same) {
  std::mt19937_64 rng(1);
  for (const char* recipe : {"uniform", "small", "large", "tied", "special"})
    for (const std::size_t cells : {256U, 1000U, 65536U}) {
      Rows rows = state_rows(recipe, 3000);
      for (const bool weighted : {false, true}) {
        if (weighted)
          for (std::size_t i = 0; i < 3000; ++i)
            rows.weight.push_back(i % 7 == 0 ? 0.3 : 1 + static_cast<double>(i % 3));
        const State whole = state_of(rows, cells);
        for (int trial = 0; trial < 4; ++trial)
          EXPECT_TRUE(in_pieces(rows, cells, rng) == whole) << recipe << ' ' << cells << ' ' << weighted;
      }
    }
}

TEST(state, threads_and_chunks_change_nothing) {
  const Rows rows = state_rows("small", 700'000);
  const State whole = state_of(rows, 4096);
  EXPECT_TRUE(state_of(rows, 4096, 15, 3) == whole);
  State parts = must(State::make(15, 4096));
  for (std::size_t from = 0; from < 700'000; from += 70'000)
    ASSERT_TRUE(parts.add(part_of(rows, from, from + 70'000).view(), 2));
  EXPECT_TRUE(parts == whole);
  EXPECT_LE(whole.body().cells.size(), 4096U);
  EXPECT_GT(whole.body().cells.size(), 1000U);
}

TEST(state, float32_is_the_same_score) {
  const std::vector<float> narrow{0.1F, 0.9F, 0.1F};
  const std::vector<double> wide(narrow.begin(), narrow.end());
  const std::vector<std::uint8_t> label{0, 1, 1};
  State a = must(State::make()), b = must(State::make());
  ASSERT_TRUE(a.add(must(tare::detail::binary_view(std::span<const float>(narrow), label))));
  ASSERT_TRUE(b.add(must(tare::detail::binary_view(std::span<const double>(wide), label))));
  EXPECT_TRUE(a == b);
}

TEST(state, a_weight_of_two_is_a_row_twice_and_minus_zero_is_zero) {
  EXPECT_TRUE(state_of({{0.2, 0.7, -0.0}, {1, 0, 1}, {2, 1, 0.0}}, 256) == state_of({{0.7, 0.2, 0.2}, {0, 1, 1}}, 256));
  EXPECT_TRUE(state_of({{-0.0}, {1}}, 256) == state_of({{0.0}, {1}}, 256));
}

TEST(state, unequal_states_differ) {
  const State a = state_of({{0.2, 0.7}, {1, 0}}, 256);
  EXPECT_FALSE(a == state_of({{0.2, 0.7}, {1, 1}}, 256));
  EXPECT_FALSE(a == state_of({{0.2, 0.7}, {1, 0}}, 256, 10));
  EXPECT_FALSE(a == state_of({{0.2, 0.7000000001}, {1, 0}}, 256));
}

TEST(state, ends_where_its_sums_would_overflow) {
  State a = must(State::make());
  const Rows heavy{{0.5}, {1}, {5e11}};
  ASSERT_TRUE(a.add(heavy.view()));
  ASSERT_TRUE(a.add(heavy.view()));
  const State before = a;
  EXPECT_FALSE(a.add(heavy.view()));  // 1.5e12 is more than 2^40
  EXPECT_FALSE(a.merge(before));
  EXPECT_TRUE(a == before);
}

TEST(state, refuses_other_shapes_and_stays_as_it_was) {
  State a = state_of({{0.2, 0.7}, {1, 0}}, 256);
  const State before = a;
  EXPECT_FALSE(a.merge(must(State::make(10, 256))));
  EXPECT_FALSE(a.merge(must(State::make(15, 512))));
  EXPECT_TRUE(a == before);
  for (const int bins : {0, -1, tare::detail::options::bins.most + 1, 129})
    EXPECT_EQ(State::make(bins, 256).error().code, tare::detail::Errc::bad_option) << bins;
  for (const std::size_t cells : {0U, 255U, (1U << 22) + 1}) EXPECT_FALSE(State::make(15, cells)) << cells;
}

}  // namespace
