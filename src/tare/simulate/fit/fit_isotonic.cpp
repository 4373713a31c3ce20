#include "tare/simulate/fit/fit_isotonic.hpp"

#include "tare/numeric/order/pav.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/simulate/curves.hpp"
#include "tare/simulate/fit/beta_scores.hpp"

namespace tare::inner::simulate {
namespace {

// Saturated scores tied at 0 and 1.
numeric::Ordered tied(const numeric::Ordered& data) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    if (data.mass(g) == 0) continue;
    const double c = data.score(g), to = saturated_high(c) ? 1 : saturated_low(c) ? 0 : c;
    if (score.empty() || score.back() != to) {
      score.push_back(to);
      mass.push_back(0);
      hits.push_back(0);
    }
    mass.back() += data.mass(g);
    hits.back() += data.hits(g);
  }
  return {std::move(score), mass, hits, data.unit()};
}

}  // namespace

Curve fit_isotonic(const numeric::Ordered& data) {
  const numeric::Ordered groups = tied(data);
  Curve out{.family = find_curve("isotonic")};
  auto& knots = out.coefficients;
  const auto knot = [&](double x, double y) {
    const std::size_t n = knots.size();
    if (n >= 2 && knots[n - 2] == x && knots[n - 1] == y) return;
    knots.push_back(x);
    knots.push_back(y);
  };
  for (const numeric::PavBlock& block : numeric::pav(groups)) {
    const double first = groups.score(block.first), last = groups.score(block.last - 1);
    knot(first, block.rate());
    knot(last, block.rate());
  }
  return out;
}

}  // namespace tare::inner::simulate
