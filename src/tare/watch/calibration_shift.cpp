#include "tare/watch/calibration_shift.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tare/infer/tests/smooth_test.hpp"
#include "tare/numeric/random/hypergeometric.hpp"
#include "tare/numeric/random/rng.hpp"

namespace tare::detail::watch {
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
  const auto add = [&](std::size_t j, double minus_log_p) {
    out.push_back({calibration_shift_parts[j], weights[j], minus_log_p});
  };
  add(0, infer::minus_log_tail(z[0] * z[0], 1));
  if (z.size() > 1) add(1, infer::minus_log_tail(z[1] * z[1], 1));
  if (z.size() > 2)
    add(2, infer::minus_log_tail(z.tail(z.size() - 2).squaredNorm(), static_cast<double>(z.size() - 2)));
  if (basis.starts.size() > 1) add(3, infer::minus_log_of_largest(largest_square(basis, u), basis.starts.size()));
  return out;
}

double max_part(const std::vector<TestPart>& parts) {
  double out = -HUGE_VAL;
  for (const TestPart& part : parts) out = std::max(out, std::log(part.weight) + part.minus_log_p);
  return out;
}

// What redrawn hits of today exceed their mean by: one column for each redrawing.
MatrixXd redrawn(const std::vector<Compared>& strata, std::size_t resamples, std::uint64_t seed, std::uint32_t day) {
  constexpr std::uint32_t stream = 0x6D6F7665;
  MatrixXd out(static_cast<Index>(strata.size()), static_cast<Index>(resamples));
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const Compared& c = strata[i];
    const numeric::Hypergeometric hits(static_cast<std::uint64_t>(c.rows), static_cast<std::uint64_t>(c.hits),
                                       static_cast<std::uint64_t>(c.today));
    for (std::size_t r = 0; r < resamples; ++r) {
      const auto words =
          numeric::random_block(seed, stream, static_cast<std::uint32_t>(r), std::uint64_t{day} << 32 | i);
      const double u = numeric::to_uniform(numeric::join(words[0], words[1]));
      out(static_cast<Index>(i), static_cast<Index>(r)) = static_cast<double>(hits.at(u)) - c.expected();
    }
  }
  return out;
}

constexpr double least_rows = 8;

Side side(const Period& period, std::size_t i) {
  return {period.rows[i], period.hits[i], period.score[i] * period.rows[i]};
}

// One for each score of either period.
std::vector<Stratum> by_score(const Period& before, const Period& today) {
  std::vector<Stratum> out;
  for (std::size_t i = 0, j = 0; i < before.size() || j < today.size();) {
    const bool first = j == today.size() || (i < before.size() && before.score[i] <= today.score[j]);
    const bool second = i == before.size() || (j < today.size() && today.score[j] <= before.score[i]);
    Stratum stratum;
    if (first) stratum.before = side(before, i++);
    if (second) stratum.today = side(today, j++);
    out.push_back(stratum);
  }
  return out;
}

std::vector<Stratum> of_equal_mass(const std::vector<Stratum>& scores, double rows_today) {
  const double parts = std::clamp(std::floor(rows_today / least_rows), 1.0, static_cast<double>(most_strata));
  std::vector<Stratum> out;
  double before = 0, last = -1;
  for (const Stratum& score : scores) {
    const double middle = before + score.today.rows - 0.5 * score.today.rows;
    before += score.today.rows;
    const double part = std::min(std::floor(middle * parts / rows_today), parts - 1);
    if (std::exchange(last, part) != part) out.emplace_back();
    out.back().join(score);
  }
  return out;
}

bool is_full(const Stratum& stratum) { return stratum.before.rows >= least_rows && stratum.today.rows >= least_rows; }

std::vector<Stratum> joined(const std::vector<Stratum>& parts) {
  std::vector<Stratum> out{parts.front()};
  for (std::size_t j = 1; j < parts.size(); ++j) {
    if (is_full(out.back())) out.emplace_back();
    out.back().join(parts[j]);
  }
  if (out.size() > 1 && !is_full(out.back())) {
    const Stratum rest = out.back();
    out.pop_back();
    out.back().join(rest);
  }
  return out;
}

}  // namespace

CalibrationShift calibration_shift(const Period& before, const Period& today, std::size_t resamples, std::uint64_t seed,
                                   std::uint32_t day) {
  const auto strata = compared(watch::strata(before, today));
  CalibrationShift out{.strata = strata.size(), .uncovered = 1};
  if (strata.empty()) return out;
  VectorXd u(static_cast<Index>(strata.size()));
  double overlap = 0, information = 0, covered = 0;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    u[static_cast<Index>(i)] = strata[i].seen - strata[i].drift - strata[i].expected();
    overlap += strata[i].overlap();
    information += strata[i].information();
    covered += strata[i].today;
  }
  out.change = u.sum() / overlap;
  out.se = std::sqrt(information) / overlap;
  out.uncovered = 1 - covered / today.all_rows();

  const Basis basis(strata);
  out.parts = parts_of(basis, u);
  const double observed = max_part(out.parts);
  const MatrixXd others = redrawn(strata, resamples, seed, day);
  std::size_t count = 1;
  for (Index r = 0; r < others.cols(); ++r) count += max_part(parts_of(basis, others.col(r))) >= observed - 1e-9;
  out.p_value = static_cast<double>(count) / static_cast<double>(resamples + 1);
  return out;
}

double kolmogorov_tail(double x) {
  if (x <= 0.05) return 1;
  double sum = 0;
  if (x < 1.2) {  // the distribution function, by the series that is short here
    for (int k = 1; k <= 9; k += 2) {
      const double a = k * std::numbers::pi / x;
      sum += std::exp(-a * a / 8);
    }
    return 1 - std::sqrt(2 * std::numbers::pi) / x * sum;
  }
  for (int k = 1; k <= 6; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return sum;
}

ScoreDrift score_drift(const Period& before, const Period& today) {
  const double n0 = before.all_rows(), n1 = today.all_rows();
  double below0 = 0, below1 = 0;
  ScoreDrift out{.mean = today.mean_score() - before.mean_score()};
  for (std::size_t i = 0, j = 0; i < before.size() && j < today.size();) {
    const double x = std::min(before.score[i], today.score[j]);
    if (before.score[i] == x) below0 += before.rows[i++];
    if (today.score[j] == x) below1 += today.rows[j++];
    out.distance = std::max(out.distance, std::abs(below0 / n0 - below1 / n1));
  }
  const double m = std::sqrt(n0 / (n0 + n1) * n1);
  out.p_value = kolmogorov_tail((m + 0.12 + 0.11 / m) * out.distance);
  return out;
}

void Stratum::join(const Stratum& other) {
  const auto add = [](Side& to, const Side& more) {
    to.rows += more.rows;
    to.hits += more.hits;
    to.score += more.score;
  };
  add(before, other.before);
  add(today, other.today);
}

std::vector<Stratum> strata(const Period& before, const Period& today) {
  auto out = by_score(before, today);
  return out.size() <= most_strata ? out : joined(of_equal_mass(out, today.all_rows()));
}

}  // namespace tare::detail::watch
