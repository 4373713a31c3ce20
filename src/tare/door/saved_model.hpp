// A fitted calibrator from the file that it was saved in.
#pragma once

#include <string>

#include "tare/core/model.hpp"
#include "tare/core/result.hpp"

namespace tare::inner::door {

Result<Model> read_model(const std::string& path);  // "-" is standard input

}  // namespace tare::inner::door
