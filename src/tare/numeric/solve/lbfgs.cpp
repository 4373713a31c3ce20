#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <deque>

#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::numeric {
namespace {

// The function along a ray, with the point and gradient of the last evaluation.
struct Ray {
  const Gradient& f;
  const Vector& from;
  const Vector& direction;
  Vector x, g;
  double value = 0, slope = 0;

  void at(double length) {
    x = from + length * direction;
    value = f(view(x), view(g));
    if (!std::isfinite(value) || !g.allFinite()) value = INFINITY;
    slope = value < INFINITY ? g.dot(direction) : INFINITY;
  }
};

struct End {
  double length, value, slope;
};

// Minimum of the cubic through both ends, kept away from them.
double interpolate(const End& a, const End& b) {
  const double low = std::min(a.length, b.length), high = std::max(a.length, b.length), margin = 0.1 * (high - low);
  if (!std::isfinite(a.value) || !std::isfinite(b.value)) return (low + high) / 2;
  const double d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.length - b.length);
  const double square = d1 * d1 - a.slope * b.slope;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::copysign(std::sqrt(square), b.length - a.length);
  const double t = b.length - (b.length - a.length) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2));
  return std::isfinite(t) ? std::clamp(t, low + margin, high - margin) : (low + high) / 2;
}

// Strong Wolfe. Near a minimum differences of values drown in rounding; there the slopes decide alone
// (Hager & Zhang 2005, "approximate Wolfe").
bool line_search(Ray& ray, double value, double slope, double length) {
  constexpr double fall = 1e-4, curvature = 0.9;
  const double noise = 1e-14 * (1 + std::abs(value));
  const auto enough = [&](double l) { return ray.value <= value + fall * l * slope + noise; };
  const auto flat = [&] { return std::abs(ray.slope) <= -curvature * slope; };
  End low{0, value, slope}, high{0, 0, 0};
  bool bracketed = false;
  for (int i = 0; i < 60; ++i) {
    ray.at(length);
    const bool good = enough(length);
    if (good && flat()) return true;
    const End here{length, ray.value, ray.slope};
    if (!good || ray.value > low.value + noise) {
      high = here;
      bracketed = true;
    } else if (ray.slope * (bracketed ? high.length - low.length : 1) >= 0) {
      high = low;
      low = here;
      bracketed = true;
    } else {
      low = here;
    }
    if (bracketed && std::abs(high.length - low.length) <= 1e-14 * std::max(1.0, low.length)) break;
    length = bracketed ? interpolate(low, high) : 4 * length;
  }
  if (low.length == 0) return false;
  ray.at(low.length);
  return ray.value < value;  // never where it is not finite: at() makes that infinite
}

// The two-loop recursion.
class Memory {
 public:
  explicit Memory(const Precondition& p) : precondition_(p) {}
  void clear() { pairs_.clear(); }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void remember(Vector s, Vector y) {
    const double sy = s.dot(y);
    if (!(sy > 1e-14 * s.norm() * y.norm())) return;
    if (pairs_.size() == most) pairs_.pop_front();
    pairs_.push_back(Pair{std::move(s), std::move(y), 1 / sy});
  }
  [[nodiscard]] Vector direction(const Vector& gradient) const {
    Vector r = -gradient;
    std::vector<double> a(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      a[i] = pairs_[i].inverse * pairs_[i].s.dot(r);
      r -= a[i] * pairs_[i].y;
    }
    double scale = 1;
    if (!pairs_.empty()) {
      Vector y = pairs_.back().y;
      apply(y);
      scale = 1 / (pairs_.back().inverse * pairs_.back().y.dot(y));
    }
    apply(r);
    r *= scale;
    for (std::size_t i = 0; i < pairs_.size(); ++i) r += (a[i] - pairs_[i].inverse * pairs_[i].y.dot(r)) * pairs_[i].s;
    return r;
  }

 private:
  struct Pair {
    Vector s, y;
    double inverse;
  };
  static constexpr std::size_t most = 20;
  void apply(Vector& r) const {
    if (precondition_) precondition_(view(r));
  }
  const Precondition& precondition_;
  std::deque<Pair> pairs_ = {};
};

}  // namespace

Minimum lbfgs(const Gradient& f, std::span<double> at, const MinimiseOptions& options,
              const Precondition& precondition) {
  const auto d = static_cast<Eigen::Index>(at.size());
  Vector x = Eigen::Map<const Vector>(at.data(), d), g(d);
  Memory memory(precondition);
  Minimum out;
  out.value = f(at, {g.data(), at.size()});
  for (;; ++out.iterations) {
    Eigen::Map<Vector>(at.data(), d) = x;
    if (!std::isfinite(out.value) || !g.allFinite()) {
      out.gradient = INFINITY;
      return out.stop = Minimum::Stop::not_finite, out;
    }
    out.gradient = g.lpNorm<Eigen::Infinity>();
    if (out.gradient <= options.gradient) return out.stop = Minimum::Stop::gradient, out;
    if (out.iterations > 0 && options.stop && options.stop(at, out.value)) return out.stop = Minimum::Stop::asked, out;
    if (out.iterations >= options.max_iterations) return out.stop = Minimum::Stop::limit, out;
    Vector direction = memory.direction(g);
    if (!(direction.dot(g) < 0)) {
      memory.clear();
      direction = memory.direction(g);
    }
    const bool first = memory.empty();
    Ray ray{f, x, direction, x, g};
    // the first step has no scale but the gradient's own
    const double length = first && !precondition ? std::min(1.0, 1 / g.lpNorm<1>()) : 1;
    if (!line_search(ray, out.value, g.dot(direction), length)) {
      if (first) return out.stop = Minimum::Stop::rounding, out;
      memory.clear();
      continue;
    }
    memory.remember(ray.x - x, ray.g - g);
    x = ray.x;
    g = ray.g;
    out.value = ray.value;
  }
}

}  // namespace tare::detail::numeric
