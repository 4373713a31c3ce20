// One running state for each group of rows.
#pragma once

#include <map>
#include <string>

#include "tare/state/running.hpp"

namespace tare::inner::state {

class ByGroup {
 public:
  explicit ByGroup(const RunningOptions& options) : options_(options) {}

  // Rows with one grouping (predictions.groupings). After an error some groups may have been added to.
  [[nodiscard]] Result<void> add(const Predictions& predictions, int threads = 1);
  [[nodiscard]] const std::map<std::string, Running>& groups() const { return groups_; }  // by the name of the group

 private:
  [[nodiscard]] Result<void> add_to(const std::string& name, const Predictions& rows, int threads);

  RunningOptions options_;
  std::map<std::string, Running> groups_;
};

}  // namespace tare::inner::state
