// The kinds of study a data file can ask for: settings in, rows out. What is studied is in the data files.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tare/core/progress.hpp"
#include "tare/paper/frame.hpp"
#include "tare/paper/value.hpp"

namespace tare::detail::paper {

struct Context {
  std::string data;  // the folder with the sample networks
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
  const std::atomic<bool>* cancel = nullptr;
  std::string scratch = {};  // begins the names of files from which an interrupted study goes on; empty: none
};

struct StudyKind {
  std::string_view name;
  std::string_view summary;
  Result<Frame> (*run)(const Settings&, const Context&) = nullptr;
  bool timed = false;  // its numbers are times, which no seed repeats
};

std::span<const StudyKind> kinds();
const StudyKind* find_kind(std::string_view name);

Result<Frame> bias_study(const Settings& settings, const Context& context);
Result<Frame> distribution_study(const Settings& settings, const Context& context);
Result<Frame> detection_study(const Settings& settings, const Context& context);
Result<Frame> curves_study(const Settings& settings, const Context& context);
Result<Frame> fits_study(const Settings& settings, const Context& context);
Result<Frame> choice_study(const Settings& settings, const Context& context);
Result<Frame> recalibration_study(const Settings& settings, const Context& context);
Result<Frame> bins_study(const Settings& settings, const Context& context);
Result<Frame> records_study(const Settings& settings, const Context& context);
Result<Frame> timing_study(const Settings& settings, const Context& context);

inline Error interrupted() {
  return {.code = Errc::cancelled, .what = "interrupted", .remedy = "the same command goes on from here"};
}

}  // namespace tare::detail::paper
