// What the noise floor says about a value.
//   within noise             value <= floor_high: 5 of 100 calibrated models show more. Less than 1e-9 above it counts
//                            as within: where nothing is left to chance the floor is 0, and rounding is no evidence
//   miscalibrated            above floor_high
//   strongly miscalibrated   above 3 floor_high, and more than 0.01 above the floor: far outside the noise, and a
//                            full percentage point, so that large n alone does not make a strong word
#pragma once

#include "tare/core/results.hpp"
#include "tare/infer/resample/null.hpp"

namespace tare::inner::answer {

inline Judgement verdict_of(double value, const infer::Floor& floor) {
  constexpr double rounding = 1e-9;
  if (value <= floor.high + rounding) return Judgement::within_noise;
  if (value > 3 * floor.high && value - floor.mean > 0.01) return Judgement::strongly_miscalibrated;
  return Judgement::miscalibrated;
}

}  // namespace tare::inner::answer
