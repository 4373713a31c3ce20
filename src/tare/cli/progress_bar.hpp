// Where long work is: a bar with rate and time left on a terminal, a line per minute otherwise.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "tare/core/progress.hpp"

namespace tare::detail::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { clear(); }

  [[nodiscard]] Progress callback();  // for as long as the bar lives; null when quiet
  void stage(std::string_view name);  // work that cannot say how far it is
  void clear();                       // before the answer is printed

 private:
  using Clock = std::chrono::steady_clock;
  void update(std::string_view stage, std::size_t done, std::size_t total);
  void draw();  // with the mutex held

  bool quiet_;
  bool terminal_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool drawn_ = false;
  std::string stage_ = {};
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  Clock::time_point started_ = Clock::now();
  bool alone_ = false;   // no thread could be started
  std::jthread ticker_;  // draws, whether or not the work calls: started with the first stage
};

}  // namespace tare::detail::cli
