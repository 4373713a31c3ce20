#include "tare/analysis/recommendation.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "tare/numeric/special.hpp"

namespace tare::detail::analysis {
namespace {

constexpr int a_few = 2, few_per_class = 3;  // Calibrator::complexity

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

double error_of(const Difference& d) { return (d.high - d.value) / numeric::z95; }

// More than noise: 95% for a method that is simple, which is one look. The best of all that are tried looks better than
// it is, so the others share 5% in the direction of a gain.
bool clear(const Difference& gain, bool simple, double tried) {
  if (gain.change != Change::better || simple) return gain.change == Change::better;
  return !std::isfinite(gain.value) || gain.value < -error_of(gain) * numeric::normal_quantile(1 - 0.05 / tried);
}

// The gain that remains after standard errors are taken off: the more freely a method fits, the more of its gain out of
// fold may be noise.
double cautious(const Difference& gain, int complexity) {
  if (!std::isfinite(gain.value)) return -gain.value;
  return -gain.value - error_of(gain) * (complexity <= a_few ? 0.5 : complexity <= few_per_class ? 1 : 1.5);
}

// Where the winner's lead over a simpler method may be noise: over the simplest of them.
std::optional<Difference> lead_of(const OutOfFold& winner, std::span<const OutOfFold> methods,
                                  std::span<const double> weight, Criterion criterion) {
  int least = winner.complexity;
  std::optional<Difference> out;
  for (const OutOfFold& m : methods) {
    if (m.loss.empty() || m.complexity >= least || m.mean < winner.mean) continue;
    if (auto d = difference(winner, m, weight, criterion); d.change == Change::noise) {
      least = m.complexity;
      out = std::move(d);
    }
  }
  return out;
}

}  // namespace

Winner recommend(std::span<const OutOfFold> methods, std::span<const double> weight, Criterion criterion) {
  std::size_t best = 0;
  int tried = 0, simple = INT_MAX;
  for (std::size_t m = 1; m < methods.size(); ++m) {
    if (methods[m].loss.empty()) continue;
    ++tried;
    simple = std::min(simple, methods[m].complexity);
    if (methods[m].mean < methods[best].mean) best = m;
  }
  simple = std::max(simple, a_few);
  Winner out{
      .method = std::string(methods[0].method), .criterion = criterion, .best = std::string(methods[best].method)};
  if (best == 0) return out;
  const OutOfFold* winner = nullptr;
  for (const OutOfFold& m : methods.subspan(1)) {
    if (m.loss.empty()) continue;
    auto gain = difference(m, methods[0], weight, criterion);
    if (!clear(gain, m.complexity <= simple, tried)) continue;
    if (winner) {
      const double more = cautious(gain, m.complexity), most = cautious(*out.gain, winner->complexity);
      if (more < most || (!(more > most) && m.mean >= winner->mean)) continue;
    }
    winner = &m;
    out.gain = std::move(gain);
  }
  if (!winner) {
    out.gain = difference(methods[best], methods[0], weight, criterion);
    out.gain->change = Change::noise;
    return out;
  }
  out.method = std::string(winner->method);
  out.lead = lead_of(*winner, methods.subspan(1), weight, criterion);
  return out;
}

}  // namespace tare::detail::analysis
