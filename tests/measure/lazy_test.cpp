#include "tare/measure/sample.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using tare::detail::measure::Lazy;

TEST(lazy, makes_its_value_when_first_asked) {
  const Lazy<int> value;
  int calls = 0;
  EXPECT_FALSE(value.made());
  EXPECT_EQ(value.get([&] { return ++calls, 7; }), 7);
  EXPECT_TRUE(value.made());
  EXPECT_EQ(value.get([&] { return ++calls, 8; }), 7);
  EXPECT_EQ(calls, 1);
}

TEST(lazy, may_be_given_its_value) {
  const Lazy<int> value(7);
  EXPECT_TRUE(value.made());
  EXPECT_EQ(value.get([] { return 8; }), 7);
}

TEST(lazy, the_next_caller_makes_what_one_failed_to) {
  const Lazy<int> value;
  EXPECT_THROW((void)value.get([]() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_FALSE(value.made());
  EXPECT_EQ(value.get([] { return 7; }), 7);
}

// The first calls fail, whichever threads they come from; of the rest, one makes the value and all see it.
TEST(lazy, threads_share_one_value_after_failures) {
  const Lazy<std::vector<int>> value;
  std::atomic<int> calls = 0, failed = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t)
    callers.emplace_back([&] {
      try {
        const auto& v = value.get([&] {
          if (++calls <= 3) throw std::runtime_error("no");
          return std::vector<int>(1000, 7);
        });
        EXPECT_EQ(v.size(), 1000U);
        EXPECT_EQ(v.back(), 7);
      } catch (const std::runtime_error&) {
        ++failed;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(failed, 3);
}

}  // namespace
