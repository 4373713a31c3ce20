// The words of results: one spelling for the command line, JSON and reports.
#pragma once

#include <cstddef>
#include <string_view>

#include "tare/core/comparison.hpp"
#include "tare/core/recipe.hpp"
#include "tare/core/results.hpp"
#include "tare/core/test_report.hpp"

namespace tare::detail {

// The word of a value, in an enumeration that counts from 0; none for a value that it does not have.
template <class Enum, std::size_t n>
constexpr std::string_view word_of(Enum value, const std::string_view (&words)[n]) {
  const auto at = static_cast<std::size_t>(value);
  return at < n ? words[at] : std::string_view();
}

constexpr std::string_view name(Errc code) {
  return word_of(
      code, {"bad_input", "bad_option", "io", "undefined", "unsupported", "cancelled", "out_of_memory", "internal"});
}
constexpr std::string_view name(Kind kind) { return word_of(kind, {"logits", "probs", "confidences"}); }
constexpr std::string_view name(Reduction reduction) {
  return word_of(reduction, {"top_label", "positive", "classwise"});
}
constexpr std::string_view name(Finding finding) {
  return word_of(finding, {"too_high", "too_low", "too_extreme", "too_timid"});
}
constexpr std::string_view name(Judgement verdict) { return word_of(verdict, {"", "within noise", "above noise"}); }
constexpr std::string_view name(Outcome outcome) {
  return word_of(outcome, {"miscalibrated", "nothing_found", "cannot_tell"});
}
constexpr std::string_view name(Direction direction) { return word_of(direction, {"none", "over", "under"}); }
constexpr std::string_view name(Shape shape) { return word_of(shape, {"none", "too_extreme", "too_timid"}); }
constexpr std::string_view name(Change change) { return word_of(change, {"better", "worse", "noise"}); }
constexpr std::string_view name(FitStatus status) {
  return word_of(status, {"converged", "at_bound", "unbounded", "iteration_limit"});
}
constexpr std::string_view name(Recipe::Features features) {
  return word_of(features, {"logits", "log_probabilities", "exact_logarithms"});
}
constexpr std::string_view name(Recipe::Shape shape) {
  return word_of(shape, {"sigmoid", "beta", "steps", "sigmoid_steps", "linear", "stairs"});
}

}  // namespace tare::detail
