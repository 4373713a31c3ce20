// What every fit reports, gathered: one status from many problems, and the log loss before and after.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

// How one of the problems of a one-vs-rest fit ended.
struct Outcome {
  FitStatus status = FitStatus::converged;
  int iterations = 0;
  std::optional<double> gradient = {};
  std::string note = {};  // a clause: "the score separates the classes: ..."
};

// "class 3", or "classes 0, 4, 7, 8, 9 and 2 more".
std::string class_list(const std::vector<std::size_t>& classes);

double total_weight(std::size_t rows, std::span<const double> weight);  // empty weights mean all ones

// The worst status, the most iterations, the largest gradient; notes name the classes they hold for.
FitReport merged(std::span<const Outcome> outcomes);

// A model of this view without parameters.
Model model_of(const MulticlassView& view, std::string_view method);

// A recipe for rows like those the model was fitted on.
Recipe recipe_of(const Model& model, std::variant<Recipe::Tempered, Recipe::Affine, Recipe::Curves> map);

// The following add nothing where the options do not want losses.
// NLL before and after on the fit data, going through the loaded map as `tare apply` will.
Result<Model> with_nll(Model model, const MulticlassView& view, Result<Recipe> (*recipe)(const Model&),
                       const Options& options);

// Rows of weight 1 that a map of two classes gives the same probability of class 1.
struct MappedRows {
  double probability = 0;
  std::uint64_t hits = 0, misses = 0;
};

// The same from what is known of the map, where it gives many rows the same number: none of the rows is mapped.
Model with_nll(Model model, const MulticlassView& view, std::span<const MappedRows> after, const Options& options);

// Only NLL before: for a fit on rows that were changed, of which `view` has the original.
Model with_nll_before(Model model, const MulticlassView& view, const Options& options);

}  // namespace tare::detail::fit
