// Rows in the order of their scores, as the fits take them.
#pragma once

#include "support/data.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::testing {

inline numeric::Ordered ordered(const Rows& rows) {
  const BinaryView v = rows.view();
  return numeric::order(v.score(), v.label(), v.weight());
}

}  // namespace tare::detail::testing
