// What `tare show` says about a saved calibrator. Plain data.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tare/core/model.hpp"

namespace tare::detail {

struct ModelDescription {
  Model model;
  std::string title = {};                                       // of the method
  std::vector<std::pair<std::string, std::string>> facts = {};  // "temperature", "2.39"

  // What the map makes of a probability, at the middles of equal parts of [0, 1].
  std::size_t shown_class = 0;
  std::vector<double> curve = {};
  bool centered = false;  // what it does depends on the sum of the logits: curve and matrix are for a sum of 0

  // A matrix, or blocks of it, row by row; empty: there is none.
  std::size_t side = 0;
  std::size_t block = 1;  // so many rows and columns are one entry, their mean
  std::vector<double> matrix = {};
};

}  // namespace tare::detail
