// Parallel loops: std::jthread over chunks fixed by n, so that the number of threads
// decides who works, never what is computed.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tare::inner::numeric {

// A program that hosts the library (Python) may want its user's Ctrl-C to reach into long work: the calling thread asks
// its watch. Nothing is watched by default.
using Watch = bool (*)();
inline thread_local Watch watch = nullptr;
struct Interrupted {};

// The threads of one loop. What one of them throws stops the others: those of the loop and of all loops inside it.
struct Team {
  const Team* outer = nullptr;
  std::atomic<bool> stop = false;
  std::exception_ptr why = {};  // of the first to throw; read when all have come home

  [[nodiscard]] bool stopped() const {
    for (const Team* t = this; t; t = t->outer)
      if (t->stop.load(std::memory_order_relaxed)) return true;
    return false;
  }
  void fail() {
    if (!stop.exchange(true)) why = std::current_exception();
  }
};
inline thread_local const Team* my_team = nullptr;

// Between chunks, and in serial loops that may take longer than a moment.
inline void heed_watch() {
  if ((watch && watch()) || (my_team && my_team->stopped())) throw Interrupted{};
}
inline void heed_watch_at(std::size_t row) {
  if (row % 65536 == 0) heed_watch();
}

// Runs work() in the caller and in `helpers` threads. An exception of any of them (out of memory, above all) is the
// caller's: the first, once all have ended. A watch is asked while the caller waits, too: its last chunk may be short.
template <class Work>
void run_team(std::size_t helpers, const Work& work) {
  Team team{.outer = my_team};
  std::mutex mutex;
  std::condition_variable finished;
  std::size_t busy = 0;
  const auto guarded = [&team](const auto& part) {
    try {
      part();
    } catch (...) {
      team.fail();
    }
  };
  const auto help = [&] {
    my_team = &team;
    guarded(work);
    const std::scoped_lock lock(mutex);
    --busy;
    finished.notify_one();
  };
  std::vector<std::jthread> threads;
  threads.reserve(helpers);
  try {
    for (std::size_t w = 0; w < helpers; ++w) {
      {
        const std::scoped_lock lock(mutex);
        ++busy;
      }
      threads.emplace_back(help);
    }
  } catch (const std::exception&) {  // no more threads to be had: fewer hands do the same work
    const std::scoped_lock lock(mutex);
    --busy;
  }
  my_team = &team;
  guarded(work);
  guarded([&] {
    std::unique_lock lock(mutex);
    while (watch && !finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return busy == 0; })) {
      lock.unlock();  // a watch may wait for a lock of its own
      heed_watch();
      lock.lock();
    }
  });
  my_team = team.outer;
  threads.clear();  // joins
  if (team.why) std::rethrow_exception(team.why);
}

// Calls body(chunk) for chunk = 0 .. chunks-1, each exactly once.
template <class Body>
void parallel_for(std::size_t chunks, int threads, const Body& body) {
  const auto workers = std::min<std::size_t>(chunks, static_cast<std::size_t>(std::max(threads, 1)));
  if (workers <= 1) {
    for (std::size_t c = 0; c < chunks; ++c) {
      heed_watch();
      body(c);
    }
    return;
  }
  std::atomic<std::size_t> next{0};
  run_team(workers - 1, [&] {
    for (std::size_t c = next.fetch_add(1); c < chunks; c = next.fetch_add(1)) {
      heed_watch();
      body(c);
    }
  });
}

inline int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace tare::inner::numeric
