// Temperature scaling on a device: the model that fit/temperature.hpp finds, for logits that stay where they are.
// One pass in float32 at four temperatures brackets the minimum, a cubic through the bracket finds it to a few digits,
// and passes in float64 with Newton's steps certify it: as a rule one.
#pragma once

#include "tare/core/model.hpp"
#include "tare/gpu/faults.hpp"

namespace tare::detail::gpu {

// Logits only. max_iterations: passes; 0 is the usual limit.
Result<Model> fit_temperature(const DeviceRows& rows, const Labels& labels, int max_iterations, Stream stream);

}  // namespace tare::detail::gpu
