#include "tare/numeric/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using namespace tare::detail::numeric;

int calls = 0;

bool after_three() { return ++calls > 3; }

// A watch that stops at the fourth question.
struct Thrice {
  Thrice() { calls = 0; }
  CancelScope watched{after_three};
};

TEST(parallel_for, threads_call_every_chunk_once) {
  for (const int threads : {0, 1, 3, 100}) {
    std::vector<std::atomic<int>> seen(37);
    parallel_for(seen.size(), threads, [&](std::size_t c) { ++seen[c]; });
    for (const auto& s : seen) EXPECT_EQ(s, 1);
  }
}

TEST(parallel_for, a_watch_that_says_stop_interrupts_all_threads) {
  for (const int threads : {1, 2, 5}) {
    const Thrice now;
    std::atomic<int> done = 0;
    EXPECT_THROW(parallel_for(1'000'000'000, threads, [&](std::size_t) { ++done; }), Interrupted);
    EXPECT_LT(done, 1'000'000'000);
  }
}

TEST(parallel_for, the_watch_of_the_caller_reaches_a_loop_inside_a_loop) {
  const Thrice now;
  EXPECT_THROW(parallel_for(1, 2, [](std::size_t) { parallel_for(1'000'000'000, 1, [](std::size_t) {}); }),
               Interrupted);
}

TEST(parallel_for, threads_in_a_long_chunk_hear_the_stop) {
  const Thrice now;
  std::atomic<int> started = 0;
  // chunk 0 or 1 is the caller's, whose watch says stop at its third question; the other never ends by itself
  EXPECT_THROW(parallel_for(2, 2,
                            [&](std::size_t) {
                              for (++started;; stop_if_asked())
                                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                            }),
               Interrupted);
  EXPECT_GE(started, 1);
}

TEST(parallel_for, threads_that_work_on_are_stopped_while_the_caller_waits) {
  const Thrice now;
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> helped = false;
  EXPECT_THROW(parallel_for(2, 2,
                            [&](std::size_t) {
                              if (std::this_thread::get_id() == caller) {
                                while (!helped) std::this_thread::yield();
                                return;
                              }
                              helped = true;
                              parallel_for(1'000'000'000, 2, [](std::size_t) {
                                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                              });
                            }),
               Interrupted);
}

TEST(parallel_for, threads_finish_their_work_under_a_watch_that_stays_silent) {
  const CancelScope now([] { return false; });
  for (const int threads : {1, 2, 5}) {
    std::atomic<int> done = 0;
    parallel_for(100, threads, [&](std::size_t) { parallel_for(10, 2, [&](std::size_t) { ++done; }); });
    EXPECT_EQ(done, 1000);
  }
}

TEST(parallel_for, a_watch_belongs_to_its_thread) {
  const Thrice now;
  std::jthread([] { parallel_for(100, 1, [](std::size_t) {}); }).join();
  EXPECT_EQ(calls, 0);
}

TEST(parallel_for, a_flag_stops_threads_once_it_is_set) {
  std::atomic<bool> cancel = false;
  const CancelScope now(&cancel);
  parallel_for(100, 2, [](std::size_t) {});
  EXPECT_THROW(parallel_for(1'000'000'000, 2,
                            [&](std::size_t c) {
                              if (c == 5) cancel = true;
                            }),
               Interrupted);
  EXPECT_THROW(stop_if_asked(), Interrupted);
  EXPECT_NO_THROW(std::jthread([] { stop_if_asked(); }).join());
}

TEST(parallel_for, threads_heed_an_outer_watch_under_an_inner_one) {
  std::atomic<bool> outer_flag = false, inner_flag = false;
  const CancelScope outer(&outer_flag);
  {
    const CancelScope inner(&inner_flag);
    const CancelScope nothing(static_cast<const std::atomic<bool>*>(nullptr));
    stop_if_asked();
    outer_flag = true;
    EXPECT_THROW(parallel_for(1'000'000'000, 2, [](std::size_t) {}), Interrupted);
    outer_flag = false;
    inner_flag = true;
    EXPECT_THROW(stop_if_asked(), Interrupted);
  }
  EXPECT_NO_THROW(stop_if_asked());  // the inner one is gone
}

// The chunk of the caller waits for a helper, so that it is a helper that throws.
template <class InHelper, class InCaller>
void with_a_helper(int threads, const InHelper& in_helper, const InCaller& in_caller) {
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> helped = false;
  parallel_for(static_cast<std::size_t>(threads), threads, [&](std::size_t) {
    if (std::this_thread::get_id() != caller) {
      helped = true;
      in_helper();
    } else {
      for (; !helped; stop_if_asked()) std::this_thread::yield();  // a stopped helper never comes
      in_caller();
    }
  });
}

TEST(parallel_for, what_threads_throw_is_thrown_by_the_caller) {
  for (const int threads : {2, 3, 7})
    for (const bool watched : {false, true}) {
      const CancelScope now(watched ? std::function<bool()>([] { return false; }) : nullptr);
      EXPECT_THROW(with_a_helper(
                       threads, [] { throw std::bad_alloc(); }, [] {}),
                   std::bad_alloc);
      EXPECT_THROW(parallel_for(9, threads, [](std::size_t) { throw std::length_error("too long"); }),
                   std::length_error);
      parallel_for(9, threads, [](std::size_t) {});  // the next loop is none the worse
    }
}

TEST(parallel_for, threads_stop_soon_after_one_threw) {
  for (const int threads : {1, 2, 5}) {
    std::atomic<int> done = 0;
    const auto body = [&](std::size_t c) { ++done, c == 3 ? throw std::bad_alloc() : void(); };
    EXPECT_THROW(parallel_for(1'000'000'000, threads, body), std::bad_alloc);
    EXPECT_LT(done, 1'000'000'000);
  }
}

TEST(parallel_for, a_long_chunk_hears_that_threads_threw) {
  const auto for_ever = [] {
    for (;; stop_if_asked()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  EXPECT_THROW(with_a_helper(
                   2, [] { throw std::bad_alloc(); }, for_ever),
               std::bad_alloc);
  // also from inside its own loops
  const auto nested = [&] { parallel_for(2, 2, [&](std::size_t) { for_ever(); }); };
  EXPECT_THROW(with_a_helper(
                   2, [] { throw std::bad_alloc(); }, nested),
               std::bad_alloc);
  EXPECT_THROW(with_a_helper(2, nested, [] { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(parallel_for, threads_of_a_loop_inside_a_loop_throw_through_both) {
  EXPECT_THROW(parallel_for(2, 2,
                            [](std::size_t) {
                              with_a_helper(
                                  2, [] { throw std::bad_alloc(); }, [] {});
                            }),
               std::bad_alloc);
}

}  // namespace
