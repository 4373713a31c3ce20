// Work that is stopped, watched, or asked for by several threads at once.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <tare/tare.hpp>
#include <thread>
#include <vector>

#include "api/three_classes.hpp"

namespace {

using tare::detail::testing::Data;
using tare::detail::testing::network;
using tare::detail::testing::three_classes;

TEST(api, stops_when_asked) {
  const auto p = tare::read(network, "test").value();
  std::atomic<bool> stop{true};
  const tare::Run run{.threads = 2, .cancel = &stop};
  EXPECT_EQ(tare::measure(p, {}, run).error().code, tare::Errc::cancelled);
  EXPECT_EQ(tare::compare(p, {}, run).error().code, tare::Errc::cancelled);
  EXPECT_EQ(tare::test(p, {}, run).error().code, tare::Errc::cancelled);
  EXPECT_EQ(tare::bias(p, {}, run).error().code, tare::Errc::cancelled);
  EXPECT_EQ(tare::fit("vector", p, {}, run).error().code, tare::Errc::cancelled);
  const tare::Run throwing{.progress = [](std::string_view, std::size_t, std::size_t) { throw 7; }};
  EXPECT_EQ(tare::measure(p, {}, throwing).error().code, tare::Errc::cancelled);
}

std::size_t listed_threads() {
  const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

// Once that has not changed for a tenth of a second: a thread that was joined may be listed a moment longer.
std::size_t threads_of_this_process() {
  std::size_t seen = listed_threads();
  for (int same = 0; same < 10; ++same) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (const std::size_t now = listed_threads(); now != seen) {
      seen = now;
      same = -1;
    }
  }
  return seen;
}

// Whenever the flag is set, what comes back is the answer or `cancelled`, and no thread stays.
TEST(api, threads_stop_at_any_moment) {
  const Data data = three_classes(2000);
  const auto p = tare::from_logits(data.logits, 3, data.labels).value();
  const auto whole = tare::measure(p).value();
  std::thread([] {}).join();  // from the first thread on, ThreadSanitizer has one of its own
  const std::size_t before = threads_of_this_process();
  int stopped = 0;
  for (int delay = 0; delay < 40; ++delay) {
    std::atomic<bool> stop{false};
    std::thread setter([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(delay * delay * 20));
      stop = true;
    });
    const auto m = tare::measure(p, {}, {.threads = 3, .cancel = &stop});
    setter.join();
    if (m)
      EXPECT_EQ(m->headline().value, whole.headline().value);
    else
      EXPECT_EQ(m.error().code, tare::Errc::cancelled) << tare::message(m.error());
    stopped += m ? 0 : 1;
  }
  EXPECT_GT(stopped, 0);
  EXPECT_EQ(threads_of_this_process(), before);
}

// Everything const may be called from several threads at once.
TEST(api, threads_may_share_handles) {
  const Data data = three_classes(500);
  const auto p = tare::from_logits(data.logits, 3, data.labels).value();
  const auto model = tare::fit("temperature", p).value();
  const double expected = tare::estimate(model.apply(p).value(), {.estimator = "ece_em"}).value().value;
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([=] {
      for (int i = 0; i < 5; ++i) {
        const tare::Calibrator own = model;
        EXPECT_EQ(tare::estimate(own.apply(p).value(), {.estimator = "ece_em"}).value().value, expected);
      }
    });
  for (std::thread& caller : callers) caller.join();
}

TEST(api, progress_is_called_on_the_calling_thread) {
  const Data data = three_classes(500);
  const auto p = tare::from_logits(data.logits, 3, data.labels).value();
  const auto caller = std::this_thread::get_id();
  std::size_t calls = 0;
  const tare::Run run{.threads = 2, .progress = [&](std::string_view stage, std::size_t done, std::size_t total) {
                        EXPECT_EQ(std::this_thread::get_id(), caller);
                        EXPECT_FALSE(stage.empty());
                        EXPECT_LE(done, total);
                        ++calls;
                      }};
  ASSERT_TRUE(tare::measure(p, {}, run));
  EXPECT_GT(calls, 0U);
}

}  // namespace
