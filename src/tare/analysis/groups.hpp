// For which group is the model wrong? Groups are judged by exact p-values of their mean gap, adjusted for their number;
// groups of 200 rows and more also by smooth_test, because errors that cancel inside a group leave its mean gap at 0. A
// group then has both p-values, and the smaller one counts twice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tare/core/groups.hpp"
#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"

namespace tare::detail::analysis {

struct GroupOptions {
  std::optional<Reduction> reduction = {};  // empty: the rule of choose_reduction; classwise is refused
  double alpha = options::alpha.usual;
  std::size_t resamples = options::resamples.usual;
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
};

// The groups of predictions.groupings.
Result<GroupReport> groups(const Predictions& predictions, const GroupOptions& options = {});
// The same for one binary problem; `input` is left empty.
Result<GroupReport> groups(const BinaryView& rows, std::span<const Grouping> groupings, const GroupOptions& options);

Error no_groups_of_classes();  // groups are judged by one question for each row, not by one for each class

}  // namespace tare::detail::analysis
