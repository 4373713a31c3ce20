// Parallel loops: threads over chunks fixed by n, so that the number of threads decides who works, never what is
// computed. They live within one loop, and what stops the loop (a caller's wish, an exception) stops all of them.
// By hand: the threads of OpenMP and TBB outlive a loop, and a caller (Python) that forks then would wait for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "tare/core/workers.hpp"

namespace tare::detail::numeric {

// While it lives, long work of this thread stops once the answer is true: Interrupted is thrown there. The thread that
// made it is the one that asks, between chunks. An outer one stays in force under an inner one.
class CancelScope {
 public:
  explicit CancelScope(std::function<bool()> ask);        // empty: nothing is asked
  explicit CancelScope(const std::atomic<bool>* cancel);  // null: nothing is asked
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  [[nodiscard]] bool says_stop() const;

 private:
  std::function<bool()> ask_;
  const CancelScope* outer_;
};
struct Interrupted {};

// Throws Interrupted where the work of this thread is to stop. Asked between chunks, and in serial loops that may take
// longer than a moment.
void stop_if_asked();
inline void stop_if_asked_at(std::size_t row) {
  if (row % 65536 == 0) stop_if_asked();
}

// Runs work() in the caller and in `helpers` threads, which have the default floating-point environment. An exception
// of any of them (out of memory, above all) is the caller's: the first, once all have ended. The caller's watch is
// asked while it waits, too: its last chunk may be short.
void run_thread_group(std::size_t helpers, const std::function<void()>& work);

// Calls body(chunk) for chunk = 0 .. chunks-1, each exactly once.
template <class Body>
void parallel_for(std::size_t chunks, int threads, const Body& body) {
  const std::size_t asked = threads > 1 ? static_cast<std::size_t>(threads) : 1;
  const std::size_t workers = chunks < asked ? chunks : asked;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t c = next.fetch_add(1); c < chunks; c = next.fetch_add(1)) {
      stop_if_asked();
      body(c);
    }
  };
  if (workers <= 1)
    work();
  else
    run_thread_group(workers - 1, std::cref(work));
}

int hardware_threads();

// Threads that check rows (core/workers.hpp).

inline Workers workers(int threads) {
  return [threads](std::size_t parts, const std::function<void(std::size_t)>& part) {
    parallel_for(parts, threads, part);
  };
}

}  // namespace tare::detail::numeric
