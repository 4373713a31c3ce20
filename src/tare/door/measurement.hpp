// A survey in the words of the front door, and back.
#pragma once

#include <tare/measurement.hpp>

#include "tare/core/results.hpp"

namespace tare::inner::door {

Measurement measurement(Survey survey);
Result<Survey> survey_of(const Measurement& measurement);

}  // namespace tare::inner::door
