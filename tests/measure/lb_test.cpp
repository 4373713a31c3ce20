#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace {

using tare::detail::measure::lb_em;
using tare::detail::measure::lb_ew;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::off_grid;
using tare::detail::testing::Rows;
using tare::detail::testing::untied;

TEST(lb_ew, by_hand) {
  const Rows r{{0.1, 0.3, 0.8, 0.9}, {0, 1, 1, 1}};  // rates 0.5 and 1: 0.4 + 0.2 + 0.2 + 0.1
  EXPECT_NEAR(must(lb_ew(r.view(), {.bins = 2, .norm = 1})).value, 0.9 / 4, 1e-14);
}

// The reference bins [a, b), so only data off the edges are comparable.
TEST(lb_ew, matches_the_authors_program_off_the_edges) {
  for (const auto& c : off_grid(golden("ece_lb", "ew", "caltrain")))
    EXPECT_NEAR(must(lb_ew(c.rows.view(), {.bins = c.bins, .norm = c.norm})).value, *c.value, 1e-12)
        << c.dataset << " " << c.bins << " " << c.norm;
}

TEST(lb_em, matches_an_independent_program_without_ties) {
  for (const auto& c : untied(golden("ece_lb", "em", "stable_exact")))
    EXPECT_NEAR(must(lb_em(c.rows.view(), {.bins = c.bins, .norm = c.norm})).value, *c.value, 1e-12)
        << c.dataset << " " << c.bins << " " << c.norm;
}

// lb^2 = ece^2 + the variance of the scores inside their bins (norm 2).
TEST(lb_em, exceeds_the_binned_error_by_the_variance_inside_bins) {
  const auto r = tare::detail::testing::calibrated(300, 5);
  auto sorted = r.score;
  std::sort(sorted.begin(), sorted.end());
  double inside = 0;
  for (int k = 0; k < 15; ++k) {
    double mean = 0;
    for (int i = 20 * k; i < 20 * k + 20; ++i) mean += sorted[static_cast<std::size_t>(i)] / 20;
    for (int i = 20 * k; i < 20 * k + 20; ++i) inside += std::pow(sorted[static_cast<std::size_t>(i)] - mean, 2) / 300;
  }
  const double ece = must(tare::detail::measure::ece_em(r.view(), {})).value;
  EXPECT_NEAR(std::pow(must(lb_em(r.view(), {})).value, 2), ece * ece + inside, 1e-12);
}

}  // namespace
