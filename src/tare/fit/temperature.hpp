// Temperature scaling: softmax(z / T), one positive number for all classes; the top label never changes.
// Guo et al. 2017, section 4.2, Eq. 9. The mean NLL is convex in v = 1 / T, so the optimum is the root of
// its rising slope (temperature_search.hpp); each step is one fused pass (numeric/simd/tempered.hpp).
#pragma once

#include "tare/fit/spec.hpp"
#include "tare/fit/temperature_search.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::fit {

// The logits of a view, as the temperature sees them: z, or ln p for probabilities.
numeric::LogitRows logit_rows(const MulticlassView& view);

Result<Model> temperature(const MulticlassView& view, const Options& options = {});
Result<Recipe> temperature_recipe(const Model& model);

extern const Calibrator temperature_calibrator;
extern const Calibrator identity_calibrator;  // the same, with a temperature of 1 whatever the rows are

}  // namespace tare::detail::fit
