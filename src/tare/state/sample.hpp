// A state as the data that estimators, floors, tests and one-dimensional fits work on.
#pragma once

#include "tare/core/predictions.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/read/dataset.hpp"
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

// Predictions from a data set, which may be a saved state, whose name ends in .state, or a table of cells (sql.hpp).

bool names_a_state(const std::string& path);
Result<Running> read_state(const std::string& path);

// The state that the data set is, where it is one or a table of cells; nothing where it holds rows.
std::optional<Result<Running>> state_in(const read::Dataset& data);

// All rows, or the state as predictions. What would take more than half of the machine's memory, or than
// TARE_MEMORY bytes, goes through a state, and its note says so.
Result<Predictions> load(const read::Dataset& data, int threads = 1);

}  // namespace tare::detail::state
