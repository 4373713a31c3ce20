// A calibration curve and its band, drawn on axes of scores and hit rates: for one model or for several in one frame.
#pragma once

#include <string_view>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {

struct CurvePens {
  std::string_view line;
  std::string_view band;
  double band_opacity = 1;
  std::string_view dash = {};
};

// The band as a filled area; of few values a line for each interval.
void draw_band(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const CurvePens& pens);
// The smooth estimate; of few values a dot for each, its area by its count.
void draw_curve(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const CurvePens& pens);
// Where the rows are along the axis: for each of so many columns its part of the most that one has. What is beyond a
// logit axis stands at its ends, cut where it would hide the rest.
std::vector<double> density_heights(const ScoreAxes& axes, const CurveBand& curve, const Frame& strip,
                                    std::size_t columns);
// The same as a picture; by rank, where every column would be the same, nothing.
void draw_density(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const Frame& strip, std::string_view fill);

// The rows of each part of the axis taken together, where some are.
std::vector<Bin> axis_bins(const ScoreAxes& axes, const CurveBand& curve, const Frame& frame, int parts = 15);

// Radius of a mark whose area is as large a part of the largest as its count is.
double mark_radius(double count, double most, double largest);

}  // namespace tare::detail::render
