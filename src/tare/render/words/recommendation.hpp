// Which calibrator to use, in sentences: the same on the page, in the terminal and from C++.
#pragma once

#include <string>

#include "tare/core/comparison.hpp"

namespace tare::inner::render {

std::string recommendation(const Comparison& comparison);

}  // namespace tare::inner::render
