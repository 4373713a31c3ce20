#include "tare/infer/tests/smooth_test.hpp"

#include <algorithm>
#include <cmath>

#include "tare/infer/resample/null.hpp"
#include "tare/numeric/solve/symmetric.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::infer {
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

struct Looked {
  enum { level, tilt, shape, tail, place, parts };
  std::array<std::optional<double>, parts> minus_log_p = {};
  double level_gap = 0, tilt_gap = 0;  // Z_0 and Z_1
  Place where = {};

  static constexpr std::array names{"level", "tilt", "shape", "tail", "place"};
  static constexpr std::array<double, parts> weights{3.0 / 9, 2.0 / 9, 2.0 / 9, 1.0 / 9, 1.0 / 9};

  [[nodiscard]] std::size_t max_part() const {
    std::size_t out = level;
    for (std::size_t j = 1; j < parts; ++j)
      if (minus_log_p[j] && std::log(weights[j]) + *minus_log_p[j] > std::log(weights[out]) + *minus_log_p[out])
        out = j;
    return out;
  }
  [[nodiscard]] double largest() const { return std::log(weights[max_part()]) + *minus_log_p[max_part()]; }
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

// The square at which a part of `degrees` has this -log p; the other way round than minus_log_tail.
double square_at(double minus_log_p, double degrees) {
  if (!(minus_log_p > 0)) return 0;
  if (minus_log_p > 600) return 2 * minus_log_p;
  return 2 * numeric::gamma_q_inv(degrees / 2, std::exp(-minus_log_p));
}

// The same for the largest of several cells.
double square_of_largest(double minus_log_p, std::size_t cells) {
  if (!(minus_log_p > 0)) return 0;
  const double looks = std::min(20.0, 2 * static_cast<double>(cells) - 1);
  const double one = minus_log_p >= 30 ? minus_log_p + std::log(looks)
                                       : -std::log(-std::expm1(std::log1p(-std::exp(-minus_log_p)) / looks));
  return square_at(one, 1);
}

// Labels against scores, squared, over what v expects: at least 1.
double excess_spread(const numeric::Ordered& data, const SmoothBasis& basis, const VectorXd& size, std::size_t from,
                     std::size_t to) {
  double seen = 0, expected = 0;
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t g = basis.first() + i;
    const double s = data.score(g), hits = static_cast<double>(data.hits(g)), mass = static_cast<double>(data.mass(g));
    seen += size[static_cast<Index>(i)] * (hits * (1 - s) * (1 - s) + (mass - hits) * s * s);
    expected += size[static_cast<Index>(i)] * mass * s * (1 - s);
  }
  return std::max(1.0, seen / expected);
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

using Eigen::MatrixXd;

constexpr double least_norm = 1e-7;  // below: no new direction, as when there are as many terms as scores

}  // namespace

double minus_log_tail(double x, double k) {
  if (!(x > 0)) return 0;
  const double tail = k == 1 ? std::erfc(std::sqrt(x / 2)) : numeric::gamma_q(k / 2, x / 2);
  if (tail > 0)
    if (const double out = -std::log(tail); out < 600) return out;
  const double half = std::max(x, 1.0) / 2;
  return half - (k / 2 - 1) * std::log(half) + numeric::log_gamma(k / 2);
}

// The largest of up to 31 squares that overlap is about as large as that of 20 independent ones.
double minus_log_of_largest(double square, std::size_t cells) {
  const double one = minus_log_tail(square, 1), looks = std::min(20.0, 2 * static_cast<double>(cells) - 1);
  if (one >= 30) return one - std::log(looks);
  const double p = -std::expm1(looks * std::log1p(-std::min(std::exp(-one), 1 - 1e-16)));
  return -std::log(std::max(p, 1e-300));
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
  const std::size_t max_part = looked.max_part();
  out.spoke = Looked::names[max_part];
  if (max_part == Looked::tilt) {
    out.finding = looked.tilt_gap < 0 ? Finding::too_extreme : Finding::too_timid;
    return out;
  }
  const bool at_place = max_part != Looked::level;
  out.finding = (at_place ? looked.where.fewer_hits : looked.level_gap < 0) ? Finding::too_high : Finding::too_low;
  if (at_place) {
    out.from = seen->from;
    out.to = seen->to;
  }
  return out;
}

LeastError least_error(const measure::Sample& sample, double critical) {
  const numeric::Ordered& data = sample.ordered();
  const SmoothBasis& basis = sample.shared<SmoothBasis>();
  LeastError out;
  if (basis.empty()) return out;
  const double total = data.weight(), unit = static_cast<double>(data.unit());
  const VectorXd gap = gaps(data, basis);
  VectorXd mass(gap.size());
  for (Index i = 0; i < mass.size(); ++i)
    mass[i] = static_cast<double>(data.mass(basis.first() + static_cast<std::size_t>(i))) / unit;
  const auto limit = [&](std::size_t part, double degrees) {
    return std::sqrt(square_at(critical - std::log(Looked::weights[part]), degrees));
  };
  const auto part = [&](std::size_t which, const Eigen::Ref<const Eigen::MatrixXd>& directions) {
    if (directions.cols() == 0) return;
    const double over = (directions.transpose() * gap).norm() - limit(which, static_cast<double>(directions.cols()));
    if (!(over > 0)) return;
    const VectorXd size = directions.rowwise().squaredNorm();
    const Eigen::MatrixXd gram = directions.transpose() * (mass.asDiagonal() * directions);
    const double sure = over / excess_spread(data, basis, size, 0, basis.size());
    out.mean = std::max(out.mean, sure / (total * std::sqrt(size.maxCoeff())));
    out.square = std::max(out.square, sure / std::sqrt(total * numeric::largest_eigenvalue(gram)));
  };
  const auto& phi = basis.phi();
  part(Looked::level, phi.leftCols(1));
  part(Looked::tilt, phi.middleCols(std::min<Index>(1, phi.cols()), std::min<Index>(1, phi.cols() - 1)));
  part(Looked::shape, phi.rightCols(std::max<Index>(0, phi.cols() - 2)));
  if (basis.psi().cols() > 1) part(Looked::tail, basis.psi());
  if (basis.cells().size() > 1) {
    const Place place = largest_place(basis, gap);
    const auto first = static_cast<Index>(place.from), count = static_cast<Index>(place.to - place.from);
    double information = 0;
    for (std::size_t i = place.from; i < place.to; ++i) {
      const double s = data.score(basis.first() + i);
      information += mass[static_cast<Index>(i)] * s * (1 - s);
    }
    const double c =
        std::sqrt(square_of_largest(critical - std::log(Looked::weights[Looked::place]), basis.cells().size()));
    if (const double over = std::abs(gap.segment(first, count).sum()) - c * std::sqrt(information); over > 0) {
      const double sure = over / excess_spread(data, basis, VectorXd::Ones(gap.size()), place.from, place.to);
      out.mean = std::max(out.mean, sure / total);
      out.square = std::max(out.square, sure / std::sqrt(total * mass.segment(first, count).sum()));
    }
  }
  out.level_limit = limit(Looked::level, 1);
  return out;
}

constinit const Test smooth_test_row{
    .name = "smooth_test",
    .title = "smooth test",
    .summary = "level, tilt, shape, tail and place of the gap between labels and scores; the loudest of the five",
    .citation = "this project, docs/methods/smooth_test.md",
    .statistic = smooth_test,
    .evidence = smooth_evidence};

// Gram-Schmidt, twice against rounding.
MatrixXd orthonormal_polynomials(const VectorXd& x, const VectorXd& v, std::size_t terms) {
  const double low = x.minCoeff(), width = x.maxCoeff() - low, total = v.sum();
  const VectorXd share = v / total;
  const VectorXd place =
      width > 0 ? VectorXd((2 * (x.array() - low) / width - 1).matrix()) : VectorXd(VectorXd::Zero(x.size()));
  MatrixXd out(x.size(), static_cast<Index>(terms));
  out.col(0).setOnes();
  Index k = 1;
  for (; k < out.cols(); ++k) {
    VectorXd f = place.cwiseProduct(out.col(k - 1));
    const auto before = out.leftCols(k);
    for (int again = 0; again < 2; ++again) f -= before * (before.transpose() * share.cwiseProduct(f)).eval();
    const double norm = std::sqrt(f.cwiseAbs2().dot(share));
    if (!(norm > least_norm)) break;
    out.col(k) = f / norm;
  }
  return out.leftCols(k) / std::sqrt(total);
}

SmoothBasis::SmoothBasis(const numeric::Ordered& data, int) {
  std::size_t last = data.groups();
  if (last > 0 && data.score(0) == 0) first_ = 1;
  if (last > first_ && data.score(last - 1) == 1) --last;
  if (last == first_) return;
  const std::size_t groups = last - first_;
  const double unit = static_cast<double>(data.unit());
  VectorXd v(static_cast<Index>(groups)), rank(v.size());
  for (std::size_t i = 0; i < groups; ++i) {
    const double s = data.score(first_ + i);
    v[static_cast<Index>(i)] = static_cast<double>(data.mass(first_ + i)) / unit * s * (1 - s);
    rank[static_cast<Index>(i)] =
        (static_cast<double>(data.mass_before(first_ + i)) + static_cast<double>(data.mass_before(first_ + i + 1))) /
        (2 * unit);
  }
  const double all = v.sum();
  VectorXd time(v.size());
  double before = 0;
  std::size_t part = equal_cells;  // of the cell that is filled; at first there is none
  for (Index i = 0; i < v.size(); ++i) {
    time[i] = (before + v[i] / 2) / all;
    before += v[i];
    const std::size_t at = static_cast<std::size_t>(i);
    const auto here = std::min(static_cast<std::size_t>(time[i] * equal_cells), equal_cells - 1);
    if (std::exchange(part, here) != here) cells_.push_back({at, at, 0});
    cells_.back().to = at + 1;
    cells_.back().information += v[i];
  }
  phi_ = orthonormal_polynomials(time, v, groups <= few_scores ? groups : most_terms);
  psi_ = orthonormal_polynomials(rank, v, rank_terms);
}

SmoothBasis::~SmoothBasis() = default;

}  // namespace tare::detail::infer
