// What every answer says about its input, and the binary problem that most of them are about.
#pragma once

#include <optional>

#include "tare/core/predictions.hpp"
#include "tare/core/results.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {

// What to say where weights sum to less than half of the rows that have one; else nothing.
std::string weight_note(double total, std::size_t rows);

InputInfo input_info(const Predictions& predictions, Reduction reduction);

// Of top_label or positive.
Result<BinaryData> binary_problem(const Predictions& predictions, Reduction reduction, int threads);

struct OneProblem {
  Reduction reduction;  // as asked for, or by the rule of choose_reduction
  BinaryData data;
};
// `no_classes`: what to say where it would be classwise, and what to do instead.
Result<OneProblem> one_problem(const Predictions& predictions, std::optional<Reduction> asked, int threads,
                               const char* no_classes, const char* instead);

}  // namespace tare::detail::analysis
