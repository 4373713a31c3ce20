// Isotonic regression: the non-decreasing map closest to the labels, by pooling adjacent violators.
// Zadrozny & Elkan 2002; Guo et al. 2017, section 4.1. Rates are compared as whole numbers (numeric/order/pav.hpp).
// Between blocks the map is linear, as scikit-learn draws it; shape=step is Guo's step function. Outside the
// scores seen it keeps the end values.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/rows/kernels.hpp"
#include "tare/fit/rows/rows.hpp"
#include "tare/fit/spec.hpp"
#include "tare/fit/steps.hpp"

namespace tare::detail::fit {

// Knots (x, y), both ascending. Linear: first and last score of every block. Step: the first score only.
struct Isotonic {
  std::vector<double> x = {};
  std::vector<double> y = {};
  bool step = false;
  KnotGuide guide = {};
  std::vector<rows::Piece> pieces = {};  // between knots, and beyond the first and the last, where the curve is level

  void prepare_map();  // guide and pieces, from x and y

  // Of many scores, once that is done: the same as of one.
  template <class T>
  void map(std::span<const T> score, std::span<double> out) const {
    for_blocks(score, [&](std::span<const T> some, std::size_t from) {
      std::array<std::uint32_t, knot_block> right;
      guide.upper(some, right.data());
      rows::on_pieces(some.data(), right.data(), some.size(), pieces.data(), out.data() + from);
    });
  }

  double operator()(double score) const {
    const std::size_t right = guide.upper(x, score);
    if (step) return y[right == 0 ? 0 : right - 1];
    return rows::on_line(x.data(), y.data(), x.size(), right, score);
  }
};

Isotonic isotonic_curve(const Problem& problem, bool step);

extern const Calibrator isotonic_calibrator;

}  // namespace tare::detail::fit
