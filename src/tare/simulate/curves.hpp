// The table of calibration curves, and curves from words: "logit_logit:0.1,0.9".
#pragma once

#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

std::span<const CurveFamily> curves();
const CurveFamily* find_curve(std::string_view name);  // null if there is none

Curve identity();

// FAMILY:x,y,... with one number per coefficient of the family. The suffixes of the paper's Table 3 name the numbers
// that follow, the other being 0: logit_logit_b1:0.26 is logit_logit:0,0.26.
Result<Curve> parse_curve(std::string_view text);

std::string to_text(const Curve& curve);  // what parse_curve reads back, to the last digit; without the strength

}  // namespace tare::detail::simulate
