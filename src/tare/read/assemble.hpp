// From the arrays of one fold, each with its role, to checked predictions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/read/array.hpp"
#include "tare/read/fold.hpp"
#include "tare/read/read_log.hpp"
#include "tare/read/roles.hpp"

namespace tare::detail::read {

struct Parts {
  std::array<std::optional<Array>, role_count> arrays = {};
  std::vector<Array> groups = {};
  int group_bins = 0;
  std::vector<std::string> class_names = {};  // of the columns of logits or probs, where a table names them
  std::string source = {};
  Reading reading = {};
  bool labelled = true;  // false: the labels are stand-ins

  [[nodiscard]] const std::optional<Array>& operator[](Role r) const { return arrays[static_cast<std::size_t>(r)]; }
  std::optional<Array>& operator[](Role r) { return arrays[static_cast<std::size_t>(r)]; }
};

// Needs exactly one of logits, probs, log_probs and confidences; labels with the first three, and correct, or
// predictions and labels, with confidences, which log_probs may be, too. `log`: of a part of a data set, whose notes
// are told at its end; without it they are told here.
Result<Predictions> assemble(const Parts& parts, int threads = 1, ReadLog* log = nullptr);

}  // namespace tare::detail::read
