// Isotonic regression: the non-decreasing map closest to the labels, by pooling adjacent violators.
// Zadrozny & Elkan 2002; Guo et al. 2017, section 4.1. Rates are compared as whole numbers (numeric/order/pav.hpp).
// Between blocks the map is linear, as scikit-learn draws it; shape=step is Guo's step function. Outside the
// scores seen it keeps the end values.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tare/fit/knot_guide.hpp"
#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/rows/rows.hpp"
#include "tare/fit/spec.hpp"

namespace tare::inner::fit {

// Knots (x, y), both ascending. Linear: first and last score of every block. Step: the first score only.
struct Isotonic {
  std::vector<double> x = {};
  std::vector<double> y = {};
  bool step = false;
  KnotGuide guide = {};
  std::vector<double> wide_x = {}, wide_y = {};  // with a knot more at either end, where the curve is level

  void prepare_map();  // guide and wide knots, from x and y

  // Of many scores, once that is done: the same as of one.
  template <class T>
  void map(std::span<const T> score, std::span<double> out) const {
    for_blocks(score, [&](std::span<const T> some, std::size_t from) {
      std::array<std::uint32_t, knot_block> right;
      guide.upper(some, right.data());
      const double *const px = wide_x.data(), *const py = wide_y.data();
      double* const to = out.data() + from;
      for (std::size_t i = 0; i < some.size(); ++i) {
        const std::size_t left = right[i];
        const double rise = step ? 0 : py[left + 1] - py[left];
        const double t = (static_cast<double>(some[i]) - px[left]) / (px[left + 1] - px[left]);
        to[i] = std::min(py[left] + rise * t, py[left + 1]);
      }
    });
  }

  double operator()(double score) const {
    const std::size_t right = guide.upper(x, score);
    if (step) return y[right == 0 ? 0 : right - 1];
    return rows::on_line(x.data(), y.data(), x.size(), right, score);
  }
};

Isotonic isotonic_curve(const Problem& problem, bool step);

Result<Recipe> isotonic_recipe(const Model& model);
Result<Model> isotonic(const MulticlassView& view, const Options& options = {});

extern const Calibrator isotonic_calibrator;

}  // namespace tare::inner::fit
