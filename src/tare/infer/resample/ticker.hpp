// Counts finished pieces of parallel work, and tells so from the thread that asked for it.
#pragma once

#include <atomic>
#include <string_view>
#include <thread>

#include "tare/core/progress.hpp"

namespace tare::detail::infer {

class Ticker {
 public:
  Ticker(const Progress& progress, std::string_view stage, std::size_t total)
      : progress_(progress), stage_(stage), total_(total) {}

  void done() const {
    const std::size_t finished = ++count_;
    if (progress_ && std::this_thread::get_id() == caller_) progress_(stage_, finished, total_);
  }

 private:
  const Progress& progress_;
  std::string_view stage_;
  std::size_t total_;
  std::thread::id caller_ = std::this_thread::get_id();
  mutable std::atomic<std::size_t> count_{0};
};

}  // namespace tare::detail::infer
