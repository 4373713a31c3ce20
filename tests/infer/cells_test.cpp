#include "tare/infer/resample/null.hpp"

#include <gtest/gtest.h>

#include "infer/support.hpp"
#include "support/ordered.hpp"
#include "tare/numeric/order/bins.hpp"

namespace {

using tare::detail::infer::Cells;
using tare::detail::infer::make_cells;
using tare::detail::infer::Redraw;
using tare::detail::numeric::BinSums;
using tare::detail::numeric::Ordered;
using tare::detail::testing::ordered;
using tare::detail::testing::Rows;
using tare::detail::testing::shaped;

void expect_same_sums(const std::vector<BinSums>& a, const std::vector<BinSums>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    EXPECT_EQ(a[j].mass, b[j].mass) << j;
    EXPECT_EQ(a[j].hits, b[j].hits) << j;
    if (a[j].mass != 0 && b[j].mass != 0) {
      EXPECT_NEAR(a[j].mean_score(), b[j].mean_score(), 1e-13) << j;
    }
  }
}

TEST(cells, have_the_bins_of_the_rows) {
  for (const auto* shape : {"uniform", "piled"})
    for (const int bins : {1, 7, 15, 100, 3000}) {
      const auto rows = ordered(shaped(shape, 30'000, 1));
      const auto cells = make_cells(rows, bins).ordered;
      const auto b = static_cast<std::size_t>(bins);
      EXPECT_LE(cells.groups(), 4096 + 2 * b);
      EXPECT_LT(cells.groups(), rows.groups());
      expect_same_sums(width_bins(cells, b), width_bins(rows, b));
      expect_same_sums(mass_bins(cells, b), mass_bins(rows, b));
    }
}

TEST(cells, with_weights_and_ties_have_the_bins_of_the_rows) {
  auto data = shaped("piled", 30'000, 2);
  for (std::size_t i = 0; i < data.score.size(); ++i) {
    data.weight.push_back(0.25 * static_cast<double>(1 + i % 5));
    if (i % 3 == 0) data.score[i] = std::round(data.score[i] * 20) / 20;
  }
  const auto rows = ordered(data);
  const auto cells = make_cells(rows, 15).ordered;
  EXPECT_EQ(cells.unit(), rows.unit());
  EXPECT_LT(cells.groups(), rows.groups());
  expect_same_sums(width_bins(cells, 15), width_bins(rows, 15));
  expect_same_sums(mass_bins(cells, 15), mass_bins(rows, 15));
}

TEST(cells, of_few_scores_are_the_scores) {
  const auto rows = ordered(shaped("uniform", 8000, 3));
  const Cells cells = make_cells(rows, 15);
  ASSERT_EQ(cells.ordered.groups(), rows.groups());
  for (std::size_t g = 0; g < rows.groups(); ++g) {
    EXPECT_EQ(cells.ordered.score(g), rows.score(g));
    EXPECT_EQ(cells.last[g], rows.score(g));
  }
}

TEST(cells, are_found_by_their_largest_score) {
  const auto rows = ordered(shaped("piled", 30'000, 4));
  const Cells cells = make_cells(rows, 15);
  std::size_t c = 0;
  std::uint64_t mass = 0;
  for (std::size_t g = 0; g < rows.groups(); ++g) {
    if (rows.score(g) > cells.last[c]) {
      EXPECT_EQ(mass, cells.ordered.mass(c));
      mass = 0;
      ++c;
    }
    mass += rows.mass(g);
  }
  EXPECT_EQ(c + 1, cells.ordered.groups());
}

// Mean m s and variance m s (1 - s) for mass m in weights, whole or not.
void expect_moments(const Ordered& cells) {
  constexpr std::size_t replicates = 4000;
  const Redraw redraw(cells);
  std::vector<std::uint64_t> hits(replicates * cells.groups());
  redraw.draw(1, 0, 0, replicates, hits);
  const auto unit = static_cast<double>(cells.unit());
  double mean = 0, variance = 0, sum = 0, squares = 0;
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    const double m = static_cast<double>(cells.mass(c)) / unit;
    mean += m * cells.score(c);
    variance += m * cells.score(c) * (1 - cells.score(c));
  }
  for (std::size_t r = 0; r < replicates; ++r) {
    double total = 0;
    for (std::size_t c = 0; c < cells.groups(); ++c) {
      const auto h = hits[r * cells.groups() + c];
      ASSERT_LE(h, cells.mass(c));
      total += static_cast<double>(h) / unit;
    }
    sum += total - mean;
    squares += (total - mean) * (total - mean);
  }
  EXPECT_NEAR(sum / replicates, 0, 4 * std::sqrt(variance / replicates));
  EXPECT_NEAR(squares / replicates / variance, 1, 4 * std::sqrt(2.0 / replicates) + 0.01);
}

TEST(redraw, has_the_mean_and_variance_of_labels_drawn_row_by_row) {
  expect_moments(ordered(shaped("uniform", 500, 5)));
  expect_moments(ordered(shaped("grid", 500, 6)));
}

// 500 rows of weight 0.3 are as noisy as 150 rows, not as 500.
TEST(redraw, counts_weights_as_frequencies) {
  auto rows = shaped("uniform", 500, 7);
  rows.weight.assign(500, 0.3);
  expect_moments(ordered(rows));
  for (std::size_t i = 0; i < 500; ++i) rows.weight[i] = 0.1 + 0.5 * static_cast<double>(i % 7);
  expect_moments(ordered(rows));
}

TEST(redraw, of_whole_weights_is_that_of_repeated_rows) {
  auto once = shaped("uniform", 200, 8);
  auto twice = once;
  once.weight.assign(200, 2.0);
  twice.score.insert(twice.score.end(), once.score.begin(), once.score.end());
  twice.label.insert(twice.label.end(), once.label.begin(), once.label.end());
  const auto a = ordered(once), b = ordered(twice);
  std::vector<std::uint64_t> x(a.groups() * 10), y(b.groups() * 10);
  Redraw(a).draw(3, 0, 0, 10, x);
  Redraw(b).draw(3, 0, 0, 10, y);
  EXPECT_EQ(x, y);
}

}  // namespace
