#include "tare/numeric/random/poisson_binomial.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "tare/numeric/special.hpp"

namespace tare::detail::numeric {
namespace {

constexpr double negligible = 1e-60;   // left out of a table
constexpr double small_tail = 1e-20;   // a table is not trusted to be shifted beyond it
constexpr std::uint64_t many = 32;     // rows of one probability are added at once
constexpr double furthest_shift = 60;  // in log-odds

// Values below `negligible` at both ends go.
void trim(std::vector<double>& f, double& low) {
  const auto is_left = [](double x) { return x >= negligible; };
  const auto first = std::find_if(f.begin(), f.end(), is_left);
  f.erase(std::find_if(f.rbegin(), f.rend(), is_left).base(), f.end());
  low += static_cast<double>(first - f.begin());
  f.erase(f.begin(), first);
}

// One row more.
void add_row(const std::vector<double>& f, double p, std::vector<double>& out) {
  const std::size_t n = f.size();
  const double q = 1 - p;
  out.resize(n + 1);
  out[0] = f[0] * q;
  for (std::size_t i = 1; i < n; ++i) out[i] = f[i] * q + f[i - 1] * p;
  out[n] = f[n - 1] * p;
}

// Binomial probabilities of low, low + 1, ..., from the mode outwards.
std::vector<double> binomial(double n, double p, double& low) {
  const double mode = std::min(n, std::floor((n + 1) * p)), odds = p / (1 - p);
  const double peak = std::exp(log_gamma(n + 1) - log_gamma(mode + 1) - log_gamma(n - mode + 1) + mode * std::log(p) +
                               (n - mode) * std::log1p(-p));
  std::vector<double> down, out;
  for (double k = mode, f = peak; k > 0 && f >= negligible; --k) {
    f *= k / ((n - k + 1) * odds);
    down.push_back(f);
  }
  low = mode - static_cast<double>(down.size());
  out.assign(down.rbegin(), down.rend());
  for (double k = mode, f = peak; k <= n && f >= negligible; ++k) {
    out.push_back(f);
    f *= (n - k) * odds / (k + 1);
  }
  return out;
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
  return out;
}

// (1 - Phi(w)) / phi(w).
double mills(double w) {
  if (w > 30) return (1 - (1 - 3 / (w * w)) / (w * w)) / w;
  return std::erfc(w / std::numbers::sqrt2) / 2 * std::sqrt(2 * std::numbers::pi) * std::exp(w * w / 2);
}

// log P(Z > z + skewness (1 - z^2) / 6) for a standard normal Z: the first term of Edgeworth's series.
double log_edgeworth(double z, double skewness) {
  return std::log(std::max(std::erfc((z + skewness * (1 - z * z) / 6) / std::numbers::sqrt2) / 2, 1e-300));
}

}  // namespace

ShiftedRows::ShiftedRows(std::span<const double> p, std::span<const std::uint64_t> count) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double x = std::clamp(p[i], least, 1 - least), m = static_cast<double>(count[i]), v = x * (1 - x);
    p_.push_back(x);
    count_.push_back(m);
    rows_ += m;
    mean_ += m * x;
    variance_ += m * v;
    third_ += m * v * (1 - 2 * x);
    fourth_ += m * v * (1 - 6 * v);
  }
}

double ShiftedRows::skewness() const { return third_ / (variance_ * std::sqrt(variance_)); }

double ShiftedRows::log_moment(double t) const {
  double sum = 0;
  const double rise = std::expm1(t);
  for (std::size_t i = 0; i < p_.size(); ++i) sum += count_[i] * std::log1p(p_[i] * rise);
  return sum;
}

// x e^t / (1 + x (e^t - 1)), written so that no large t overflows.
double ShiftedRows::mean(double t) const {
  double sum = 0;
  const double down = std::expm1(-t);
  for (std::size_t i = 0; i < p_.size(); ++i) sum += count_[i] * p_[i] / (1 + (1 - p_[i]) * down);
  return sum;
}

double ShiftedRows::variance(double t) const {
  double sum = 0;
  const double down = std::expm1(-t);
  for (std::size_t i = 0; i < p_.size(); ++i) {
    const double x = p_[i] / (1 + (1 - p_[i]) * down);
    sum += count_[i] * x * (1 - x);
  }
  return sum;
}

// Newton's steps, halved into the bracket where they leave it.
double ShiftedRows::shift_to(double k) const {
  double low = -furthest_shift, high = furthest_shift, t = 0;
  for (int step = 0; step < 100; ++step) {
    const double off = mean(t) - k;
    if (std::abs(off) <= 1e-12 * (1 + k)) break;
    (off > 0 ? high : low) = t;
    double to = t - off / variance(t);
    if (!(to > low && to < high)) to = (low + high) / 2;
    if (to == t) break;
    t = to;
  }
  return t;
}

PoissonBinomial::PoissonBinomial(std::span<const double> p, std::span<const std::uint64_t> count, ShiftedRows few)
    : few_(std::move(few)) {
  if (few_.variance() < table_variance) make_table(p, count);
}

void PoissonBinomial::make_table(std::span<const double> p, std::span<const std::uint64_t> count) {
  std::vector<double> f{1}, next;
  std::size_t steps = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double x = std::clamp(p[i], ShiftedRows::least, 1 - ShiftedRows::least);
    if (count[i] >= many) {
      double low = 0;
      f = convolved(f, binomial(static_cast<double>(count[i]), x, low));
      low_ += low;
      trim(f, low_);
    } else {
      for (std::uint64_t r = 0; r < count[i]; ++r) {
        add_row(f, x, next);
        f.swap(next);
        if (++steps % 32 == 0) trim(f, low_);
      }
    }
  }
  trim(f, low_);
  table_ = std::move(f);
  below_ = above_ = table_;
  for (std::size_t i = 1; i < table_.size(); ++i) below_[i] += below_[i - 1];
  for (std::size_t i = table_.size() - 1; i-- > 0;) above_[i] += above_[i + 1];
}

bool PoissonBinomial::in_table(double k) const {
  if (k < low_ || k >= low_ + static_cast<double>(table_.size())) return false;
  const auto i = static_cast<std::size_t>(k - low_);
  return std::min(below_[i], above_[i]) > small_tail;
}

PoissonBinomial::Saddle PoissonBinomial::saddle(double bound) const {
  const double at = few_.shift_to(bound);
  return {.bound = bound, .at = at, .log_moment = few_.log_moment(at), .variance = few_.variance(at)};
}

double PoissonBinomial::log_tail(const Saddle& s, double t, bool upper) const {
  const double sign = upper ? 1 : -1, to = sign * (s.at - t);  // > 0: the bound lies beyond the mean
  const double exponent = (s.at - t) * s.bound - s.log_moment + (t == 0 ? 0 : few_.log_moment(t));
  const double w = std::copysign(std::sqrt(std::max(2 * exponent, 0.0)), to);
  if (std::abs(w) < 0.05) {
    const double d = std::sqrt(s.variance);
    return log_edgeworth(to * d, sign * few_.skewness());
  }
  const double u = 2 * std::sinh(to / 2) * std::sqrt(s.variance),
               density = -w * w / 2 - std::log(2 * std::numbers::pi) / 2;
  if (w > 0) return density + std::log(mills(w) + 1 / u - 1 / w);
  return std::log1p(-std::exp(density + std::log(mills(-w) - 1 / u + 1 / w)));
}

double PoissonBinomial::table_tail(double k, double t, bool upper) const {
  const auto at = static_cast<std::size_t>(k - low_);
  if (t == 0) return std::log(upper ? above_[at] : below_[at]);
  const double up = std::exp(t), down = std::exp(-t);
  double above = 0, below = 0, factor = 1;
  for (std::size_t i = at + 1; i < table_.size(); ++i) above += table_[i] * (factor *= up);
  factor = 1;
  for (std::size_t i = at; i-- > 0;) below += table_[i] * (factor *= down);
  return std::log((table_[at] + (upper ? above : below)) / (table_[at] + above + below));
}

double PoissonBinomial::log_at_least(double k, double t) const {
  if (k <= 0) return 0;
  return in_table(k) ? table_tail(k, t, true) : log_tail(saddle(k - 0.5), t, true);
}

double PoissonBinomial::log_at_most(double k, double t) const {
  if (k >= few_.rows()) return 0;
  return in_table(k) ? table_tail(k, t, false) : log_tail(saddle(k + 0.5), t, false);
}

double PoissonBinomial::log_two_sided(double k) const {
  return std::min(0.0, std::numbers::ln2 + std::min(log_at_least(k), log_at_most(k)));
}

PoissonBinomial::Shifts PoissonBinomial::shifts(double k, double alpha) const {
  const bool exact = in_table(k);
  const double wanted = std::log(alpha / 2), centre = few_.shift_to(std::clamp(k, 0.5, few_.rows() - 0.5));
  const auto end = [&](bool upper) {  // of the tail from k on: the lower end of the shifts
    const Saddle s = exact ? Saddle{} : saddle(upper ? k - 0.5 : k + 0.5);
    const auto over = [&](double t) { return (exact ? table_tail(k, t, upper) : log_tail(s, t, upper)) - wanted; };
    const double side = upper ? -1 : 1;
    double step = 1 / std::sqrt(few_.variance()), inner = centre, outer = centre + side * step;
    while (over(outer) > 0 && std::abs(outer) < furthest_shift) {
      inner = outer;
      outer += side * (step *= 2);
    }
    std::uintmax_t most = 60;
    const auto [a, b] = boost::math::tools::toms748_solve(over, std::min(inner, outer), std::max(inner, outer),
                                                          boost::math::tools::eps_tolerance<double>(40), most);
    return (a + b) / 2;
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return {k <= 0 ? -infinite : end(true), k >= few_.rows() ? infinite : end(false)};
}

double PoissonBinomial::draw(double uniform) const {
  if (!table_.empty()) {
    const auto at = std::lower_bound(below_.begin(), below_.end(), uniform);
    return low_ + static_cast<double>(std::min<std::ptrdiff_t>(at - below_.begin(), std::ssize(below_) - 1));
  }
  const double z = -std::numbers::sqrt2 * erfc_inv(2 * uniform);
  const double at = few_.mean() + std::sqrt(few_.variance()) * (z + few_.skewness() * (z * z - 1) / 6);
  return std::clamp(std::nearbyint(at), 0.0, few_.rows());
}

double PoissonBinomial::quick_two_sided(double k) const {
  if (!table_.empty()) {
    const double at = std::clamp(k - low_, 0.0, static_cast<double>(table_.size() - 1));
    const auto i = static_cast<std::size_t>(at);
    return std::min(1.0, 2 * std::min(below_[i], above_[i]));
  }
  const double spread = std::sqrt(few_.variance()), skewness = few_.skewness();
  const double above = log_edgeworth((k - 0.5 - few_.mean()) / spread, skewness);
  const double below = log_edgeworth((few_.mean() - k - 0.5) / spread, -skewness);
  return std::min(1.0, 2 * std::exp(std::min(above, below)));
}

}  // namespace tare::detail::numeric
