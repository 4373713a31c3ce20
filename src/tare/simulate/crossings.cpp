#include "tare/simulate/crossings.hpp"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

namespace tare::inner::simulate {
namespace {

Point from_logit(double z) { return {1 / (1 + std::exp(-z)), 1 / (1 + std::exp(z))}; }

// The gap relative to the smaller of c and 1 - c, as a function of the log-odds.
struct Gap {
  const Curve& curve;
  double operator()(double z) const {
    const Point p = from_logit(z);
    return gap(curve, p) / std::min(p.c, p.u);
  }
};

double root(const Gap& f, double left, double right) {
  std::uintmax_t calls = 200;
  const auto [a, b] =
      boost::math::tools::toms748_solve(f, left, right, boost::math::tools::eps_tolerance<double>(52), calls);
  return (a + b) / 2;
}

}  // namespace

std::vector<Point> crossings(const Curve& curve) {
  // Log-odds from -700 to 700, where c or 1 - c nearly underflows; 0.004 apart in the middle.
  constexpr int half = 1000;
  const auto grid = [](int i) { return 700 * std::sinh(8.0 * i / half) / std::sinh(8.0); };
  const Gap f{curve};
  std::vector<double> z, value;  // where the gap is not 0
  for (int i = -half; i <= half; ++i) {
    const double g = f(grid(i));
    if (g == 0) continue;
    z.push_back(grid(i));
    value.push_back(g);
  }
  std::vector<Point> out;
  for (std::size_t i = 1; i < z.size(); ++i) {
    if ((value[i - 1] < 0) != (value[i] < 0)) {
      out.push_back(from_logit(root(f, z[i - 1], z[i])));
      continue;
    }
    // A dip towards 0 between three neighbours may hide two crossings.
    if (i + 1 == z.size() || (value[i] < 0) != (value[i + 1] < 0)) continue;
    const double here = std::abs(value[i]);
    if (here > std::abs(value[i - 1]) || here > std::abs(value[i + 1])) continue;
    const double sign = value[i] < 0 ? -1 : 1;
    const auto [lowest, depth] =
        boost::math::tools::brent_find_minima([&](double x) { return sign * f(x); }, z[i - 1], z[i + 1], 40);
    if (depth >= 0) continue;
    out.push_back(from_logit(root(f, z[i - 1], lowest)));
    out.push_back(from_logit(root(f, lowest, z[i + 1])));
    ++i;
  }
  return out;
}

}  // namespace tare::inner::simulate
