// The inverse distribution function of scores: which score has mass v above it and w = 1 - v below it. Uniform, or
// Beta(alpha, beta) from a table good to 1e-12 relative both in c and in u = 1 - c. Where u < 2^-54, c is 1 in double
// precision and u has a closed form.
#pragma once

#include "tare/simulate/draw/cells.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::inner::simulate {

class Quantile {
 public:
  explicit Quantile(const Scores& scores);  // of kind beta, with positive parameters, or uniform

  [[nodiscard]] Point at(double above, double below) const;       // both in (0, 1), with the sum 1
  [[nodiscard]] bool in_cells(double above, double below) const;  // the score can be had from cells()
  [[nodiscard]] const Cells& cells() const { return cells_; }

 private:
  [[nodiscard]] bool fill(Side side);  // false: the cells are too coarse
  void fill_uniform();
  [[nodiscard]] Point slow(double above, double below) const;

  double alpha_, beta_;
  double log_beta_function_ = 0;
  Cells cells_{7};
};

}  // namespace tare::inner::simulate
