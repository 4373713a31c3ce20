// A fitted calibrator as plain data: what is saved, loaded, shown and applied.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tare/calibrators.hpp>

#include "tare/core/views.hpp"

namespace tare::detail {

using tare::FitReport;  // its seconds are not part of the saved form
using tare::FitStatus;

// Numbers, texts, lists of numbers (matrices row by row), and lists of lists (one per class).
using Parameter = std::variant<double, std::string, std::vector<double>, std::vector<std::vector<double>>>;

struct Model {
  std::string method;
  std::size_t k = 0;          // classes
  std::size_t columns = 0;    // numbers per row of the input: k, or 1 for a binary vector
  Kind input = Kind::logits;  // what it was fitted on; it applies to nothing else
  std::map<std::string, Parameter> parameters = {};
  FitReport fit = {};
  std::map<std::string, std::string> provenance = {};  // which rows, how it was chosen; nothing is computed from it
};

// What `tare show` says about a saved one.
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
