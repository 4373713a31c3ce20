// The root of an increasing function from its values and slopes: steps by inverse cubic Hermite
// interpolation through the last two points (order 2.7) or by Newton's rule; far from the root, and where both
// leave the bracket, by the root of the cubic through its ends.
// By hand: a value is a pass over all rows and comes with its slope, which Boost's toms748 does not use.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tare::detail::numeric {

class RisingRoot {
 public:
  // 0 <= low < high. The ends need not bracket the root: next() may return an end, and again when the
  // root lies outside.
  RisingRoot(double low, double high) : low_{low}, high_{high} {}

  // A point known beforehand; it may lie outside the bracket.
  void know(double x, double f, double df) {
    last_ = {x, f, df, true};
    const double at_low = f + df * (low_.x - x);
    if (x <= low_.x && at_low < 0) low_ = {low_.x, at_low, df, true};
  }

  // Where to look next, given f and its slope at x.
  double next(double x, double f, double df) {
    const Evaluation here{x, f, df, true};
    (f < 0 ? low_ : high_) = here;
    const Evaluation& across = f < 0 ? high_ : low_;  // the other end of the bracket
    const bool slow = ++evaluations_ > 3 && across.known && std::abs(f) > std::abs(last_.f) / 2 &&
                      !(std::abs(f) <= 1e-9 * df * x);  // at the root there is only rounding left to fall
    double to = none;
    // far from the root the cubic between the ends beats one that reaches beyond the last two points
    if (!slow && (!across.known || std::abs(last_.f) < std::abs(across.f) / 10)) {
      to = inside(hermite(last_, here), x);
      if (std::isnan(to)) to = inside(df > 0 ? x - f / df : none, x);
    }
    if (std::isnan(to)) to = slow && evaluations_ % 2 == 0 ? middle() : bracketed();
    last_ = here;
    return to;
  }

  [[nodiscard]] double low() const { return low_.x; }
  [[nodiscard]] double high() const { return high_.x; }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  struct Evaluation {
    double x = 0, f = 0, df = 0;
    bool known = false;
  };

  // x as a cubic in f through both points, at f = 0.
  static double hermite(const Evaluation& a, const Evaluation& b) {
    const double h = b.f - a.f, secant = (b.x - a.x) / h;
    if (!a.known || !(a.df > 0) || !(b.df > 0) || !(secant > 0)) return none;
    const double t = b.f / h;  // distance of 0 from b, in steps towards a
    const double to_b = 1 / b.df - secant, to_a = 1 / a.df - secant;
    return b.x - b.f * (1 / b.df - t * (2 * to_b + to_a) + t * t * (to_a + to_b));
  }

  // NaN for steps out of the bracket; shortens those that go eight times as far as the point itself.
  [[nodiscard]] double inside(double to, double x) const {
    if (!std::isfinite(to)) return none;
    const double y = x > 0 ? std::min(to, 8 * x) : to;
    if (y > high_.x && x < high_.x && !high_.known) return high_.x;
    if (y < low_.x && x > low_.x && !low_.known) return low_.x;
    return y < low_.x || y > high_.x || y == x ? none : y;
  }

  // f as a cubic in x through the ends: it changes sign between them, so halving finds its root.
  [[nodiscard]] double bracketed() const {
    if (!low_.known || !high_.known || !(high_.f > 0)) return middle();
    const double width = high_.x - low_.x, rise = high_.f - low_.f, s0 = low_.df * width, s1 = high_.df * width;
    double a = 0, b = 1;
    for (int i = 0; i < 60; ++i) {
      const double t = (a + b) / 2;
      const double f = low_.f + t * (s0 + t * (3 * rise - 2 * s0 - s1 + t * (s0 + s1 - 2 * rise)));
      (f < 0 ? a : b) = t;
    }
    const double to = low_.x + width * b;
    return to > low_.x && to < high_.x ? to : middle();
  }

  // In the middle of the digits when the ends are of different sizes.
  [[nodiscard]] double middle() const {
    return low_.x > 0 && high_.x > 4 * low_.x ? std::sqrt(low_.x) * std::sqrt(high_.x)
                                              : low_.x + (high_.x - low_.x) / 2;
  }

  Evaluation low_, high_, last_ = {};
  int evaluations_ = 0;
};

}  // namespace tare::detail::numeric
