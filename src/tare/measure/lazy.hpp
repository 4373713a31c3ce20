// A value made when first asked for, by one thread; the others wait for it.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

namespace tare::detail::measure {

// If making it throws, the next caller makes it. A mutex instead of std::call_once, which ThreadSanitizer does not
// follow through an exception.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  explicit Lazy(T value) : made_(true), value_(std::move(value)) {}

  template <class Make>
  [[nodiscard]] const T& get(const Make& make) const {
    if (!made()) {
      const std::lock_guard lock(mutex_);
      if (!made()) {
        value_ = make();
        made_.store(true, std::memory_order_release);
      }
    }
    return value_;
  }
  [[nodiscard]] bool made() const { return made_.load(std::memory_order_acquire); }

 private:
  mutable std::mutex mutex_;
  mutable std::atomic<bool> made_ = false;
  mutable T value_{};
};

}  // namespace tare::detail::measure
