// The axis of scores of a picture: linear, by logit or by rank, chosen so that the rows are where there is room; and
// what is drawn on it of a calibration curve, of one model or of several in one frame.
#pragma once

#include <string_view>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {

enum class AxisKind { automatic, linear, logit, rank };
std::string_view axis_name(AxisKind kind);  // "auto", "linear", "logit", "rank"

// The kind that shows these scores: linear, unless more than half of the rows lie in a twentieth of it; then logit, and
// where that is no better rank. A few values are linear.
AxisKind suited_axis(const std::vector<const CurveBand*>& curves);

// Scores along one side of a picture and hit rates along the other. With linear and logit axes both are on the same
// scale, and the diagonal is straight; by rank, rates are linear.
class ScoreAxes {
 public:
  // `curves`: of all that is drawn; the first decides about ranks.
  ScoreAxes(const std::vector<const CurveBand*>& curves, AxisKind kind, const Frame& frame);

  [[nodiscard]] AxisKind kind() const { return kind_; }
  [[nodiscard]] double x(double score) const;  // pixels, inside the frame
  [[nodiscard]] double y(double rate) const;
  [[nodiscard]] double least() const { return low_; }  // of the scores that have a place of their own
  [[nodiscard]] double most() const { return high_; }
  // In pixels, with their labels in percent.
  [[nodiscard]] const std::vector<Tick>& x_ticks() const { return x_ticks_; }
  [[nodiscard]] const std::vector<Tick>& y_ticks() const { return y_ticks_; }
  [[nodiscard]] std::vector<Point> diagonal() const;

 private:
  [[nodiscard]] double scaled(double value, double low, double high) const;
  void add_ticks();

  const CurveBand* ranks_;
  AxisKind kind_;
  Frame frame_;
  double low_ = 0, high_ = 1;            // of scores, and with linear and logit axes of rates
  double rate_low_ = 0, rate_high_ = 1;  // of rates
  std::vector<Tick> x_ticks_ = {}, y_ticks_ = {};
};

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
