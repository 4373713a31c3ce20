// The calibration curve as isotonic regression sees it: the closest non-decreasing one, by pooling adjacent violators
// (numeric/order/pav.hpp), with saturated scores tied at 0 and 1. It follows the noise of the labels too: its true
// error is above that of the data's own curve, the more the fewer the rows.
#pragma once

#include "tare/numeric/order/order.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::inner::simulate {

// Linear between blocks.
Curve fit_isotonic(const numeric::Ordered& data);

}  // namespace tare::inner::simulate
