#include "tare/state/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "state/state_rows.hpp"

namespace {

using namespace tare::detail::state;
using tare::detail::testing::part_of;
using tare::detail::testing::Rows;
using tare::detail::testing::state_rows;

Body sorted(const Rows& rows, const Shape& shape, int step = exact_step) {
  return body_of(std::span<const double>(rows.score), rows.label, rows.weight, shape, step);
}

std::size_t add(Tally& tally, const Rows& rows) { return tally.add(std::span<const double>(rows.score), rows.label); }

Rows shuffled(Rows rows) {
  std::mt19937_64 rng(3);
  for (std::size_t i = rows.score.size(); i > 1; --i) {
    const std::size_t j = rng() % i;
    std::swap(rows.score[i - 1], rows.score[j]);
    std::swap(rows.label[i - 1], rows.label[j]);
  }
  return rows;
}

// All rows at the step of the first thousand: as many as the tally takes, against the sort of the same rows.
void expect_as_sorted(const Rows& rows, const Shape& shape) {
  const Body first = sorted(part_of(rows, 0, 1000), shape);
  const Rows rest = part_of(rows, 1000, rows.score.size());
  Tally tally(first, shape, rest.score.size());
  const std::size_t added = add(tally, rest);
  Body poured = first;
  tally.pour_into(poured);

  const Shape roomy{.most = std::size_t{1} << 22, .bins = shape.bins};
  const auto all = [&](std::size_t to) { return sorted(part_of(rows, 0, 1000 + to), roomy, first.step); };
  EXPECT_TRUE(poured == all(added));
  EXPECT_LE(poured.cells.size(), shape.most);
  if (added == rest.score.size()) return;
  EXPECT_EQ(poured.cells.size(), shape.most);
  EXPECT_EQ(all(added + 1).cells.size(), shape.most + 1);
}

TEST(tally, rows_are_in_the_cells_that_a_sort_gives_them) {
  for (const char* recipe : {"uniform", "small", "large", "tied", "special"})
    for (const std::size_t most : {256U, 1000U, 4096U, 65536U})
      for (const std::size_t bins : {1U, 15U, 100U}) {
        SCOPED_TRACE(std::string(recipe) + " " + std::to_string(most) + " " + std::to_string(bins));
        expect_as_sorted(shuffled(state_rows(recipe, 6000)), {.most = most, .bins = bins});
      }
}

TEST(tally, scores_at_the_edges_of_bins_are_in_theirs) {
  for (const std::size_t bins : {7U, 15U, 49U, 127U}) {
    Rows rows = state_rows("uniform", 1000);
    for (std::size_t j = 0; j <= bins; ++j) {
      const double edge = static_cast<double>(j) / static_cast<double>(bins);
      for (const double s : {edge, std::nextafter(edge, 0.0), std::min(std::nextafter(edge, 2.0), 1.0)}) {
        rows.score.push_back(s);
        rows.label.push_back(j % 2);
      }
    }
    expect_as_sorted(rows, {.most = 600, .bins = bins});
  }
}

TEST(tally, float32_and_minus_zero_are_the_same_score) {
  const Shape shape{.most = 256, .bins = 15};
  const std::vector<float> narrow{0.1F, 0.9F, -0.0F, 1.0F, 0.1F};
  const std::vector<std::uint8_t> label{0, 1, 1, 0, 1};
  Rows wide{{0.1F, 0.9F, 0, 1, 0.1F}, label};
  for (const char* recipe : {"tied", "uniform"}) {
    const Body first = sorted(state_rows(recipe, 2000), shape);
    Body a = first, b = first;
    Tally of_floats(first, shape, 5), of_doubles(first, shape, 5);
    ASSERT_EQ(of_floats.add(std::span<const float>(narrow), label), 5U);
    ASSERT_EQ(add(of_doubles, wide), 5U);
    of_floats.pour_into(a);
    of_doubles.pour_into(b);
    EXPECT_TRUE(a == b);
    EXPECT_TRUE(a == merged(first, sorted(wide, shape, first.step), shape));
  }
}

TEST(tally, rows_weigh_one_where_weights_are_not_whole) {
  const Shape shape{.most = 256, .bins = 15};
  Rows weighted = state_rows("uniform", 500);
  weighted.weight.assign(500, 0.5);
  const Rows rows = state_rows("uniform", 300, 5);
  Body body = sorted(weighted, shape);
  const Body both = merged(body, sorted(rows, shape, body.step), shape);
  Tally tally(body, shape, 300);
  ASSERT_EQ(add(tally, rows), 300U);
  tally.pour_into(body);
  EXPECT_TRUE(body == both);
}

// Sums of many rows in one cell need more than 64 bits.
TEST(tally, a_million_times_the_same_score) {
  const Shape shape{.most = 256, .bins = 15};
  Rows rows{std::vector<double>(1'000'000, 1.0), std::vector<std::uint8_t>(1'000'000, 1)};
  Body body = sorted({{1.0}, {0}}, shape);
  Tally tally(body, shape, 3'000'000);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(add(tally, rows), 1'000'000U);
  tally.pour_into(body);
  ASSERT_EQ(body.cells.size(), 1U);
  EXPECT_TRUE(body.cells[0].mass == 3'000'001 && body.cells[0].hits == 3'000'000);
  EXPECT_TRUE(body.cells[0].score == u128{3'000'001} << 46);
  EXPECT_EQ(body.cells[0].only, 1.0);
}

}  // namespace
