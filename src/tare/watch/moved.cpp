#include "tare/watch/moved.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tare/infer/tests/smooth_basis.hpp"
#include "tare/infer/tests/smooth_test.hpp"
#include "tare/numeric/random/hypergeometric.hpp"
#include "tare/numeric/random/rng.hpp"
#include "tare/watch/strata.hpp"

namespace tare::inner::watch {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_terms = 8;
constexpr std::size_t equal_cells = 16;  // of equal information
constexpr std::ptrdiff_t reach = 5;      // strata each side of a slope
constexpr std::array weights{3.0 / 8, 2.0 / 8, 2.0 / 8, 1.0 / 8};

// A stratum that can tell.
struct Compared {
  double rows = 0, hits = 0, today = 0, seen = 0;  // both periods; rows and hits of today
  double drift = 0;                                // hits that the slope explains
  [[nodiscard]] double expected() const { return today * hits / rows; }
  [[nodiscard]] double overlap() const { return today * (rows - today) / rows; }
  [[nodiscard]] double information() const {
    return today * (rows - today) * hits * (rows - hits) / (rows * rows * (rows - 1));
  }
};

// The slope of the pooled curve around a stratum: least squares of the hit rate on the mean score.
double slope_at(const std::vector<Stratum>& all, std::size_t at) {
  double rows = 0, score = 0, hits = 0, squares = 0, products = 0;
  const auto from = std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) - reach, 0);
  const auto to = std::min(static_cast<std::ptrdiff_t>(at) + reach + 1, static_cast<std::ptrdiff_t>(all.size()));
  for (std::ptrdiff_t j = from; j < to; ++j) {
    const Stratum& s = all[static_cast<std::size_t>(j)];
    const double n = s.before.rows + s.today.rows;
    const double x = (s.before.rows * s.before.mean() + s.today.rows * s.today.mean()) / n;
    const double h = s.before.hits + s.today.hits;
    rows += n, score += n * x, hits += h, squares += n * x * x, products += x * h;
  }
  const double mean = score / rows, variance = squares / rows - mean * mean;
  return variance > 1e-12 ? (products / rows - mean * hits / rows) / variance : 0;
}

std::vector<Compared> compared(const std::vector<Stratum>& all) {
  std::vector<Compared> out;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const auto& [before, today] = all[j];
    Compared c{before.rows + today.rows, before.hits + today.hits, today.rows, today.hits};
    if (before.rows == 0 || today.rows == 0 || c.hits == 0 || c.hits == c.rows) continue;
    c.drift = slope_at(all, j) * c.overlap() * (today.mean() - before.mean());
    out.push_back(c);
  }
  return out;
}

// Directions and cells that depend on the margins alone.
struct Basis {
  MatrixXd phi;
  std::vector<Index> starts;        // of cells of equal information
  std::vector<double> information;  // of each cell

  explicit Basis(const std::vector<Compared>& strata) {
    VectorXd w(static_cast<Index>(strata.size())), time(w.size());
    for (std::size_t i = 0; i < strata.size(); ++i) w[static_cast<Index>(i)] = strata[i].information();
    double before = 0;
    std::size_t last = equal_cells;
    for (Index i = 0; i < w.size(); ++i) {
      time[i] = (before + w[i] - 0.5 * w[i]) / w.sum();
      before += w[i];
      const auto here = std::min(static_cast<std::size_t>(time[i] * equal_cells), equal_cells - 1);
      if (std::exchange(last, here) != here) {
        starts.push_back(i);
        information.push_back(0);
      }
      information.back() += w[i];
    }
    phi = infer::orthonormal_polynomials(time, w, std::min(most_terms, strata.size()));
  }
};

double largest_square(const Basis& basis, const VectorXd& u) {
  double out = 0, before = 0;
  for (std::size_t c = 0; c < basis.starts.size(); ++c) {
    const Index to = c + 1 < basis.starts.size() ? basis.starts[c + 1] : u.size();
    const double sum = u.segment(basis.starts[c], to - basis.starts[c]).sum(), w = basis.information[c];
    out = std::max(out, sum * sum / w);
    if (c > 0) out = std::max(out, (before + sum) * (before + sum) / (basis.information[c - 1] + w));
    before = sum;
  }
  return out;
}

std::vector<TestPart> parts_of(const Basis& basis, const VectorXd& u) {
  const VectorXd z = basis.phi.transpose() * u;
  std::vector<TestPart> out;
  const auto add = [&](std::size_t j, double minus_log_p) { out.push_back({moved_parts[j], weights[j], minus_log_p}); };
  add(0, infer::minus_log_tail(z[0] * z[0], 1));
  if (z.size() > 1) add(1, infer::minus_log_tail(z[1] * z[1], 1));
  if (z.size() > 2)
    add(2, infer::minus_log_tail(z.tail(z.size() - 2).squaredNorm(), static_cast<double>(z.size() - 2)));
  if (basis.starts.size() > 1) add(3, infer::minus_log_of_largest(largest_square(basis, u), basis.starts.size()));
  return out;
}

double loudest(const std::vector<TestPart>& parts) {
  double out = -HUGE_VAL;
  for (const TestPart& part : parts) out = std::max(out, std::log(part.weight) + part.minus_log_p);
  return out;
}

// What redrawn hits of today exceed their mean by: one column for each redrawing.
MatrixXd redrawn(const std::vector<Compared>& strata, std::size_t resamples, std::uint64_t seed) {
  constexpr std::uint32_t stream = 0x6D6F7665;
  MatrixXd out(static_cast<Index>(strata.size()), static_cast<Index>(resamples));
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const Compared& c = strata[i];
    const numeric::Hypergeometric hits(static_cast<std::uint64_t>(c.rows), static_cast<std::uint64_t>(c.hits),
                                       static_cast<std::uint64_t>(c.today));
    for (std::size_t r = 0; r < resamples; ++r) {
      const auto words = numeric::random_block(seed, stream, static_cast<std::uint32_t>(r), i);
      const double u = numeric::to_uniform(numeric::join(words[0], words[1]));
      out(static_cast<Index>(i), static_cast<Index>(r)) = static_cast<double>(hits.at(u)) - c.expected();
    }
  }
  return out;
}

}  // namespace

Moved moved(const Period& before, const Period& today, std::size_t resamples, std::uint64_t seed) {
  const auto strata = compared(watch::strata(before, today));
  Moved out{.strata = strata.size(), .untold = 1};
  if (strata.empty()) return out;
  VectorXd u(static_cast<Index>(strata.size()));
  double overlap = 0, information = 0, told = 0;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    u[static_cast<Index>(i)] = strata[i].seen - strata[i].drift - strata[i].expected();
    overlap += strata[i].overlap();
    information += strata[i].information();
    told += strata[i].today;
  }
  out.change = u.sum() / overlap;
  out.se = std::sqrt(information) / overlap;
  out.untold = 1 - told / today.all_rows();

  const Basis basis(strata);
  out.parts = parts_of(basis, u);
  const double observed = loudest(out.parts);
  const MatrixXd others = redrawn(strata, resamples, seed);
  std::size_t count = 1;
  for (Index r = 0; r < others.cols(); ++r) count += loudest(parts_of(basis, others.col(r))) >= observed - 1e-9;
  out.p_value = static_cast<double>(count) / static_cast<double>(resamples + 1);
  return out;
}

}  // namespace tare::inner::watch
