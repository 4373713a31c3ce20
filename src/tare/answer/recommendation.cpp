#include "tare/answer/recommendation.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "tare/numeric/normal.hpp"

namespace tare::inner::answer {
namespace {

// Mean of a - b over the rows, with its 95% interval; infinite where a row of a or b is. Rows of weight 0 say nothing.
Difference difference(const OutOfFold& a, const OutOfFold& b, std::span<const double> weight, Criterion criterion) {
  Difference out{.criterion = criterion, .against = std::string(b.method)};
  double total = 0, sum = 0, squares = 0;
  bool worse = false, better = false;  // without bound
  const auto each = [&](const auto& body) {
    for (std::size_t i = 0; i < a.loss.size(); ++i)
      if (const double w = weight.empty() ? 1 : weight[i]; w > 0) body(a.loss[i], b.loss[i], w);
  };
  each([&](double x, double y, double w) {
    if (std::isinf(x) && std::isinf(y)) return;
    worse |= std::isinf(x);
    better |= std::isinf(y);
    if (std::isinf(x) || std::isinf(y)) return;
    total += w;
    sum += w * (x - y);
  });
  if (worse || better) {  // one impossible row outweighs all others
    out.change = worse && better ? Change::noise : worse ? Change::worse : Change::better;
    const double infinity = HUGE_VAL;
    out.value = worse && better ? 0 : worse ? infinity : -infinity;
    out.low = better ? -infinity : infinity;
    out.high = worse ? infinity : -infinity;
    return out;
  }
  if (!(total > 0)) return out;
  out.value = sum / total;
  each([&](double x, double y, double w) {
    if (std::isfinite(x) && std::isfinite(y)) squares += w * (x - y - out.value) * (x - y - out.value);
  });
  // weights are frequencies: the rows they stand for count, not the lines of the file
  const double half = total > 1 ? numeric::z95 * std::sqrt(squares / total / (total - 1)) : HUGE_VAL;
  out.low = out.value - half;
  out.high = out.value + half;
  out.change = out.high < 0 ? Change::better : out.low > 0 ? Change::worse : Change::noise;
  return out;
}

// The best of many methods looks better than it is: 95% for all of them at once.
bool clear_of_all(const Difference& gain, double methods) {
  if (!std::isfinite(gain.value)) return gain.value < 0;
  const double se = (gain.high - gain.value) / numeric::z95;
  return gain.value < -se * quantile(boost::math::normal(), 1 - 0.025 / methods);
}

}  // namespace

Winner recommend(std::span<const OutOfFold> methods, std::span<const double> weight, Criterion criterion) {
  std::size_t best = 0;
  for (std::size_t m = 1; m < methods.size(); ++m)
    if (!methods[m].loss.empty() && methods[m].mean < methods[best].mean) best = m;
  Winner out{
      .method = std::string(methods[0].method), .criterion = criterion, .best = std::string(methods[best].method)};
  if (best == 0) return out;
  out.gain = difference(methods[best], methods[0], weight, criterion);
  const OutOfFold* simplest = &methods[best];  // of those that may be as good
  std::optional<Difference> lead;
  for (const OutOfFold& m : methods.subspan(1))
    if (!m.loss.empty() && m.complexity < simplest->complexity)
      if (auto d = difference(methods[best], m, weight, criterion); d.change == Change::noise) {
        simplest = &m;
        lead = std::move(d);
      }
  int tried = 0, least = simplest->complexity;
  for (const OutOfFold& m : methods.subspan(1))
    if (!m.loss.empty()) ++tried, least = std::min(least, m.complexity);
  const bool clear =
      clear_of_all(*out.gain, tried) ||
      (simplest->complexity == least && difference(*simplest, methods[0], weight, criterion).change == Change::better);
  if (out.gain->change != Change::better || !clear) {
    out.gain->change = Change::noise;
    return out;
  }
  out.method = out.best;
  out.lead = std::move(lead);
  return out;
}

}  // namespace tare::inner::answer
