// A fitted calibrator as plain data: what is saved, loaded, shown and applied.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
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

}  // namespace tare::detail
