// Running totals through the public interface: the numbers of the rows, however they come.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <tare/tare.hpp>
#include <thread>
#include <vector>

#include "api/three_classes.hpp"

namespace {

using tare::detail::testing::Data;
using tare::detail::testing::three_classes;

void expect_same_numbers(const tare::Measurement& a, const tare::Measurement& b) {
  ASSERT_EQ(a.estimates.size(), b.estimates.size());
  for (std::size_t i = 0; i < a.estimates.size(); ++i) {
    SCOPED_TRACE(a.estimates[i].estimator);
    EXPECT_EQ(a.estimates[i].value, b.estimates[i].value);
    EXPECT_EQ(a.estimates[i].low, b.estimates[i].low);
    EXPECT_EQ(a.estimates[i].high, b.estimates[i].high);
    EXPECT_EQ(a.estimates[i].noise, b.estimates[i].noise);
    EXPECT_EQ(a.estimates[i].reason, b.estimates[i].reason);
  }
  EXPECT_EQ(a.verdict.sentence, b.verdict.sentence);
}

TEST(state, any_split_and_any_order_of_merging_gives_the_same_bytes_and_bits) {
  const Data data = three_classes(600);
  const auto whole = tare::from_logits(data.logits, 3, data.labels).value();
  auto once = tare::State::make({.classes = 3}).value();
  ASSERT_TRUE(once.add(whole));
  auto a = tare::State::make({.classes = 3}).value(), b = tare::State::make().value();
  for (std::size_t first = 0; first < 600; first += 100) {
    const std::span<const float> rows(data.logits.data() + 3 * first, 300);
    const std::span<const std::int64_t> labels(data.labels.data() + first, 100);
    ASSERT_TRUE((first % 200 == 0 ? a : b).add(tare::from_logits(rows, 3, labels).value()));
  }
  auto loaded = tare::State::load(b.save().value()).value();
  ASSERT_TRUE(loaded.merge(a));
  EXPECT_EQ(loaded.rows(), 600U);
  EXPECT_EQ(loaded.save().value(), once.save().value());
  EXPECT_TRUE(loaded == once);
  EXPECT_FALSE(a == once);
  // 600 scores fit into the cells: every number is that of the rows, for any number of threads
  expect_same_numbers(loaded.measure({}, {.threads = 2}).value(), tare::measure(whole).value());
  EXPECT_EQ(loaded.test().value().lines.front().p_value, tare::test(whole).value().lines.front().p_value);
  EXPECT_FALSE(loaded.measure({.reduction = tare::Reduction::classwise}));
}

TEST(state, of_two_classes_and_of_every_class_has_the_numbers_of_the_rows) {
  const Data data = three_classes(600);
  const auto three = tare::from_logits(data.logits, 3, data.labels).value();
  auto classes = tare::State::make({.reduction = tare::Reduction::classwise}).value();
  ASSERT_TRUE(classes.add(three));
  ASSERT_TRUE(classes.merge(tare::State::make({.reduction = tare::Reduction::classwise}).value()));
  classes = tare::State::load(classes.save().value()).value();
  const tare::MeasureOptions values{.reduction = tare::Reduction::classwise, .resample = false};
  expect_same_numbers(classes.measure(values).value(), tare::measure(three, values).value());

  std::vector<double> p;
  std::vector<int> y;
  for (int i = 0; i < 500; ++i) {
    p.push_back((1 + i * 37 % 499) / 500.0);
    y.push_back(i * 61 % 100 < 100 * p.back());
  }
  const auto two = tare::from_probs(p, 1, y).value();
  auto state = tare::State::make().value();
  ASSERT_TRUE(state.add(two));
  expect_same_numbers(state.measure().value(), tare::measure(two).value());
  // and a calibrator fitted to its cells is that of the rows, but for the order of sums
  const auto cells = state.predictions().value();
  for (const char* method : {"platt", "beta", "isotonic", "histogram"}) {
    std::vector<double> a(p.size()), b(p.size());
    ASSERT_TRUE(tare::fit(method, cells).value().apply_rows(p, a)) << method;
    ASSERT_TRUE(tare::fit(method, two).value().apply_rows(p, b)) << method;
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-9) << method;
  }
}

TEST(state, refuses_other_rows_and_damaged_bytes_and_stays_as_it_was) {
  const Data data = three_classes(100);
  auto total = tare::State::make({.classes = 3}).value();
  ASSERT_TRUE(total.add(tare::from_logits(data.logits, 3, data.labels).value()));
  const std::string before = total.save().value();
  const std::vector<double> p{0.5};
  EXPECT_FALSE(total.add(tare::from_probs(p, 1, std::vector<int>{1}).value()));
  EXPECT_FALSE(total.add(tare::from_logits(data.logits, 3).value()));
  auto ten = tare::State::make({.classes = 3, .bins = 10}).value();
  ASSERT_TRUE(ten.add(tare::from_logits(data.logits, 3, data.labels).value()));
  EXPECT_FALSE(total.merge(ten));
  EXPECT_EQ(total.save().value(), before);
  for (std::size_t at = 0; at < before.size(); ++at) {
    std::string damaged = before;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(tare::State::load(damaged)) << at;
  }
  EXPECT_FALSE(tare::State::load(before.substr(0, before.size() - 1)));
  EXPECT_FALSE(tare::State::load(""));
  EXPECT_FALSE(tare::State::make().value().measure());
}

// Two rows of weight 2^38 each, with gaps of 1/4 and 1/2.
TEST(state, ends_where_its_sums_would_overflow) {
  const std::vector<double> confidence{0.75, 0.5}, weight(2, 0x1p38);
  const auto rows = tare::from_confidences(confidence, std::vector<int>{1, 1}, weight).value();
  auto total = tare::State::make().value();
  ASSERT_TRUE(total.add(rows));
  ASSERT_TRUE(total.merge(total));
  const std::string before = total.save().value();
  for (const auto& done : {total.add(rows), total.merge(total)}) {
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().place.array, "weights");
  }
  EXPECT_EQ(total.save().value(), before);
  EXPECT_TRUE(tare::State::load(before));
  const auto m = total.measure({.norms = {1}, .estimators = {"ece_ew"}}).value();
  EXPECT_EQ(m.estimates.front().value, 0.375);
}

// Whenever the flag is set: a cancelled add has counted nothing, one that came through has counted once.
TEST(state, threads_cancel_an_add_at_any_moment) {
  const Data data = three_classes(20'000);
  const auto batch = tare::from_logits(data.logits, 3, data.labels).value();
  std::mt19937 rng(1);
  for (const auto reduction : {tare::Reduction::top_label, tare::Reduction::classwise}) {
    auto state = tare::State::make({.reduction = reduction}).value();
    std::size_t added = 0, cancelled = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const std::string before = state.save().value();
      std::atomic<bool> stop{false};
      std::atomic<int> spins{static_cast<int>(rng() % 40'000)};
      std::thread setter([&] {
        while (spins.fetch_sub(1) > 0) {
        }
        stop = true;
      });
      const auto done = state.add(batch, {.threads = 1 + trial % 2, .cancel = &stop});
      setter.join();
      ++(done ? added : cancelled);
      if (done) continue;
      ASSERT_EQ(done.error().code, tare::Errc::cancelled);
      ASSERT_EQ(state.save().value(), before);
    }
    EXPECT_EQ(state.rows(), 20'000 * added);
    std::atomic<bool> stop{true};
    EXPECT_FALSE(state.add(batch, {.cancel = &stop}));
    EXPECT_EQ(state.rows(), 20'000 * added);
    EXPECT_EQ(added + cancelled, 60U);
  }
}

}  // namespace
