#include "tare/simulate/isotonic.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tare::inner::simulate {
namespace {

// The weighted mean of the values at the two knots beside p; value(i) is that of knot i.
template <class Value>
double between(Point p, std::span<const double> knots, const Value& value) {
  std::size_t left = 0,
              right = knots.size() / 2;  // x of knots before `left` is at most p.c, from `right` on it is above
  while (left < right) {
    const std::size_t middle = (left + right) / 2;
    if (p.c < 0.5 ? knots[2 * middle] <= p.c : 1 - knots[2 * middle] >= p.u)
      left = middle + 1;
    else
      right = middle;
  }
  if (right == 0) return value(0);
  if (right == knots.size() / 2) return value(right - 1);
  const double x0 = knots[2 * right - 2], x1 = knots[2 * right];
  const double to_left = p.c < 0.5 ? p.c - x0 : (1 - x0) - p.u;  // with u, a line that ends at (1, 1) keeps its misses
  const double to_right = p.c < 0.5 ? x1 - p.c : p.u - (1 - x1);
  return (to_right * value(right - 1) + to_left * value(right)) / (x1 - x0);
}

double isotonic_hit(Point p, std::span<const double> knots) {
  return between(p, knots, [&](std::size_t i) { return knots[2 * i + 1]; });
}

double isotonic_miss(Point p, std::span<const double> knots) {
  return between(p, knots, [&](std::size_t i) { return 1 - knots[2 * i + 1]; });
}

std::string wrong_isotonic(std::span<const double> knots) {
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const bool is_x = i % 2 == 0;
    if (knots[i] < 0 || knots[i] > 1) return std::string("every ") + (is_x ? "x" : "y") + " must be in [0, 1]";
    if (i >= 2 && knots[i] < knots[i - 2]) return is_x ? "the x must not fall" : "the y must not fall";
    if (is_x && i >= 4 && knots[i] == knots[i - 4]) return "no x may occur three times";
  }
  return "";
}

std::vector<Point> isotonic_breaks(std::span<const double> knots) {
  std::vector<Point> out;
  const auto add = [&](double x) {
    if (x > 0 && x < 1 && (out.empty() || out.back().c < x)) out.push_back({x, 1 - x});
  };
  add(std::min(knots[1], knots[0]));  // level before the first knot: it crosses at its own height
  for (std::size_t i = 0; i < knots.size(); i += 2) {
    add(knots[i]);
    const bool last = i + 2 == knots.size();
    const double x0 = knots[i], y0 = knots[i + 1];
    const double x1 = last ? 1 : knots[i + 2], y1 = last ? y0 : knots[i + 3];
    const double gap0 = y0 - x0, gap1 = y1 - x1;
    if ((gap0 < 0) != (gap1 < 0)) add(std::clamp(x0 + (x1 - x0) * (gap0 / (gap0 - gap1)), x0, x1));
  }
  return out;
}

constexpr std::array<std::string_view, 2> isotonic_knots{"x", "y"};

}  // namespace

constinit const CurveFamily isotonic_family{.name = "isotonic",
                                            .formula = "linear between the knots (x, y)",
                                            .coefficients = isotonic_knots,
                                            .hit = isotonic_hit,
                                            .miss = isotonic_miss,
                                            .repeats = true,
                                            .wrong = wrong_isotonic,
                                            .breaks = isotonic_breaks};

}  // namespace tare::inner::simulate
