#include "tare/numeric/parallel.hpp"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tare::detail::numeric {
namespace {

// The threads of one loop. What one of them throws stops the others: those of the loop and of all loops inside it.
struct ThreadGroup {
  const ThreadGroup* outer = nullptr;
  std::atomic<bool> stop = false;
  std::exception_ptr why = {};  // of the first to throw; read when all have come home

  [[nodiscard]] bool stopped() const {
    for (const ThreadGroup* t = this; t; t = t->outer)
      if (t->stop.load(std::memory_order_relaxed)) return true;
    return false;
  }
  void run(const std::function<void()>& part) {
    try {
      part();
    } catch (...) {
      if (!stop.exchange(true)) why = std::current_exception();
    }
  }
};

// Of this thread. Here and not in the header: a program and a shared library would each have their own.
thread_local const CancelScope* my_scope = nullptr;
thread_local const ThreadGroup* my_group = nullptr;

// How many helpers of a loop still work.
class Latch {
 public:
  void one_more() {
    const std::scoped_lock lock(mutex_);
    ++count_;
  }
  void one_less() {
    const std::scoped_lock lock(mutex_);
    --count_;
    changed_.notify_one();
  }
  bool none_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_ = 0;
};

}  // namespace

CancelScope::CancelScope(std::function<bool()> ask) : ask_(std::move(ask)), outer_(my_scope) {
  if (ask_) my_scope = this;
}

CancelScope::CancelScope(const std::atomic<bool>* cancel)
    : CancelScope(cancel ? std::function<bool()>([cancel] { return cancel->load(std::memory_order_relaxed); })
                         : std::function<bool()>()) {}

CancelScope::~CancelScope() { my_scope = outer_; }

bool CancelScope::says_stop() const { return ask_() || (outer_ && outer_->says_stop()); }

void stop_if_asked() {
  if ((my_scope && my_scope->says_stop()) || (my_group && my_group->stopped())) throw Interrupted{};
}

void run_thread_group(std::size_t helpers, const std::function<void()>& work) {
  ThreadGroup group{.outer = my_group};
  Latch latch;
  const auto help = [&] {
    std::fesetenv(FE_DFL_ENV);
    my_group = &group;
    group.run(work);
    latch.one_less();
  };
  std::vector<std::jthread> threads;
  threads.reserve(helpers);
  for (std::size_t w = 0; w < helpers; ++w) {
    latch.one_more();
    try {
      threads.emplace_back(help);
    } catch (const std::exception&) {  // no more threads to be had: fewer hands do the same work
      latch.one_less();
      break;
    }
  }
  my_group = &group;
  group.run(work);
  group.run([&] {
    while (my_scope && !latch.none_within(std::chrono::milliseconds(50))) stop_if_asked();
  });
  my_group = group.outer;
  threads.clear();  // joins
  if (group.why) std::rethrow_exception(group.why);
}

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace tare::detail::numeric
