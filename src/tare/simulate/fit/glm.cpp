#include "tare/simulate/fit/glm.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>

#include "tare/numeric/parallel.hpp"

namespace tare::detail::simulate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The distance x of a saturated score from its end has a density like x^(b-1): x = saturation w^(1/b) with w
// uniform. Gauss-Legendre in s with w = s^4, which smooths the powers w^(b1/b) that the curves are there.
struct Nodes {
  std::vector<double> w;
  std::vector<double> weight;
};

const Nodes& nodes() {
  static const Nodes made = [] {
    using Rule = boost::math::quadrature::gauss<double, 40>;
    Nodes out;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
      for (const double sign : {-1.0, 1.0}) {
        const double s = (1 + sign * Rule::abscissa()[i]) / 2;
        out.w.push_back(s * s * s * s);
        out.weight.push_back(4 * s * s * s * Rule::weights()[i] / 2);
      }
    return out;
  }();
  return made;
}

// Calls f with the link as a constant.
template <class F>
auto with_link(Link link, const F& f) {
  if (link == Link::log) return f(std::integral_constant<Link, Link::log>());
  if (link == Link::logflip) return f(std::integral_constant<Link, Link::logflip>());
  return f(std::integral_constant<Link, Link::logit>());
}

// A row's part of the likelihood and its two derivatives in v = b0 + b1 t, and the expected second one.
struct Loss {
  double nll = 0;
  double slope = 0;
  double curvature = 0;
  double expected = 0;
};

// -h v - m ln(1 - e^v), for v <= 0: h rows of probability e^v.
Loss exponential_part(double v, double h, double m) {
  if (v > 0 || (v == 0 && m > 0)) return {infinity};
  if (v == 0) return {0, -h, 0, 0};
  const double p = std::exp(v), q = -std::expm1(v);
  return {-h * v - (m > 0 ? m * std::log(q) : 0), -h + m * p / q, m * p / (q * q), (h + m) * p / q};
}

template <Link link>
Loss part(double v, double hits, double misses) {
  if constexpr (link == Link::log) return exponential_part(v, hits, misses);
  if constexpr (link == Link::logflip) return exponential_part(v, misses, hits);
  if constexpr (link == Link::logit) {
    const double e = std::exp(-std::abs(v)), big = 1 / (1 + e), small = e / (1 + e);
    const double p = v < 0 ? small : big, q = v < 0 ? big : small, log_big = std::log1p(e);  // -ln big
    const double curvature = (hits + misses) * big * small;
    return {(hits + misses) * log_big + (v < 0 ? -hits * v : misses * v), misses * p - hits * q, curvature, curvature};
  }
}

// The rate of misses and its first two derivatives in v.
template <Link link>
std::array<double, 3> miss_rate(double v) {
  const double q = inverse_miss<link>(v), p = inverse_hit<link>(v);
  if constexpr (link == Link::log) return {q, -p, -p};
  if constexpr (link == Link::logflip) return {q, q, q};
  if constexpr (link == Link::logit) return {q, -p * q, p * q * (p - q)};
}

void add(GlmValue& to, const Loss& p, double t) {
  to.nll += p.nll;
  to.gradient[0] += p.slope;
  to.gradient[1] += p.slope * t;
  to.hessian[0] += p.curvature;
  to.hessian[1] += p.curvature * t;
  to.hessian[2] += p.curvature * t * t;
  to.expected[0] += p.expected;
  to.expected[1] += p.expected * t;
  to.expected[2] += p.expected * t * t;
}

void add(GlmValue& to, const GlmValue& part) {
  to.nll += part.nll;
  for (std::size_t i = 0; i < 2; ++i) to.gradient[i] += part.gradient[i];
  for (std::size_t i = 0; i < 3; ++i) to.hessian[i] += part.hessian[i], to.expected[i] += part.expected[i];
}

// Rows whose rate of misses is the mean over nodes t.
template <Link link>
GlmValue tail_part(const GlmCell& rows, const std::vector<double>& t, double b0, double b1) {
  const auto& weight = nodes().weight;
  double q = 0, p = 0;
  std::array<double, 2> d = {};
  std::array<double, 3> dd = {};
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double v = b1 == 0 ? b0 : b0 + b1 * t[i];
    if (link != Link::logit && v > 0) return {.nll = infinity};
    const auto [rate, slope, curvature] = miss_rate<link>(v);
    q += weight[i] * rate;
    p += weight[i] * inverse_hit<link>(v);
    d[0] += weight[i] * slope;
    d[1] += weight[i] * slope * t[i];
    dd[0] += weight[i] * curvature;
    dd[1] += weight[i] * curvature * t[i];
    dd[2] += weight[i] * curvature * t[i] * t[i];
  }
  if ((rows.misses > 0 && !(q > 0)) || (rows.hits > 0 && !(p > 0))) return {.nll = infinity};
  const double h = rows.hits > 0 ? rows.hits / p : 0, m = rows.misses > 0 ? rows.misses / q : 0;
  GlmValue out{.nll =
                   -(rows.hits > 0 ? rows.hits * std::log(p) : 0) - (rows.misses > 0 ? rows.misses * std::log(q) : 0)};
  const double square = (rows.hits > 0 ? h / p : 0) + (rows.misses > 0 ? m / q : 0);
  const double expected = p > 0 && q > 0 ? (rows.hits + rows.misses) / (p * q) : 0;
  const std::array<double, 3> dyad = {d[0] * d[0], d[0] * d[1], d[1] * d[1]};
  for (std::size_t i = 0; i < 2; ++i) out.gradient[i] = (h - m) * d[i];
  for (std::size_t i = 0; i < 3; ++i) {
    out.hessian[i] = square * dyad[i] + (h - m) * dd[i];
    out.expected[i] = expected * dyad[i];
  }
  return out;
}

}  // namespace

GlmRows glm_rows(const numeric::Ordered& data, const BetaFit& scores) {
  GlmRows out;
  const bool censor = scores.saturated == Saturated::censor;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    const double unit = static_cast<double>(data.unit());
    const double hits = static_cast<double>(data.hits(g)) / unit, all = static_cast<double>(data.mass(g)) / unit;
    const double c = data.score(g);
    if (all == 0 || (!censor && (c == 0 || c == 1))) continue;
    out.hits += hits;
    out.misses += all - hits;
    GlmCell* const end = !censor ? nullptr : saturated_high(c) ? &out.high : saturated_low(c) ? &out.low : nullptr;
    if (end) {
      end->hits += hits;
      end->misses += all - hits;
    } else {
      out.cells.push_back({{c, 1 - c}, hits, all - hits});
    }
  }
  for (const double w : nodes().w) {
    const double u = saturation * std::pow(w, 1 / scores.beta), c = saturation * std::pow(w, 1 / scores.alpha);
    // below 1e-300 logarithms would become infinite, and their weight is nothing
    out.high_nodes.push_back({1 - u, std::max(u, 1e-300)});
    out.low_nodes.push_back({std::max(c, 1e-300), 1 - c});
  }
  return out;
}

GlmRows coarser(const GlmRows& rows, std::size_t cells) {
  GlmRows out = rows;
  if (rows.cells.size() <= cells) return out;
  out.cells.clear();
  const std::size_t n = rows.cells.size();
  for (std::size_t j = 0; j < cells; ++j) {
    const std::size_t first = j * n / cells, last = (j + 1) * n / cells;
    GlmCell joined{rows.cells[(first + last) / 2].at};
    for (std::size_t i = first; i < last; ++i) {
      joined.hits += rows.cells[i].hits;
      joined.misses += rows.cells[i].misses;
    }
    out.cells.push_back(joined);
  }
  return out;
}

Glm::Glm(const GlmRows& rows, Link link, Link transform) : rows_(rows), link_(link), highest_(-infinity) {
  const auto put = [&](std::vector<double>& to, ScorePoint p) {
    to.push_back(with_link(transform, [&](auto f) { return transformed<f()>(p); }));
    highest_ = std::max(highest_, to.back());
  };
  t_.reserve(rows.cells.size());
  for (const GlmCell& cell : rows.cells) {
    numeric::stop_if_asked_at(t_.size());
    put(t_, cell.at);
  }
  if (rows.high.hits + rows.high.misses > 0)
    for (const ScorePoint p : rows.high_nodes) put(high_, p);
  if (rows.low.hits + rows.low.misses > 0)
    for (const ScorePoint p : rows.low_nodes) put(low_, p);
}

template <Link link>
GlmValue Glm::evaluate(double b0, double b1) const {
  GlmValue out;
  constexpr std::size_t block = 1024;  // sums of sums: rounding grows with the block, not with the rows
  for (std::size_t first = 0; first < t_.size(); first += block) {
    numeric::stop_if_asked_at(first);
    GlmValue sum;
    for (std::size_t i = first; i < std::min(first + block, t_.size()); ++i) {
      const double v = b1 == 0 ? b0 : b0 + b1 * t_[i];
      add(sum, part<link>(v, rows_.cells[i].hits, rows_.cells[i].misses), t_[i]);
    }
    add(out, sum);
    if (out.nll == infinity) return out;
  }
  if (!high_.empty()) add(out, tail_part<link>(rows_.high, high_, b0, b1));
  if (!low_.empty()) add(out, tail_part<link>(rows_.low, low_, b0, b1));
  return out;
}

GlmValue Glm::operator()(double b0, double b1) const {
  return with_link(link_, [&](auto link) { return evaluate<link()>(b0, b1); });
}

double identity_nll(const GlmRows& rows) {
  return Glm(rows, Link::logit, Link::logit)(0, 1).nll;  // sigma(logit c) = c
}

}  // namespace tare::detail::simulate
