// Parallel loops: std::jthread over chunks fixed by n, so that the number of threads
// decides who works, never what is computed.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace tare::numeric {

// A program that hosts the library (Python) may want its user's Ctrl-C to reach into long work: the calling thread asks
// its watch, the threads that it started ask whether it has said stop, and the loop throws Interrupted. Nothing is
// watched by default.
using Watch = bool (*)();
inline thread_local Watch watch = nullptr;
inline thread_local const std::atomic<bool>* stop_of_team = nullptr;
struct Interrupted {};

// Between chunks, and in serial loops that may take longer than a moment.
inline void heed_watch() {
  if ((watch && watch()) || (stop_of_team && *stop_of_team)) throw Interrupted{};
}
inline void heed_watch_at(std::size_t row) {
  if (row % 65536 == 0) heed_watch();
}

// A parallel_for whose threads can be stopped. The caller waits awake: its last chunk may be a short one.
template <class Work>
void watched_team(std::size_t helpers, std::atomic<bool>& stop, const Work& work) {
  std::mutex mutex;
  std::condition_variable finished;
  std::size_t busy = helpers;
  const auto help = [&] {
    stop_of_team = &stop;
    try {
      work();
    } catch (const Interrupted&) {  // the caller throws it
    }
    const std::scoped_lock lock(mutex);
    --busy;
    finished.notify_one();
  };
  std::vector<std::jthread> team;
  team.reserve(helpers);
  for (std::size_t w = 0; w < helpers; ++w) team.emplace_back(help);
  try {
    work();
    std::unique_lock lock(mutex);
    while (!finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return busy == 0; })) {
      lock.unlock();  // a watch may wait for a lock of its own
      heed_watch();
      lock.lock();
    }
  } catch (...) {
    stop = true;
    throw;
  }
}

// Calls body(chunk) for chunk = 0 .. chunks-1, each exactly once.
template <class Body>
void parallel_for(std::size_t chunks, int threads, const Body& body) {
  const bool watched = watch || stop_of_team;
  const auto workers = std::min<std::size_t>(chunks, static_cast<std::size_t>(std::max(threads, 1)));
  if (workers <= 1) {
    for (std::size_t c = 0; c < chunks; ++c) {
      if (watched) heed_watch();
      body(c);
    }
    return;
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  const auto work = [&] {
    for (std::size_t c = next.fetch_add(1); c < chunks; c = next.fetch_add(1)) {
      if (watched) heed_watch();
      body(c);
    }
  };
  if (watched) return watched_team(workers - 1, stop, work);
  std::vector<std::jthread> team;
  team.reserve(workers - 1);
  for (std::size_t w = 1; w < workers; ++w) team.emplace_back(work);
  work();
}

inline int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace tare::numeric
