// Small multiples: reliability diagrams without words of their own. They share the hatchings of the page around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"

namespace tare::detail::render {

struct SmallPicture {
  std::string title;  // what a screen reader says
  std::string description;
  std::string_view patterns;  // begins the names of the page's hatchings
  Reduction reduction = Reduction::classwise;
};

std::string small_reliability_svg(const std::vector<Bin>& bins, const SmallPicture& options);

// The calibration curve with its band. `all`: the curves of the small pictures beside it, itself among them, that have
// the same axes: linear, or by logit where more than half of the rows of one would lie in a twentieth of them.
std::string small_curve_svg(const CurveBand& curve, const std::vector<const CurveBand*>& all,
                            const SmallPicture& options);
// What the bands of such pictures mean, and what their axes are.
std::string small_curves_words(const std::vector<const CurveBand*>& all);

}  // namespace tare::detail::render
