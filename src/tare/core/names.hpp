// The words of results: one spelling for the command line, JSON and reports.
#pragma once

#include <string_view>

#include "tare/core/comparison.hpp"
#include "tare/core/recipe.hpp"
#include "tare/core/results.hpp"
#include "tare/core/test_report.hpp"

namespace tare::detail {

constexpr std::string_view name(Errc code) {
  switch (code) {
    case Errc::bad_input:
      return "bad_input";
    case Errc::bad_option:
      return "bad_option";
    case Errc::io:
      return "io";
    case Errc::undefined:
      return "undefined";
    case Errc::unsupported:
      return "unsupported";
    case Errc::cancelled:
      return "cancelled";
    case Errc::out_of_memory:
      return "out_of_memory";
    case Errc::internal:
      return "internal";
  }
  return {};
}

constexpr std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::logits:
      return "logits";
    case Kind::probs:
      return "probs";
    case Kind::confidences:
      return "confidences";
  }
  return {};
}

constexpr std::string_view name(Reduction reduction) {
  switch (reduction) {
    case Reduction::top_label:
      return "top_label";
    case Reduction::positive:
      return "positive";
    case Reduction::classwise:
      return "classwise";
  }
  return {};
}

constexpr std::string_view name(Finding finding) {
  switch (finding) {
    case Finding::too_high:
      return "too_high";
    case Finding::too_low:
      return "too_low";
    case Finding::too_extreme:
      return "too_extreme";
    case Finding::too_timid:
      return "too_timid";
  }
  return {};
}

constexpr std::string_view name(Judgement verdict) {
  switch (verdict) {
    case Judgement::none:
      return "";
    case Judgement::within_noise:
      return "within noise";
    case Judgement::above_noise:
      return "above noise";
  }
  return {};
}

constexpr std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::miscalibrated:
      return "miscalibrated";
    case Outcome::nothing_found:
      return "nothing_found";
    case Outcome::cannot_tell:
      return "cannot_tell";
  }
  return {};
}

constexpr std::string_view name(Direction direction) {
  switch (direction) {
    case Direction::none:
      return "none";
    case Direction::over:
      return "over";
    case Direction::under:
      return "under";
  }
  return {};
}

constexpr std::string_view name(Shape shape) {
  switch (shape) {
    case Shape::none:
      return "none";
    case Shape::too_extreme:
      return "too_extreme";
    case Shape::too_timid:
      return "too_timid";
  }
  return {};
}

constexpr std::string_view name(Change change) {
  switch (change) {
    case Change::better:
      return "better";
    case Change::worse:
      return "worse";
    case Change::noise:
      return "noise";
  }
  return {};
}

constexpr std::string_view name(FitStatus status) {
  switch (status) {
    case FitStatus::converged:
      return "converged";
    case FitStatus::at_bound:
      return "at_bound";
    case FitStatus::unbounded:
      return "unbounded";
    case FitStatus::iteration_limit:
      return "iteration_limit";
  }
  return {};
}

constexpr std::string_view name(Recipe::Features features) {
  switch (features) {
    case Recipe::Features::logits:
      return "logits";
    case Recipe::Features::log_probabilities:
      return "log_probabilities";
    case Recipe::Features::exact_logarithms:
      return "exact_logarithms";
  }
  return {};
}

constexpr std::string_view name(Recipe::Shape shape) {
  switch (shape) {
    case Recipe::Shape::sigmoid:
      return "sigmoid";
    case Recipe::Shape::beta:
      return "beta";
    case Recipe::Shape::steps:
      return "steps";
    case Recipe::Shape::sigmoid_steps:
      return "sigmoid_steps";
    case Recipe::Shape::linear:
      return "linear";
    case Recipe::Shape::stairs:
      return "stairs";
  }
  return {};
}

}  // namespace tare::detail
