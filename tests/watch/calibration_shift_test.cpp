#include "tare/watch/calibration_shift.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "watch/watch_rows.hpp"

namespace {

using tare::detail::testing::golden_csv;
using tare::detail::testing::period_of_rows;
using tare::detail::testing::Rows;
using tare::detail::testing::watch_rows;
using tare::detail::watch::calibration_shift;
using tare::detail::watch::Period;

// The NumPy reference: tests/golden/watch_reference.py.
TEST(shift_of_calibration, is_what_the_reference_says) {
  std::size_t seen = 0;
  for (const auto& row : golden_csv("watch.csv")) {
    if (row[0] != "moved") continue;
    ++seen;
    SCOPED_TRACE("seed " + row[5]);
    const auto number = [&](std::size_t i) { return std::stod(row[i]); };
    const auto size = [&](std::size_t i) { return static_cast<std::size_t>(std::stoul(row[i])); };
    const Period before = period_of_rows(watch_rows(row[1], size(2), size(5), number(6)));
    const Period today = period_of_rows(watch_rows(row[3], size(4), size(5) + 1, number(7), number(8)));
    const auto out = calibration_shift(before, today, 9999, 1);
    EXPECT_EQ(out.strata, size(9));
    EXPECT_NEAR(out.uncovered, number(10), 1e-12);
    std::size_t part = 0;
    for (std::size_t j = 11; j < 15; ++j) {
      if (row[j].empty()) continue;
      ASSERT_LT(part, out.parts.size());
      EXPECT_NEAR(out.parts[part].minus_log_p, number(j), 1e-8 * (1 + number(j))) << out.parts[part].name;
      ++part;
    }
    EXPECT_EQ(part, out.parts.size());
    EXPECT_NEAR(out.change, number(15), 1e-10);
    EXPECT_NEAR(out.se, number(16), 1e-10);
    const double p = number(17);
    ASSERT_TRUE(out.p_value);
    EXPECT_NEAR(*out.p_value, p, 5 * std::sqrt((p * (1 - p) + 1e-4) * (1.0 / 9999 + 1.0 / 19999)));
    const auto drift = tare::detail::watch::score_drift(before, today);
    EXPECT_NEAR(drift.distance, number(18), 1e-12);
    EXPECT_NEAR(drift.p_value, number(19), 1e-10 * std::max(number(19), 1e-6));
  }
  EXPECT_EQ(seen, 10U);
}

TEST(shift_of_calibration, nothing_to_compare_has_no_p_value) {
  const Rows low{{0.25, 0.25}, {1, 0}}, high{{0.75, 0.75}, {1, 0}}, hits{{0.25}, {1}};
  const auto apart = calibration_shift(period_of_rows(low), period_of_rows(high), 99, 1);
  EXPECT_FALSE(apart.p_value);
  EXPECT_EQ(apart.uncovered, 1);
  EXPECT_FALSE(calibration_shift(period_of_rows(hits), period_of_rows(hits), 99, 1).p_value);
}

// Two by two by hand: of 4 rows with 2 hits, today's 2 rows have both. Fisher's exact test, two-sided: p = 1/3.
TEST(shift_of_calibration, of_one_score_is_the_exact_test_of_fisher) {
  const Rows before{{0.5, 0.5}, {0, 0}}, today{{0.5, 0.5}, {1, 1}};
  const auto out = calibration_shift(period_of_rows(before), period_of_rows(today), 99999, 1);
  EXPECT_NEAR(*out.p_value, 1.0 / 3, 0.006);
  EXPECT_DOUBLE_EQ(out.change, 1);
}

TEST(shift_of_calibration, the_same_seed_gives_the_same_bits) {
  const Period before = period_of_rows(watch_rows("uniform", 500, 1)),
               today = period_of_rows(watch_rows("low", 300, 2));
  EXPECT_EQ(calibration_shift(before, today, 199, 7).p_value, calibration_shift(before, today, 199, 7).p_value);
}

// ScoreDrift of the scores alone, tied scores: at most 5% may be rejected. 400 samples: 3 standard errors are 3.3
// points.
TEST(shift_of_calibration, keeps_its_level_however_the_scores_drift) {
  int rejected = 0, drifted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Period before = period_of_rows(watch_rows("tied20", 2000, 2 * seed, 0.7));
    const Period today = period_of_rows(watch_rows("tied10", 400, 2 * seed + 1, 0.7));
    rejected += *calibration_shift(before, today, 99, seed).p_value <= 0.05;
    drifted += tare::detail::watch::score_drift(before, today).p_value <= 0.05;
  }
  EXPECT_LE(rejected, 33);
  EXPECT_GE(rejected, 5);
  EXPECT_GE(drifted, 60);
}

// One seed, many days: each day has redrawings of its own, so that no seed rejects too often or too seldom on all of
// them. 2,000 days: three standard errors are 1.5 points. With one stream of 99 redrawings for all days the level of a
// seed is a draw of Beta(5, 95), whose standard deviation is 2.2 points.
TEST(shift_of_calibration, keeps_its_level_at_every_seed) {
  constexpr std::uint32_t days = 2000;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    int rejected = 0;
    for (std::uint32_t day = 0; day < days; ++day) {
      const Period before = period_of_rows(watch_rows("tied20", 1000, 2 * day + 1, 0.7));
      const Period today = period_of_rows(watch_rows("tied20", 300, 2 * day + 2, 0.7));
      rejected += *calibration_shift(before, today, 99, seed, day).p_value <= 0.05;
    }
    EXPECT_NEAR(rejected, 0.05 * days, 3 * std::sqrt(0.05 * 0.95 * days)) << "seed " << seed;
  }
}

TEST(drift, of_the_same_distribution_is_seldom_seen) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed)
    seen += tare::detail::watch::score_drift(period_of_rows(watch_rows("uniform", 500, 2 * seed)),
                                             period_of_rows(watch_rows("uniform", 60, 2 * seed + 1)))
                .p_value <= 0.05;
  EXPECT_LE(seen, 71);  // 5% and three standard errors
  EXPECT_GE(seen, 25);
}

}  // namespace
