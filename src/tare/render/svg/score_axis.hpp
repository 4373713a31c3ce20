// The axis of scores of a picture: linear, by logit or by rank, chosen so that the rows are where there is room.
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

// Where the rows are along the axis: for each of so many columns its part of the most that one has. What is beyond a
// logit axis stands at its ends, cut where it would hide the rest.
std::vector<double> density_heights(const ScoreAxes& axes, const CurveBand& curve, const Frame& strip,
                                    std::size_t columns);
}  // namespace tare::detail::render
