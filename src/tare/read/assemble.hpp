// From the arrays of one fold, each with its role, to checked predictions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/read/array.hpp"
#include "tare/read/fold.hpp"
#include "tare/read/roles.hpp"

namespace tare::inner::read {

struct Parts {
  std::array<std::optional<Array>, role_count> arrays = {};
  std::vector<Array> groups = {};
  int group_bins = 0;
  std::vector<std::string> class_names = {};  // of the columns of logits or probs, where a table names them
  std::string source = {};
  Reading reading = {};
  bool labelled = true;     // false: the labels are stand-ins
  std::size_t dropped = 0;  // rows that were left out

  [[nodiscard]] const std::optional<Array>& operator[](Role r) const { return arrays[static_cast<std::size_t>(r)]; }
  std::optional<Array>& operator[](Role r) { return arrays[static_cast<std::size_t>(r)]; }
};

// Needs exactly one of logits, probs and confidences; labels with the first two, and correct, or
// predictions and labels, with the third.
Result<Predictions> assemble(const Parts& parts, int threads = 1);

}  // namespace tare::inner::read
