// Parallel loops: std::jthread over chunks fixed by n, so that the number of threads
// decides who works, never what is computed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tare::numeric {

// A program that hosts the library (Python) may want its user's Ctrl-C to reach into long work: the calling thread asks
// its watch between chunks, and once the watch says stop, the loop throws Interrupted. Nothing is watched by default.
using Watch = bool (*)();
inline thread_local Watch watch = nullptr;
struct Interrupted {};

// Calls body(chunk) for chunk = 0 .. chunks-1, each exactly once.
template <class Body>
void parallel_for(std::size_t chunks, int threads, const Body& body) {
  const Watch asked = watch;
  const auto workers = std::min<std::size_t>(chunks, static_cast<std::size_t>(std::max(threads, 1)));
  if (workers <= 1) {
    for (std::size_t c = 0; c < chunks; ++c) {
      if (asked && asked()) throw Interrupted{};
      body(c);
    }
    return;
  }
  std::atomic<std::size_t> next{0};
  const auto work = [&](Watch mine) {
    for (std::size_t c = next.fetch_add(1); c < chunks; c = next.fetch_add(1)) {
      if (mine && mine()) throw Interrupted{};
      body(c);
    }
  };
  std::vector<std::jthread> team;
  team.reserve(workers - 1);
  for (std::size_t w = 1; w < workers; ++w) team.emplace_back(work, nullptr);
  if (!asked) return work(nullptr);
  try {
    work(asked);
  } catch (...) {
    next = chunks;  // the others finish the chunk they are at
    throw;
  }
}

inline int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace tare::numeric
