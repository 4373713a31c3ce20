// A study while it runs: its parts, which of them are done, and the checkpoint it can go on from.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/simulate/engine.hpp"

namespace tare::detail::simulate {

// An unfinished study in a file: which parts are done and their sums, with the settings it belongs to. Written whole or
// not at all, so that a program killed at any moment leaves a file to go on from.

// What must agree for sums to belong together: names with values, for the message when one does not.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Checkpoint {
  std::vector<std::uint8_t> done = {};  // per part of the study
  std::vector<Tally> tallies = {};
};

inline constexpr std::size_t part_rows = 1 << 16;  // rows of one part of a study: about a millisecond

// Neighbouring replicates of one size: what one thread does at a time.
struct ReplicateBatch {
  std::size_t size = 0;  // index
  std::size_t first = 0;
  std::size_t count = 0;
};

// All sizes advance together, so that an interrupted study has about as many replicates of each.
std::vector<ReplicateBatch> parts_of(std::span<const std::size_t> sizes, const Replicates& r);

// What must agree for two runs to be of the same study.
Settings settings_of(const Truth& truth, std::span<const measure::Choice> tasks, const SimOptions& options);

// Workers hand in finished parts.
class RunningStudy {
 public:
  RunningStudy(const SimOptions& options, std::size_t tasks, Settings settings);

  // Goes on from the checkpoint, and makes sure that it can be written.
  Result<int> open();
  [[nodiscard]] const std::vector<ReplicateBatch>& parts() const { return parts_; }
  [[nodiscard]] bool wanted(std::size_t i);  // a part nobody has done, and nobody has said stop
  void hand_in(std::size_t i, std::span<const Tally> tallies);
  Result<Finished> close();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::size_t rows_of(const ReplicateBatch& p) const { return p.count * options_.sizes[p.size]; }
  Result<int> save();

  const SimOptions& options_;
  std::vector<ReplicateBatch> parts_;
  std::size_t tasks_;
  Settings settings_;
  std::mutex mutex_;
  Checkpoint state_;
  std::size_t done_rows_ = 0, all_rows_ = 0;
  std::optional<Error> failure_;
  Clock::time_point saved_ = Clock::now(), told_ = {};
  std::thread::id caller_ = std::this_thread::get_id();
};

}  // namespace tare::detail::simulate
