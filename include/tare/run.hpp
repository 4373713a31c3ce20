// How a call that works long goes about it. The last argument of each of them, with a default for everything.
//
//     std::atomic<bool> stop{false};  // a signal handler may set it
//     const auto c = tare::compare(*val, {}, {.threads = 8, .cancel = &stop});
//     if (!c) return c.error().code == tare::Errc::cancelled ? 130 : 1;
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tare/result.hpp>

namespace tare {
inline namespace v0_3 {

// Where long work is: called now and then on the calling thread. If it throws, the work stops with Errc::cancelled.
// Made from anything that can be called with (std::string_view stage, std::size_t done, std::size_t total).
class Progress {
 public:
  Progress() = default;
  template <class F>
  requires(std::is_invocable_v<F&, std::string_view, std::size_t, std::size_t>) Progress(F function)
      : call_(new Of<F>(std::move(function))) {}  // NOLINT: made silently

  explicit operator bool() const noexcept { return call_.get() != nullptr; }
  void operator()(std::string_view stage, std::size_t done, std::size_t total) const {
    static_cast<Call*>(call_.get())->call(stage, done, total);
  }

 private:
  struct Call : support::Counted {
    virtual void call(std::string_view stage, std::size_t done, std::size_t total) = 0;
  };
  template <class F>
  struct Of final : Call {
    explicit Of(F f) : function(std::move(f)) {}
    void call(std::string_view stage, std::size_t done, std::size_t total) override { function(stage, done, total); }
    F function;
  };
  support::Handle call_ = {};
};

struct Run {
  int threads = 1;         // 0: all cores. What comes out never depends on it. Threads live within the call; none stays
  std::uint64_t seed = 1;  // of everything that is drawn: the same seed gives the same bits
  Progress progress = {};
  const std::atomic<bool>* cancel = nullptr;  // set it to true, from a signal handler too: Errc::cancelled
};

}  // namespace v0_3
}  // namespace tare
