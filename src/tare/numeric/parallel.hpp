// Parallel loops: std::jthread over chunks fixed by n, so that the number of threads
// decides who works, never what is computed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tare::numeric {

// Calls body(chunk) for chunk = 0 .. chunks-1, each exactly once.
template <class Body>
void parallel_for(std::size_t chunks, int threads, const Body& body) {
  const auto workers = std::min<std::size_t>(chunks, static_cast<std::size_t>(std::max(threads, 1)));
  if (workers <= 1) {
    for (std::size_t c = 0; c < chunks; ++c) body(c);
    return;
  }
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t c = next.fetch_add(1); c < chunks; c = next.fetch_add(1)) body(c);
  };
  std::vector<std::jthread> team;
  team.reserve(workers - 1);
  for (std::size_t w = 1; w < workers; ++w) team.emplace_back(work);
  work();
}

inline int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace tare::numeric
