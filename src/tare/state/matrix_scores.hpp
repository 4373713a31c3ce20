// Log loss and Brier score of the full matrix as totals of whole numbers: no split and no order of the rows changes a
// bit of them.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "tare/core/results.hpp"
#include "tare/core/views.hpp"
#include "tare/state/cells.hpp"

namespace tare::inner::state {

using u256 = boost::multiprecision::uint256_t;

struct MatrixScores {
  // Sums of losses and of their squares, in units of bound * 2^-62 and bound^2 * 2^-62, times mass.
  struct Loss {
    u256 sum = 0, squares = 0;
    bool operator==(const Loss&) const = default;
  };
  u128 mass = 0;      // of all rows, in units of 2^-fine_bits
  u128 infinite = 0;  // of rows whose label has probability 0: in no sum of the log loss
  Loss log = {}, square = {};

  void add(const MulticlassView& rows, int threads);
  void merge(const MatrixScores& other);
  // Can rows have these sums? What a file says is not believed.
  [[nodiscard]] bool can_be() const;
  [[nodiscard]] Result<Estimate> nll() const;
  [[nodiscard]] Result<Estimate> brier() const;
  bool operator==(const MatrixScores&) const = default;
};

}  // namespace tare::inner::state
