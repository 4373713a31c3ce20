// A survey in the words of the front door.
#pragma once

#include <tare/measurement.hpp>

#include "tare/core/survey.hpp"

namespace tare::inner::door {

Measurement measurement(Survey survey);

}  // namespace tare::inner::door
