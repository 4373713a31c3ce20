// Which rows a calibrator was fitted on, for its record (Model::provenance).
#pragma once

#include <string>

#include "tare/core/predictions.hpp"

namespace tare::inner::fit {

// 128 bits as hexadecimal digits. Rows in another order, or in float32 where the numbers are the same, have the same.
std::string data_hash(const Predictions& rows, int threads);

}  // namespace tare::inner::fit
