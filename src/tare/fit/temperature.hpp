// Temperature scaling: softmax(z / T), one positive number for all classes; the top label never changes.
// Guo et al. 2017, section 4.2, Eq. 9. The mean NLL is convex in v = 1 / T, so the optimum is the root of
// its rising slope; each step is one fused pass (numeric/simd/tempered.hpp).
#pragma once

#include "tare/fit/spec.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::inner::fit {

inline constexpr double smallest_temperature = 1e-6;
inline constexpr double largest_temperature = 1e6;

// The logits of a view, as the temperature sees them: z, or ln p for probabilities.
numeric::LogitRows logit_rows(const MulticlassView& view);

// What a report says about how a fit ended; v = 1 / T.
std::string temperature_note(FitStatus status, double v);
std::string flat_logits_note();

Result<Model> temperature(const MulticlassView& view, const Options& options = {});
Result<Recipe> temperature_recipe(const Model& model);

extern const Calibrator temperature_calibrator;

}  // namespace tare::inner::fit
