// A state as the data that estimators, floors, tests and one-dimensional fits work on.
#pragma once

#include "tare/core/predictions.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/state/running.hpp"

namespace tare::detail::state {

// One group for each cell, at the mean of its scores: with at most M different scores the order of the rows themselves.
struct Grouped {
  numeric::Ordered ordered;
  bool exact = true;  // no cell has several scores
  double width = 0;   // of the widest cell with several scores: no score is moved further
};
Grouped grouped(const Body& body, const Shape& shape);

// The same as predictions, with a hit and a miss of some weight for each cell: everything that takes predictions and
// weights takes them. Probabilities of class 1 where the state is of the reduction positive, else confidences.
Result<Predictions> predictions_of(const Running& state, const std::string& source);

}  // namespace tare::detail::state
