#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace {

using tare::detail::measure::Options;
using tare::detail::measure::sweep_em;
using tare::detail::measure::sweep_ew;
using tare::detail::numeric::Binning;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::off_grid;
using tare::detail::testing::Rows;
using tare::detail::testing::untied;

// Labels 1 0: the very first split decreases, so one bin and the overall gap.
TEST(sweep_em, falls_back_to_one_bin) {
  const Rows r{{0.2, 0.4, 0.6, 0.8}, {1, 1, 0, 0}};
  const auto e = must(sweep_em(r.view(), {.norm = 1}));
  EXPECT_EQ(e.bins, 1);
  EXPECT_NEAR(e.value, 0, 1e-15);
}

TEST(sweep_em, goes_to_n_bins_when_nothing_ever_decreases) {
  const Rows r{{0.1, 0.2, 0.8, 0.9}, {0, 0, 1, 1}};
  EXPECT_EQ(must(sweep_em(r.view())).bins, 4);
  EXPECT_EQ(must(sweep_em(r.view(), {.max_bins = 2})).bins, 2);
  EXPECT_NEAR(must(sweep_em(r.view(), {.norm = 1, .max_bins = 2})).value, 0.15, 1e-14);
}

TEST(sweep_em, one_row_is_one_bin) {
  const auto e = must(sweep_em(Rows{{0.7}, {1}}.view()));
  EXPECT_EQ(e.bins, 1);
  EXPECT_NEAR(e.value, 0.3, 1e-14);
}

TEST(sweep_em, matches_an_independent_program_without_ties) {
  for (const auto& c : untied(golden("ece_sweep", "em", "stable_exact_loop_to_n")))
    EXPECT_NEAR(must(sweep_em(c.rows.view(), {.norm = c.norm})).value, *c.value, 1e-12) << c.dataset;
  for (const auto& c : untied(golden("sweep_bstar", "em", "stable_exact_loop_to_n")))
    EXPECT_EQ(static_cast<double>(*must(sweep_em(c.rows.view(), {})).bins), *c.value) << c.dataset;
  for (const auto& c : untied(golden("ece_sweep", "em", "stable_exact_loop_to_n-1"))) {
    const int n = static_cast<int>(c.rows.score.size());
    EXPECT_NEAR(must(sweep_em(c.rows.view(), {.norm = c.norm, .max_bins = std::max(n - 1, 1)})).value, *c.value, 1e-12)
        << c.dataset;
  }
}

// The reference puts a score on an edge into the bin above, so only data off the edges are comparable.
TEST(sweep_ew, matches_an_independent_program_off_the_edges) {
  for (const auto& c : off_grid(golden("ece_sweep", "ew", "floor_loop_to_n")))
    EXPECT_NEAR(must(sweep_ew(c.rows.view(), {.norm = c.norm})).value, *c.value, 1e-12) << c.dataset;
  for (const auto& c : off_grid(golden("sweep_bstar", "ew", "floor_loop_to_n")))
    EXPECT_EQ(static_cast<double>(*must(sweep_ew(c.rows.view(), {})).bins), *c.value) << c.dataset;
}

// The definition, word for word: try b = 2, 3, ... and stop at the first count whose rates decrease somewhere.
std::int64_t sweep_by_definition(const Rows& r, Binning binning) {
  const auto data = tare::detail::numeric::order(std::span<const double>(r.score), r.label, r.weight);
  const auto limit = static_cast<std::size_t>(data.weight());
  std::size_t b = 1;
  for (; b < limit; ++b) {
    const auto bins = binning == Binning::width ? tare::detail::numeric::width_bins(data, b + 1)
                                                : tare::detail::numeric::mass_bins(data, b + 1);
    const tare::detail::numeric::BinSums* previous = nullptr;
    bool rises = true;
    for (const auto& bin : bins) {
      if (bin.mass == 0) continue;
      rises &= previous == nullptr || previous->hits * bin.mass <= bin.hits * previous->mass;
      previous = &bin;
    }
    if (!rises) break;
  }
  return static_cast<std::int64_t>(b);
}

// Every label pattern of a few rows, with and without ties and weights.
TEST(sweep_em, finds_what_the_definition_finds_on_every_small_sample) {
  const std::vector<std::vector<double>> shapes = {{0.05, 0.15, 0.3, 0.5, 0.55, 0.8, 0.81, 0.99},
                                                   {0.1, 0.1, 0.3, 0.3, 0.3, 0.8, 0.9, 0.9},
                                                   {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0}};
  for (const auto& score : shapes)
    for (unsigned pattern = 0; pattern < 256; ++pattern)
      for (const bool weighted : {false, true}) {
        Rows r{score, {}};
        for (unsigned i = 0; i < 8; ++i) r.label.push_back(pattern >> i & 1);
        if (weighted) r.weight = {1, 2, 1, 3, 1, 1, 2, 1};
        ASSERT_EQ(must(sweep_em(r.view())).bins, sweep_by_definition(r, Binning::mass)) << pattern;
        ASSERT_EQ(must(sweep_ew(r.view())).bins, sweep_by_definition(r, Binning::width)) << pattern;
      }
}

TEST(sweep_em, finds_what_the_definition_finds_on_nearly_separated_data) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<double> uniform;
    const bool tied = seed % 3 == 0;
    Rows r;
    for (int i = 0; i < 150; ++i) {
      const double s = uniform(rng);
      r.score.push_back(tied ? std::round(s * 30) / 30 : s);
      r.label.push_back(s > 0.4 + 0.02 * static_cast<double>(seed % 5) * (uniform(rng) - 0.5));
    }
    ASSERT_EQ(must(sweep_em(r.view())).bins, sweep_by_definition(r, Binning::mass)) << seed;
    ASSERT_EQ(must(sweep_ew(r.view())).bins, sweep_by_definition(r, Binning::width)) << seed;
  }
}

// The reference's value moves with the order of tied rows (0.018 to 0.058 on such data).
TEST(sweep_em, tied_rows_in_any_order_give_the_same_bits) {
  auto r = tare::detail::testing::calibrated(1000, 3);
  for (double& s : r.score) s = std::round(s * 10) / 10;
  const double before = must(sweep_em(r.view())).value;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 a(seed), b(seed);
    std::shuffle(r.score.begin(), r.score.end(), a);
    std::shuffle(r.label.begin(), r.label.end(), b);
    EXPECT_EQ(must(sweep_em(r.view())).value, before);
  }
}

// A quadratic sweep needs hours for these million rows.
TEST(sweep_em, a_million_rows_whatever_the_labels) {
  const std::size_t n = 1'000'000;
  Rows r;
  for (std::size_t i = 0; i < n; ++i) {
    r.score.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(n));
    r.label.push_back(i >= n / 2);
  }
  EXPECT_EQ(must(sweep_em(r.view())).bins, 1'000'000);
  EXPECT_EQ(must(sweep_ew(r.view())).bins, 1'000'000);
  EXPECT_TRUE(must(sweep_em(r.view())).per_bin.empty());  // too many to list
  std::swap(r.label[n / 2 - 1], r.label[n / 2]);          // one pair out of order
  EXPECT_GT(must(sweep_em(r.view())).bins, 1000);
  r.label[0] = 1;  // and one miss far away
  EXPECT_LT(must(sweep_em(r.view())).bins, 1000);
  std::fill(r.label.begin(), r.label.end(), std::uint8_t{1});
  EXPECT_EQ(must(sweep_em(r.view())).bins, 1'000'000);
  for (std::size_t i = 0; i < n; ++i) r.label[i] = i % 2;
  EXPECT_LT(must(sweep_em(r.view())).bins, 10'000);
  for (std::size_t i = 0; i < n; ++i) {  // a thousand levels with rising rates, and two lone rows out of order
    r.score[i] = (static_cast<double>(i * 1000 / n) + 0.5) / 1000;
    r.label[i] = i % 1000 < i * 1000 / n;
  }
  EXPECT_EQ(must(sweep_em(r.view())).bins, 1'000'000);
  r.score[0] = 1e-6, r.score[1] = 2e-6;
  r.label[0] = 1, r.label[1] = 0;
  EXPECT_GT(must(sweep_em(r.view())).bins, 1);
}

// One descent, between scores a rounding apart: it would take 1e8 bins to part them, and the weights allow 1e12.
TEST(sweep_ew, does_not_search_for_ever) {
  const double x = 0.3183098861837907;
  const Rows r{{0.1, x, std::nextafter(x, 1), 0.9}, {0, 1, 0, 1}, {1e11, 1e11, 1e11, 1e11}};
  EXPECT_EQ(must(sweep_ew(r.view(), {})).bins, 1 << 20);
}

}  // namespace
