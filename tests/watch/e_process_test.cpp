#include "tare/watch/e_process.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "watch/watch_rows.hpp"

namespace {

using tare::detail::testing::golden_csv;
using tare::detail::testing::period_of_rows;
using tare::detail::testing::watch_rows;
using namespace tare::detail::watch;

struct Running {
  explicit Running(const Period& reference)
      : directions(reference),
        e_process(directions),
        against(directions, directions.gather(reference), 0.05),
        past(directions.cells()) {}
  void day(const Period& period) {
    const Gathered seen = directions.gather(period);
    e_process.settle(seen, 5000);
    against.settle(seen);
    past.add(seen);
    e_process.make(directions, past);
    against.predict(past);
  }
  Directions directions;
  EProcess e_process;
  AgainstReference against;
  Past past;
};

// The NumPy reference: tests/golden/watch_reference.py.
TEST(e_process, are_what_the_reference_says) {
  const auto lines = golden_csv("watch.csv");
  std::size_t watches = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i][0] != "watch") continue;
    ++watches;
    const auto row = lines[i];
    const auto size = [&](std::size_t j) { return static_cast<std::size_t>(std::stoul(row[j])); };
    const std::size_t days = size(5), since = size(6), seed = size(7);
    const double bend = std::stod(row[8]), lift = std::stod(row[9]);
    Running running(period_of_rows(watch_rows(row[1], size(2), seed)));
    for (std::size_t day = 1; day <= days; ++day) {
      SCOPED_TRACE(row[1] + ", day " + std::to_string(day));
      const bool late = day >= since;
      running.day(period_of_rows(watch_rows(row[3], size(4), 1000 * seed + day, late ? bend : 0.0, late ? lift : 0.0)));
      const auto& want = lines.at(i + day);
      ASSERT_EQ(want[0], "day");
      const double e = std::stod(want[1]), detector = std::stod(want[2]), reference = std::stod(want[3]);
      EXPECT_NEAR(running.e_process.evidence() / e, 1, 1e-8);
      EXPECT_NEAR(running.e_process.detector() / detector, 1, 1e-8);
      EXPECT_NEAR(running.against.evidence(running.past) / reference, 1, 1e-6);
    }
  }
  EXPECT_EQ(watches, 4U);
}

// If the model is calibrated, evidence is 1 on average after any number of days, or less.
TEST(e_process, are_fair) {
  double sum = 0;
  constexpr int runs = 2000;
  const Period reference = period_of_rows(watch_rows("tied20", 1000, 1));
  for (int r = 0; r < runs; ++r) {
    Running running(reference);
    for (std::uint64_t day = 0; day < 3; ++day)
      running.day(
          period_of_rows(watch_rows(day == 1 ? "high" : "tied20", 30, 10 * static_cast<std::uint64_t>(r) + day)));
    sum += running.e_process.evidence();
  }
  EXPECT_LE(sum / runs, 1.05);
  EXPECT_GE(sum / runs, 0.8);
}

TEST(e_process, of_certain_scores_stay_finite) {
  const tare::detail::testing::Rows certain{{0, 1, 1, 0.5}, {1, 0, 0, 1}};
  Running running(period_of_rows(watch_rows("high", 1000, 3)));
  for (int day = 0; day < 50; ++day) {
    running.day(period_of_rows(certain));
    EXPECT_TRUE(std::isfinite(running.e_process.evidence()));
    EXPECT_TRUE(std::isfinite(running.against.evidence(running.past)));
  }
  EXPECT_GT(running.e_process.evidence(), 20);
}

}  // namespace
