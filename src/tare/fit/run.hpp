// From predictions as they were read to a fitted model, and from a model to a map that may be applied to them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

// Bare confidences are a problem of two classes, hit or miss. Fills in the seconds the fit took.
Result<Model> run(const Calibrator& row, const Predictions& predictions, const Options& options);

// The shares of the labels, by class: two for bare confidences.
std::vector<double> label_shares(const Predictions& predictions);

// The map of a model, if these predictions are of the kind and number of classes that it was fitted on. Two classes may
// be one column or two, whichever they were in the fit; rows in and out have as many columns as the predictions.
Result<std::unique_ptr<Map>> map_for(const Model& model, const Predictions& predictions);

// Applies the map to the rows first .. first + out.size() / columns - 1.
void apply_rows(const Map& map, Reals values, std::size_t columns, std::size_t first, std::span<double> out,
                int threads);

// The rows after the map: probabilities in their own memory, with the labels and weights of the rows before.
Result<Predictions> applied(const Model& model, const Predictions& rows, int threads);

// Rows with one column, and the probabilities of both classes.

// `out` has two numbers for each row.
void apply_to_both(const Map& map, const Reals& values, std::span<double> out, int threads);

}  // namespace tare::detail::fit
