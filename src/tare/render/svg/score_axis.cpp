#include "tare/render/svg/score_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tare::detail::render {
namespace {

// Beyond this a score is drawn at the edge.
constexpr double least_logit_share = 1e-6;

double logit_of(double p) { return std::log(p / (1 - p)); }

// The scores that a logit axis shows: no nearer to 0 or 1 than a fifth of a row can tell.
struct LogitRange {
  double low = 0, high = 1;
};
LogitRange logit_range(const std::vector<const CurveBand*>& curves) {
  double rows = 1, low = 0.5, high = 0.5;
  for (const CurveBand* curve : curves) {
    double count = 0;
    for (const CurveCell& c : curve->cells) {
      count += c.count;
      low = std::min({low, c.first, c.curve});
      high = std::max({high, c.last, c.curve});
    }
    rows = std::max(rows, count);
  }
  const double end = std::max(0.2 / rows, least_logit_share);
  return {std::clamp(low, end, 0.4), std::clamp(high, 0.6, 1 - end)};
}

// The largest share of rows in a twentieth of the axis.
template <class Place>
double crowd(const std::vector<const CurveBand*>& curves, const Place& place) {
  double most = 0;
  for (const CurveBand* curve : curves) {
    double parts[20] = {}, all = 0;
    for (const CurveCell& c : curve->cells) {
      parts[std::clamp(static_cast<int>(20 * place(c.mean_score)), 0, 19)] += c.count;
      all += c.count;
    }
    most = std::max(most, *std::ranges::max_element(parts) / all);
  }
  return most;
}

double logit_place(double score, const LogitRange& range) {
  const double low = logit_of(range.low), high = logit_of(range.high);
  return (logit_of(std::clamp(score, range.low, range.high)) - low) / (high - low);
}

std::string percent_label(double p) {
  return p > 0.5 ? fmt::format("{:.7g}", 100 - 100 * (1 - p)) : fmt::format("{:.7g}", 100 * p);
}

// 1, 10, 50, 90, 99, ... and what still has room between them.
std::vector<double> logit_marks() {
  std::vector<double> out{0.5};
  for (const double tail : {0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6}) {
    out.push_back(1 - tail);
    out.push_back(tail);
  }
  for (const double between : {0.2, 0.8, 0.3, 0.7, 0.05, 0.95, 0.4, 0.6}) out.push_back(between);
  return out;
}

// Score below which a share of the rows lies.
double quantile(const CurveBand& curve, double rank) {
  double low = curve.cells.front().first, high = curve.cells.back().last;
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    (rank_of(curve, middle) < rank ? low : high) = middle;
  }
  return high;
}

// As many digits as tell it from 0 and 1, four at most.
std::string score_label(double score) {
  const double left = std::min(score, 1 - score);
  if (left < 1e-6) return score < 0.5 ? "0" : "100";
  return fmt::format("{:.{}f}", 100 * score, left > 0.02 ? 0 : static_cast<int>(std::ceil(-2 - std::log10(left))));
}

}  // namespace

std::string_view axis_name(AxisKind kind) {
  constexpr std::array<std::string_view, 4> names{"auto", "linear", "logit", "rank"};
  return names[static_cast<std::size_t>(kind)];
}

AxisKind suited_axis(const std::vector<const CurveBand*>& curves) {
  constexpr double crowded = 0.5;
  const bool values = std::ranges::all_of(curves, [](const CurveBand* c) { return c->basis == BandBasis::values; });
  if (values || crowd(curves, [](double s) { return s; }) <= crowded) return AxisKind::linear;
  const LogitRange range = logit_range(curves);
  return crowd(curves, [&](double s) { return logit_place(s, range); }) <= crowded ? AxisKind::logit : AxisKind::rank;
}

ScoreAxes::ScoreAxes(const std::vector<const CurveBand*>& curves, AxisKind kind, const Frame& frame)
    : ranks_(curves.front()), kind_(kind == AxisKind::automatic ? suited_axis(curves) : kind), frame_(frame) {
  if (kind_ == AxisKind::logit) {
    const LogitRange range = logit_range(curves);
    low_ = rate_low_ = range.low;
    high_ = rate_high_ = range.high;
  }
  if (kind_ == AxisKind::rank) {
    // Rates from the next tenth below the lowest that is drawn.
    double least = 1, most = 0;
    for (const CurveBand* curve : curves)
      for (const CurveCell& c : curve->cells) {
        least = std::min({least, c.curve, c.first});
        most = std::max({most, c.curve, c.last});
      }
    rate_low_ = std::floor(10 * least + 1e-9) / 10;
    rate_high_ = std::max(std::ceil(10 * most - 1e-9) / 10, rate_low_ + 0.1);
  }
  add_ticks();
}

double ScoreAxes::scaled(double value, double low, double high) const {
  const double v = std::clamp(value, low, high);
  if (kind_ != AxisKind::logit) return (v - low) / (high - low);
  return (logit_of(v) - logit_of(low)) / (logit_of(high) - logit_of(low));
}

double ScoreAxes::x(double score) const {
  const double place = kind_ == AxisKind::rank ? rank_of(*ranks_, score) : scaled(score, low_, high_);
  return frame_.left + place * frame_.width;
}

double ScoreAxes::y(double rate) const { return frame_.bottom() - scaled(rate, rate_low_, rate_high_) * frame_.height; }

void ScoreAxes::add_ticks() {
  if (kind_ == AxisKind::logit) {
    constexpr double apart = 36;
    for (const double mark : logit_marks()) {
      if (mark < low_ || mark > high_) continue;
      const double at = x(mark);
      if (std::ranges::all_of(x_ticks_, [&](const Tick& t) { return std::abs(t.at - at) >= apart; }))
        x_ticks_.push_back({at, percent_label(mark)});
      const double up = y(mark);
      if (std::ranges::all_of(y_ticks_, [&](const Tick& t) { return std::abs(t.at - up) >= apart / 2; }))
        y_ticks_.push_back({up, percent_label(mark)});
    }
    return;
  }
  for (int i = 0; i <= 5; ++i) {
    const double share = i / 5.0;
    const double at = frame_.left + share * frame_.width;
    x_ticks_.push_back(
        {at, kind_ == AxisKind::rank ? score_label(quantile(*ranks_, share)) : fmt::format("{}", 20 * i)});
  }
  for (const Tick& t : round_ticks(rate_low_, rate_high_, 100, 6)) y_ticks_.push_back({y(t.at), t.label});
}

std::vector<Point> ScoreAxes::diagonal() const {
  if (kind_ != AxisKind::rank) return {{x(low_), y(low_)}, {x(high_), y(high_)}};
  std::vector<Point> out;
  for (const CurveCell& c : ranks_->cells) {
    if (out.empty()) out.push_back({frame_.left, y(c.first)});
    out.push_back({x(c.mean_score), y(c.mean_score)});
  }
  out.push_back({frame_.right(), y(ranks_->cells.back().last)});
  return out;
}

std::vector<double> density_heights(const ScoreAxes& axes, const CurveBand& curve, const Frame& strip,
                                    std::size_t columns) {
  const double wide = strip.width / static_cast<double>(columns);
  std::vector<double> share(columns);
  for (const CurveCell& c : curve.cells) {
    // The rows of a cell lie evenly between its ends.
    const double from = (axes.x(c.first) - strip.left) / wide, to = (axes.x(c.last) - strip.left) / wide;
    const auto first = std::min(static_cast<std::size_t>(from), columns - 1),
               last = std::min(static_cast<std::size_t>(to), columns - 1);
    for (std::size_t i = first; i <= last; ++i) {
      const auto at = static_cast<double>(i);
      const double part =
          first == last ? 1 : (std::min(to, i == last ? to : at + 1) - std::max(from, at)) / (to - from);
      share[i] += c.count * part;
    }
  }
  const bool cut = axes.kind() == AxisKind::logit;
  double most = *std::max_element(share.begin() + cut, share.end() - cut);
  if (most <= 0) most = *std::ranges::max_element(share);
  for (double& s : share) s = std::min(s / most, 1.0);
  return share;
}

}  // namespace tare::detail::render
