#include "tare/watch/watch.hpp"

#include <gtest/gtest.h>
#include <bit>
#include <random>

#include "tare/render/json/json.hpp"
#include "tare/state/file.hpp"
#include "tare/watch/directions.hpp"
#include "watch/watch_rows.hpp"

namespace {

using tare::Errc;
using tare::Reduction;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::state_bytes;
using tare::detail::testing::watch_rows;
using tare::detail::watch::from_bytes;
using tare::detail::watch::to_bytes;
using tare::detail::watch::Watch;

Watch new_watch() { return must(Watch::make(state_bytes(watch_rows("uniform", 3000, 1)), "reference")); }

std::string day(std::uint64_t d) {
  return state_bytes(watch_rows(d % 2 ? "uniform" : "low", 300, 100 + d, 0, d > 5 ? 0.1 : 0));
}

TEST(watch, goes_on_from_a_file_as_if_it_had_never_stopped) {
  Watch whole = new_watch(), stopped = new_watch();
  for (std::uint64_t d = 1; d <= 12; ++d) {
    ASSERT_TRUE(whole.add(day(d), std::to_string(d)));
    ASSERT_TRUE(stopped.add(day(d), std::to_string(d)));
    stopped = must(from_bytes(to_bytes(stopped), "saved"));
    EXPECT_EQ(to_bytes(stopped), to_bytes(whole));
    EXPECT_EQ(tare::detail::render::json(stopped.report()), tare::detail::render::json(whole.report()));
  }
  EXPECT_GE(whole.report().days.back().evidence, 20);
  EXPECT_LT(whole.report().days[4].evidence, 20);
  EXPECT_TRUE(whole.report().is(tare::detail::Alert::lost, whole.report().days.back()));
}

TEST(watch, says_what_is_wrong_with_a_day_and_stays_as_it_was) {
  Watch watch = new_watch();
  ASSERT_TRUE(watch.add(day(1), "monday"));
  const std::string before = to_bytes(watch);
  Rows weighted = watch_rows("uniform", 5, 1);
  weighted.weight = {0.5, 1, 1, 1, 1};
  const auto fails = [&](const std::string& bytes, const std::string& name, const std::string& words) {
    const auto done = watch.add(bytes, name);
    ASSERT_FALSE(done) << words;
    EXPECT_NE(done.error().what.find(words), std::string::npos) << done.error().what;
    EXPECT_FALSE(done.error().remedy.empty());
    EXPECT_EQ(to_bytes(watch), before);
  };
  fails(day(2), "monday", "already");
  fails(state_bytes(weighted), "tuesday", "not whole");
  fails(state_bytes(Rows{}), "tuesday", "no rows");
  fails(state_bytes(watch_rows("uniform", 5, 1), Reduction::positive), "tuesday", "reduction positive");
  fails("TARESTAT", "tuesday", "no state");
  fails(day(2), std::string(5000, 'x'), "too long");
  EXPECT_TRUE(watch.add(day(2), "tuesday"));
}

TEST(watch, needs_a_reference_with_probabilities) {
  const auto certain = Watch::make(state_bytes({{0, 1, 1}, {0, 1, 0}}), "reference");
  ASSERT_FALSE(certain);
  EXPECT_EQ(certain.error().code, Errc::undefined);
  for (const tare::detail::WatchOptions options :
       {tare::detail::WatchOptions{.alpha = 0}, {.alpha = 1}, {.run_length = 1}, {.resamples = 0}}) {
    const auto bad = Watch::make(state_bytes(watch_rows("uniform", 100, 1)), "reference", options);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, Errc::bad_option);
  }
}

// One score, one row, two rows: small, but not wrong.
TEST(watch, works_with_next_to_nothing) {
  for (const Rows& reference : {Rows{{0.5}, {1}}, Rows{{0.5, 0.5}, {0, 1}}, Rows{{0, 0.25, 1}, {0, 1, 1}}}) {
    Watch watch = must(Watch::make(state_bytes(reference), "reference"));
    for (const Rows& rows : {Rows{{0.5}, {0}}, Rows{{1e-300, 1}, {0, 1}}, Rows{{0.25, 0.75}, {1, 1}}}) {
      ASSERT_TRUE(watch.add(state_bytes(rows), std::to_string(watch.report().days.size())));
      const auto& last = watch.report().days.back();
      for (const double x : {last.evidence, last.detector, last.reference_evidence, last.score_drift.p_value})
        EXPECT_TRUE(std::isfinite(x)) << x;
    }
    EXPECT_EQ(to_bytes(must(from_bytes(to_bytes(watch), "saved"))), to_bytes(watch));
  }
}

void mend(std::string& bytes) {
  bytes.resize(bytes.size() - 4);
  tare::detail::state::seal(bytes);
}

TEST(watch_file, refuses_what_it_did_not_write) {
  Watch watch = must(Watch::make(state_bytes(watch_rows("tied4", 40, 1)), "reference"));
  for (std::uint64_t d = 1; d <= 3; ++d)
    ASSERT_TRUE(watch.add(state_bytes(watch_rows("tied4", 20, d)), std::to_string(d)));
  const std::string good = to_bytes(watch);
  ASSERT_TRUE(from_bytes(good, "saved"));
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(from_bytes(good.substr(0, size), "saved"));
  std::string longer = good + "x";
  EXPECT_FALSE(from_bytes(longer, "saved"));
  mend(longer);
  EXPECT_FALSE(from_bytes(longer, "saved"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x20);
    const auto read = from_bytes(bad, "saved");
    ASSERT_FALSE(read) << i;
    EXPECT_NE(read.error().what.find("no running watch"), std::string::npos);
  }
}

std::string bytes_of(std::uint64_t x) {
  std::string out;
  tare::detail::state::put(x, out);
  return out;
}
std::string bytes_of(double x) { return bytes_of(std::bit_cast<std::uint64_t>(x)); }

// One number of a day, or its name, replaced by one that cannot be; the CRC is right.
TEST(watch_file, checks_every_number_of_a_day) {
  Watch watch = must(Watch::make(state_bytes(watch_rows("tied4", 40, 1)), "reference"));
  for (std::uint64_t d = 1; d <= 2; ++d)
    ASSERT_TRUE(watch.add(state_bytes(watch_rows("tied4", 20, d)), std::to_string(d)));
  const std::string good = to_bytes(watch);
  const auto& cells = watch.gathered().front();
  Eigen::Index c = 0;
  while (!(cells.rows[c] > 0 && cells.score[c] > 0)) ++c;
  const double rows = cells.rows[c], hits = cells.hits[c], score = cells.score[c];
  const std::string cell = bytes_of(rows) + bytes_of(hits) + bytes_of(score);
  const auto refuses = [&](const std::string& part, const std::string& other) {
    ASSERT_EQ(part.size(), other.size());
    std::string bad = good;
    const auto at = bad.rfind(part);
    ASSERT_NE(at, std::string::npos);
    bad.replace(at, part.size(), other);
    mend(bad);
    const auto read = from_bytes(bad, "saved");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().what.find("is not as a watch writes it"), std::string::npos) << read.error().what;
  };
  refuses(cell, bytes_of(rows) + bytes_of(rows + 1) + bytes_of(score));         // more hits than rows
  refuses(cell, bytes_of(rows) + bytes_of(-1.0) + bytes_of(score));             // or fewer than none
  refuses(cell, bytes_of(rows + 0.5) + bytes_of(hits) + bytes_of(score));       // not whole
  refuses(cell, bytes_of(rows) + bytes_of(hits) + bytes_of(score + rows));      // a score beyond its cell
  refuses(cell, bytes_of(std::nan("")) + bytes_of(hits) + bytes_of(score));     // no number
  refuses(bytes_of(std::uint64_t{1}) + "2", bytes_of(std::uint64_t{1}) + "1");  // the same day twice
  const auto& first = watch.report().days.front();
  refuses(bytes_of(first.score_drift.p_value), bytes_of(1.5));
  refuses(bytes_of(first.calibration_shift.se), bytes_of(-1.0));
  refuses(bytes_of(first.reference_evidence), bytes_of(HUGE_VAL));
}

// With a CRC that is right: whatever is accepted is a watch that works.
TEST(watch_file, believes_nothing) {
  Watch watch = must(Watch::make(state_bytes(watch_rows("tied4", 40, 1)), "reference"));
  for (std::uint64_t d = 1; d <= 2; ++d)
    ASSERT_TRUE(watch.add(state_bytes(watch_rows("tied4", 20, d)), std::to_string(d)));
  const std::string good = to_bytes(watch);
  std::mt19937_64 rng(1);
  int accepted = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    std::string bad = good;
    for (std::uint64_t k = rng() % 3 + 1; k > 0; --k) bad[8 + rng() % (bad.size() - 8)] = static_cast<char>(rng());
    if (trial % 10 == 0) bad.resize(12 + rng() % bad.size());
    mend(bad);
    auto read = from_bytes(bad, "saved");
    if (!read) continue;
    ++accepted;
    if (!read->add(state_bytes(watch_rows("tied4", 20, 9)), "one more day")) continue;
    for (const auto& day_of : read->report().days)
      for (const double x : {day_of.evidence, day_of.detector, day_of.reference_evidence})
        EXPECT_TRUE(std::isfinite(x));
    const auto again = from_bytes(to_bytes(*read), "again");
    EXPECT_TRUE(again) << again.error().what;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 4000);
}

}  // namespace
