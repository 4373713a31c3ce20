// A state as the data that estimators, floors, tests and one-dimensional fits work on.
#pragma once

#include <vector>

#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/state/cells.hpp"

namespace tare::inner::state {

// One group for each cell, at the mean of its scores: with at most M different scores the order of the rows themselves.
struct Grouped {
  numeric::Ordered ordered;
  std::vector<numeric::BinSums> bins;  // of the declared equal width: exact, whatever the cells
  bool exact = true;                   // no cell has several scores
  double width = 0;                    // of the widest cell with several scores: no score is moved further
};
Grouped grouped(const Body& body, const Shape& shape);

}  // namespace tare::inner::state
