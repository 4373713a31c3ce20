// What `tare fit` says about a fit.
#pragma once

#include <string>

#include "tare/core/predictions.hpp"
#include "tare/fit/spec.hpp"

namespace tare::inner::cli {

// `saved`: the file; empty: none.
std::string fit_summary(const Model& model, const fit::Calibrator& row, const Predictions& data, bool labelled,
                        const std::string& saved);

// Notes and warnings; empty where all is well.
std::string fit_advice(const Model& model);

}  // namespace tare::inner::cli
