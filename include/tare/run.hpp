// How a call that works long goes about it. The last argument of each of them, with a default for everything.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include <tare/version.hpp>

namespace tare {
inline namespace v0_2 {

// Where long work is: called now and then on the calling thread. If it throws, the work stops with Errc::cancelled.
using Progress = std::function<void(std::string_view stage, std::size_t done, std::size_t total)>;

struct Run {
  int threads = 1;         // 0: all cores. What comes out never depends on it. Threads live within the call; none stays
  std::uint64_t seed = 1;  // of everything that is drawn: the same seed gives the same bits
  Progress progress = {};
  const std::atomic<bool>* cancel = nullptr;  // set it to true, from a signal handler too: Errc::cancelled
};

}  // namespace v0_2
}  // namespace tare
