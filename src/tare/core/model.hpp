// A fitted calibrator as plain data: what is saved, loaded, shown and applied.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tare/core/views.hpp"

namespace tare::inner {

enum class FitStatus {
  converged,        // a minimum, certified by its gradient (or an exact solution)
  at_bound,         // the minimum lies on a bound of the parameters
  unbounded,        // no minimum exists (separable data): stopped by the rule in `note`
  iteration_limit,  // stopped early
};

struct FitReport {
  FitStatus status = FitStatus::converged;
  int iterations = 0;
  std::optional<double> gradient = {};  // largest component at the end; empty for exact solutions
  std::optional<double> nll_before = {};
  std::optional<double> nll_after = {};  // empty if infinite
  double seconds = 0;                    // not part of the saved form
  std::string note = {};                 // stopping rule and advice; empty when all is well
};

// Numbers, texts, lists of numbers (matrices row by row), and lists of lists (one per class).
using Parameter = std::variant<double, std::string, std::vector<double>, std::vector<std::vector<double>>>;

struct Model {
  std::string method;
  std::size_t k = 0;          // classes
  std::size_t columns = 0;    // numbers per row of the input: k, or 1 for a binary vector
  Kind input = Kind::logits;  // what it was fitted on; it applies to nothing else
  std::map<std::string, Parameter> parameters = {};
  FitReport fit = {};
};

}  // namespace tare::inner
