// One running state for each group of rows.
#pragma once

#include <map>
#include <string>

#include "tare/state/running.hpp"

namespace tare::detail::state {

class ByGroup {
 public:
  using Groups = std::map<std::string, Running>;
  explicit ByGroup(const RunningOptions& options) : options_(options) {}

  // Rows with one grouping (predictions.groupings). After an error nothing has changed, and nothing has where an
  // exception ends it (no memory, or asked to stop).
  [[nodiscard]] Result<void> add(const Predictions& predictions, int threads = 1);
  [[nodiscard]] const Groups& groups() const { return groups_; }  // by the name of the group

 private:
  struct Change;
  [[nodiscard]] Result<void> prepare(const Predictions& predictions, int threads, Change& change);

  RunningOptions options_;
  Groups groups_;
};

}  // namespace tare::detail::state
