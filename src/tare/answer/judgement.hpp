// What the noise floor says about one number: above it, if 5 of 100 calibrated models or fewer show as much. Less than
// 1e-9 above counts as within: where nothing is left to chance the floor is 0, and rounding is no evidence. Whether the
// model is miscalibrated is another question, and one test answers it (verdict.hpp).
#pragma once

#include "tare/core/results.hpp"
#include "tare/infer/resample/null.hpp"

namespace tare::inner::answer {

inline Judgement judgement_of(double value, const infer::Floor& floor) {
  constexpr double rounding = 1e-9;
  return value <= floor.high + rounding ? Judgement::within_noise : Judgement::above_noise;
}

}  // namespace tare::inner::answer
