// Where long work is: a bar with rate and time left on a terminal, a line per minute otherwise.
#pragma once

#include <chrono>
#include <string>

#include "tare/core/progress.hpp"

namespace tare::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  [[nodiscard]] Progress callback();  // for as long as the bar lives; null when quiet
  void clear();                       // before the answer is printed

 private:
  using Clock = std::chrono::steady_clock;
  void show(std::string_view stage, std::size_t done, std::size_t total);

  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string stage_ = {};
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_ = started_;
};

}  // namespace tare::cli
