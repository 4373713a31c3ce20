#include "tare/infer/tests/smooth_test.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "tare/infer/resample/cells.hpp"
#include "tare/infer/tests/smooth_basis.hpp"
#include "tare/numeric/solve/log_gamma.hpp"

namespace tare::inner::infer {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// What the labels exceed their scores by, per group inside (0, 1).
VectorXd gaps(const numeric::Ordered& data, const SmoothBasis& basis) {
  const double unit = static_cast<double>(data.unit());
  VectorXd out(static_cast<Index>(basis.size()));
  for (std::size_t i = 0; i < basis.size(); ++i) {
    const std::size_t g = basis.first() + i;
    // Near 1 hits less expectation would be rounding, so misses are counted there.
    const double mass = static_cast<double>(data.mass(g)) / unit, s = data.score(g);
    out[static_cast<Index>(i)] = s < 0.5 ? static_cast<double>(data.hits(g)) / unit - mass * s
                                         : mass * (1 - s) - static_cast<double>(data.mass(g) - data.hits(g)) / unit;
  }
  return out;
}

struct Place {
  double square = 0;  // (sum r)^2 / sum v
  std::size_t from = 0, to = 0;
  bool fewer_hits = false;  // than the scores promise
};

Place largest_place(const SmoothBasis& basis, const VectorXd& gap) {
  const auto& cells = basis.cells();
  Place out{.square = -1};
  double before = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double sum = 0;
    for (std::size_t i = cells[c].from; i < cells[c].to; ++i) sum += gap[static_cast<Index>(i)];
    const auto look = [&](double excess, double information, std::size_t from) {
      const double square = excess * excess / information;
      if (square > out.square) out = {square, from, cells[c].to, excess < 0};
    };
    look(sum, cells[c].information, cells[c].from);
    if (c > 0) look(before + sum, cells[c - 1].information + cells[c].information, cells[c - 1].from);
    before = sum;
  }
  return out;
}

// The largest of up to 31 squares that overlap is about as large as that of 20 independent ones.
double minus_log_of_largest(double square, std::size_t cells) {
  const double one = minus_log_tail(square, 1), looks = std::min(20.0, 2 * static_cast<double>(cells) - 1);
  if (one >= 30) return one - std::log(looks);
  const double p = -std::expm1(looks * std::log1p(-std::min(std::exp(-one), 1 - 1e-16)));
  return -std::log(std::max(p, 1e-300));
}

struct Looked {
  enum { level, tilt, shape, tail, place, parts };
  std::array<std::optional<double>, parts> minus_log_p = {};
  double level_gap = 0, tilt_gap = 0;  // Z_0 and Z_1
  Place where = {};

  static constexpr std::array names{"level", "tilt", "shape", "tail", "place"};
  static constexpr std::array<double, parts> weights{3.0 / 9, 2.0 / 9, 2.0 / 9, 1.0 / 9, 1.0 / 9};

  [[nodiscard]] std::size_t loudest() const {
    std::size_t out = level;
    for (std::size_t j = 1; j < parts; ++j)
      if (minus_log_p[j] && std::log(weights[j]) + *minus_log_p[j] > std::log(weights[out]) + *minus_log_p[out])
        out = j;
    return out;
  }
  [[nodiscard]] double largest() const { return std::log(weights[loudest()]) + *minus_log_p[loudest()]; }
};

Looked look(const numeric::Ordered& data, const SmoothBasis& basis) {
  const VectorXd gap = gaps(data, basis);
  const VectorXd z = basis.phi().transpose() * gap;
  const Index terms = z.size(), rank_terms = basis.psi().cols();
  Looked out{.level_gap = z[0], .where = largest_place(basis, gap)};
  out.minus_log_p[Looked::level] = minus_log_tail(z[0] * z[0], 1);
  if (terms > 1) {
    out.tilt_gap = z[1];
    out.minus_log_p[Looked::tilt] = minus_log_tail(z[1] * z[1], 1);
  }
  if (terms > 2)
    out.minus_log_p[Looked::shape] = minus_log_tail(z.tail(terms - 2).squaredNorm(), static_cast<double>(terms - 2));
  if (rank_terms > 1)
    out.minus_log_p[Looked::tail] =
        minus_log_tail((basis.psi().transpose() * gap).squaredNorm(), static_cast<double>(rank_terms));
  if (basis.cells().size() > 1)
    out.minus_log_p[Looked::place] = minus_log_of_largest(out.where.square, basis.cells().size());
  return out;
}

// Of many different scores the cells of the redrawings are enough: they differ from the rows by about 1e-5 of T.
struct Seen {
  Looked looked = {};
  double from = 0, to = 1;  // scores of the place
};
Result<Seen> see(const measure::Sample& sample) {
  const auto on = [](const numeric::Ordered& data, const SmoothBasis& basis) -> Result<Seen> {
    if (basis.empty()) return labels_cannot_vary();
    Seen out{.looked = look(data, basis)};
    out.from = data.score(basis.first() + out.looked.where.from);
    out.to = data.score(basis.first() + out.looked.where.to - 1);
    return out;
  };
  const numeric::Ordered& rows = sample.ordered();
  if (rows.groups() <= 2 * usual_cells) return on(rows, sample.shared<SmoothBasis>());
  const Cells cells = make_cells(rows, options::bins.usual);
  return on(cells.ordered, SmoothBasis(cells.ordered));
}

}  // namespace

double minus_log_tail(double x, double k) {
  if (!(x > 0)) return 0;
  const double tail = k == 1 ? std::erfc(std::sqrt(x / 2)) : boost::math::gamma_q(k / 2, x / 2);
  if (tail > 0)
    if (const double out = -std::log(tail); out < 600) return out;
  const double half = std::max(x, 1.0) / 2;
  return half - (k / 2 - 1) * std::log(half) + numeric::log_gamma(k / 2);
}

Result<double> smooth_test(const measure::Sample& sample) {
  const auto seen = see(sample);
  if (!seen) return seen.error();
  return seen->looked.largest();
}

Result<TestEvidence> smooth_evidence(const measure::Sample& sample) {
  const auto seen = see(sample);
  if (!seen) return seen.error();
  const Looked& looked = seen->looked;
  TestEvidence out;
  for (std::size_t j = 0; j < Looked::parts; ++j)
    if (looked.minus_log_p[j]) out.parts.push_back({Looked::names[j], Looked::weights[j], *looked.minus_log_p[j]});
  const std::size_t loudest = looked.loudest();
  out.spoke = Looked::names[loudest];
  switch (loudest) {
    case Looked::level:
      out.finding = looked.level_gap < 0 ? Finding::too_high : Finding::too_low;
      break;
    case Looked::tilt:
      out.finding = looked.tilt_gap < 0 ? Finding::too_extreme : Finding::too_timid;
      break;
    default:
      out.finding = looked.where.fewer_hits ? Finding::too_high : Finding::too_low;
      out.from = seen->from;
      out.to = seen->to;
  }
  return out;
}

constinit const Test smooth_test_row{
    .name = "smooth_test",
    .title = "smooth test",
    .summary = "level, tilt, shape, tail and place of the gap between labels and scores; the loudest of the five",
    .citation = "this project, docs/methods/smooth_test.md",
    .statistic = smooth_test,
    .evidence = smooth_evidence};

}  // namespace tare::inner::infer
