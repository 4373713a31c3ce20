// Where a saved calibrator comes from: which rows, and how it was chosen. Kept in the file beside the model
// (model_writer.cpp); nothing is computed from it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tare/core/predictions.hpp"
#include "tare/fit/spec.hpp"

namespace tare::inner::fit {

using Provenance = std::map<std::string, std::string>;

// The model with a field "provenance"; empty: without.
std::string to_json(const Model& model, const Provenance& provenance);

// Of a text that from_json() has read.
Provenance provenance_of(std::string_view text);

// 128 bits as hexadecimal digits. Rows in another order, or in float32 where the numbers are the same, have the same.
std::string data_hash(const Predictions& rows, int threads);

}  // namespace tare::inner::fit
