#include "tare/simulate/draw/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/rng.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::simulate {
namespace {

constexpr double tiny = 0x1p-54;  // less than this from 1 is 1
constexpr std::size_t terms = Cell::terms;

double log_beta_function(double a, double b) {
  const double value = numeric::beta(a, b);
  return value > std::numeric_limits<double>::min()
             ? std::log(value)
             : numeric::log_gamma(a) + numeric::log_gamma(b) - numeric::log_gamma(a + b);
}

// A place in a Beta distribution, seen from one end: x is the distance from that end, with the density
// x^(a-1) y^(b-1) / B, y = 1 - x. It moves in l = ln(x / y), where both x and y keep their digits.
struct Place {
  double a, b, log_beta;
  double l = 0, x = 0.5, y = 0.5;
  double mass = 0.5;  // between the end and x

  void set(double to) {
    l = to;
    const double e = std::exp(-std::abs(l));
    (l < 0 ? x : y) = e / (1 + e);
    (l < 0 ? y : x) = 1 / (1 + e);
  }
  void find_mass() { mass = x < y ? numeric::quick::ibeta(a, b, x) : numeric::quick::ibetac(b, a, y); }

  // To where the mass is `target`, by Halley's method on ln(mass): its slope is g / mass, with the density
  // g = x^a y^b / B of l, and g' = g (a y - b x).
  void move(double target) {
    for (int i = 0; i < 100; ++i) {
      const double ln_x = l < 0 ? l + std::log1p(-x) : -std::log1p(y / x);
      const double slope = std::exp(a * ln_x + b * (ln_x - l) - log_beta) / mass;
      const double newton = std::log(mass / target) / slope;
      const double bend = 0.5 * newton * (a * y - b * x - slope);
      const double step = std::abs(bend) < 0.5 ? newton / (1 - bend) : newton;
      set(l - step);
      if (std::abs(step) * (1 + a + b) < 1e-5) break;  // what is left is of the order of its third power
      find_mass();
    }
    mass = target;
  }
};

// Powers of t = z / 2 from the values at the Chebyshev nodes z_j = cos(pi (j + 1/2) / 7). Returns the last Chebyshev
// coefficient relative to the first.
double interpolate(const std::array<double, terms>& value, double* coefficient) {
  // T_0 .. T_6 in powers of z
  constexpr double chebyshev[terms][terms] = {
      {1}, {0, 1}, {-1, 0, 2}, {0, -3, 0, 4}, {1, 0, -8, 0, 8}, {0, 5, 0, -20, 0, 16}, {-1, 0, 18, 0, -48, 0, 32}};
  static const auto cosines = [] {
    std::array<std::array<double, terms>, terms> out{};
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t j = 0; j < terms; ++j)
        out[k][j] =
            std::cos(static_cast<double>(k * (2 * j + 1)) * std::numbers::pi / (2 * terms)) * (k == 0 ? 1 : 2) / terms;
    return out;
  }();
  std::fill(coefficient, coefficient + terms, 0.0);
  double first = 0, last = 0;
  for (std::size_t k = terms; k-- > 0;) {
    double a = 0;
    for (std::size_t j = 0; j < terms; ++j) a += value[j] * cosines[k][j];
    for (std::size_t p = 0; p <= k; ++p) coefficient[p] += std::ldexp(a * chebyshev[k][p], static_cast<int>(p));
    first = a;
    if (k == terms - 1) last = a;
  }
  return std::abs(last / first);
}

constexpr std::uint64_t label_mask = (1U << label_bits) - 1;

Result<int> check(const Truth& truth) {
  if (truth.curve.family == nullptr) return Error{Errc::bad_option, "the truth has no calibration curve"};
  const Scores& s = truth.scores;
  if (s.kind == ScoreKind::empirical && s.values.empty())
    return Error{Errc::bad_input, "there are no scores to resample"};
  if (s.kind == ScoreKind::beta)
    for (const double x : {s.alpha, s.beta})
      if (!(x > 1e-4 && x < 1e6))
        return Error{.code = Errc::bad_option,
                     .what = fmt::format("{} is not a usable parameter of a Beta distribution", x),
                     .remedy = "both must lie between 0.0001 and 1000000"};
  return 0;
}

}  // namespace

Quantile::Quantile(const Scores& scores)
    : alpha_(scores.kind == ScoreKind::uniform ? 1 : scores.alpha),
      beta_(scores.kind == ScoreKind::uniform ? 1 : scores.beta) {
  if (alpha_ == 1 && beta_ == 1) {
    fill_uniform();
    return;
  }
  log_beta_function_ = log_beta_function(alpha_, beta_);
  for (int finer = 5; finer <= 11; ++finer) {
    cells_ = Cells(finer);
    if (fill(Side::above) && fill(Side::below)) break;
  }
}

void Quantile::fill_uniform() {
  const std::size_t last = cells_.per_side() - 1;
  for (const Side side : {Side::above, Side::below}) {
    const double sign = side == Side::above ? -1 : 1;
    for (std::size_t i = 1; i < last; ++i) {
      const double left = cells_.left(i), width = cells_.left(i + 1) - left;
      auto& c = cells_.at(side, i).coefficient;
      c[0] = sign * (left + 0.5 * width);
      c[1] = sign * width;
    }
    cells_.at(side, last).coefficient[0] = 0.5;
  }
}

// From 1/2 downwards, each place found from the one before. Cells where c is 1 say so; cells where c < 2^-54 stay open.
bool Quantile::fill(Side side) {
  constexpr double coarse = 1.5e-11;  // then the seventh coefficient, the first left out, is below 1e-13
  const bool from_1 = side == Side::above;
  Place place{from_1 ? beta_ : alpha_, from_1 ? alpha_ : beta_, log_beta_function_};
  const double low = numeric::quick::ibeta(place.a, place.b, tiny);    // below this mass, x is tiny
  const double high = numeric::quick::ibetac(place.b, place.a, tiny);  // above this one, y is
  if (high > 0.5 && low < 0.5) {
    double y = 0;
    const double x = numeric::ibeta_inv(place.a, place.b, 0.5, &y);
    place.set(std::log(x / y));
  } else {
    place.set(std::log(1 / tiny) * (high > 0.5 ? -1 : 1));
  }
  place.find_mass();
  for (std::size_t i = cells_.per_side() - 1; i > 0; --i) {
    const bool is_last = i == cells_.per_side() - 1;
    const double left = cells_.left(i), width = is_last ? 0 : cells_.left(i + 1) - left;
    auto& coefficient = cells_.at(side, i).coefficient;
    const bool below_low = left + width<low, above_high = left> high;
    if (below_low || above_high) {
      if (below_low == from_1) coefficient[0] = 1;
      continue;
    }
    std::array<double, terms> value{};
    bool small_x = true;
    for (std::size_t j = 0; j < terms; ++j) {
      place.move(left + width * 0.5 * (1 + std::cos((static_cast<double>(j) + 0.5) * std::numbers::pi / terms)));
      if (j == 0) small_x = place.x < place.y;
      value[j] = (small_x ? place.x : place.y) * (small_x == from_1 ? -1 : 1);
    }
    if (!(interpolate(value, coefficient) < coarse)) return false;
  }
  return true;
}

bool Quantile::in_cells(double above, double below) const {
  const double x = std::min(above, below);
  return x >= Cells::smallest && cells_.of(above, below).coefficient[0] != 0;
}

ScorePoint Quantile::at(double above, double below) const {
  if (!in_cells(above, below)) return slow(above, below);
  const auto& c = cells_.of(above, below).coefficient;
  if (c[0] == 1) return slow(above, below);
  const double t = cells_.position(std::min(above, below));
  double p = c[terms - 1];
  for (std::size_t j = terms - 1; j-- > 0;) p = p * t + c[j];
  return p < 0 ? ScorePoint{1 + p, -p} : ScorePoint{p, 1 - p};
}

ScorePoint Quantile::slow(double above, double below) const {
  if (alpha_ == 1 && beta_ == 1) return {below, above};
  // v = u^beta / (beta B) to the last digit where u is tiny, and the same for c
  const double ln_u = (std::log(above) + std::log(beta_) + log_beta_function_) / beta_;
  const double ln_c = (std::log(below) + std::log(alpha_) + log_beta_function_) / alpha_;
  if (ln_u < std::log(tiny)) return {1, std::exp(ln_u)};
  if (ln_c < std::log(tiny)) return {std::exp(ln_c), 1};
  ScorePoint p;
  if (above < below)
    p.u = numeric::ibeta_inv(beta_, alpha_, above, &p.c);
  else
    p.c = numeric::ibeta_inv(alpha_, beta_, below, &p.u);
  return p;
}

Result<Sampler> Sampler::of(const Truth& truth) {
  if (const auto fine = check(truth); !fine) return fine.error();
  Sampler out;
  if (truth.scores.kind == ScoreKind::empirical)
    out.empirical_ = std::make_shared<const Scores>(truth.scores);
  else
    out.quantile_ = std::make_shared<const Quantile>(truth.scores);
  return out.with(truth.curve);
}

Sampler Sampler::with(const Curve& curve) const {
  Sampler out = *this;
  out.curve_ = curve;
  out.set_bounds();
  return out;
}

double Sampler::miss(ScorePoint p) const { return std::clamp(curve_.miss(p), 0.0, 1.0); }

// A curve is monotone, and so is u, so the probability of a miss lies between its values at the two ends of a cell. It
// is a weighted mean of the two, and they may run in opposite directions: each is bounded on its own.
void Sampler::set_bounds() {
  if (empirical_) {
    value_miss_.clear();
    for (const ScorePoint& p : empirical_->values) value_miss_.push_back(miss(p));
    return;
  }
  cells_ = quantile_->cells();
  constexpr double scale = 1U << label_bits, slack = 1e-3;  // of one step of the label bits: 6e-11
  struct Ends {
    double curve, u;
  };
  const auto ends = [&](Side side, double x) {
    const ScorePoint p = side == Side::above ? quantile_->at(x, 1 - x) : quantile_->at(1 - x, x);
    return Ends{curve_.family->miss(p, curve_.coefficients), p.u};
  };
  const double s = curve_.strength;
  for (const Side side : {Side::above, Side::below}) {
    Ends right = ends(side, 0.5);
    for (std::size_t i = cells_.per_side() - 2; i > 0; --i) {
      const Ends left = ends(side, cells_.left(i));
      const double low = s * std::min(left.curve, right.curve) + (1 - s) * std::min(left.u, right.u);
      const double high = s * std::max(left.curve, right.curve) + (1 - s) * std::max(left.u, right.u);
      right = left;
      // where neither a score nor a bound is known, every label stays undecided
      Cell& cell = cells_.at(side, i);
      if (cell.coefficient[0] == 0 || !(low <= high)) continue;
      cell.set_bounds(static_cast<std::uint32_t>(std::floor(std::clamp(low * scale - slack, 0.0, scale))),
                      static_cast<std::uint32_t>(std::ceil(std::clamp(high * scale + slack, 0.0, scale))));
    }
  }
}

void Sampler::draw(std::size_t n, std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate, Scratch& scratch,
                   numeric::Ordered& out) const {
  assert(n > 0 && n <= largest_n);
  const numeric::RandomKey key{seed, stream, replicate, static_cast<std::uint32_t>(n)};
  scratch.spacings.draw(key, n);
  numeric::stop_if_asked();
  if (const std::size_t length = numeric::whole_batches(n); scratch.score.size() < length) {
    scratch.score.resize(length);
    scratch.label.resize(length);
  }
  if (empirical_)
    resample_rows(scratch);
  else
    draw_rows(scratch);
  const std::uint8_t* const labels = scratch.label.data();
  const auto find = [&](std::size_t from) {
    const void* at = from < n ? std::memchr(labels + from, Cells::undecided, n - from) : nullptr;
    return at ? static_cast<std::size_t>(static_cast<const std::uint8_t*>(at) - labels) : n;
  };
  std::size_t decided = 0;
  for (std::size_t i = find(0); i < n; i = find(i + 1)) {
    if (decided++ % 1024 == 0) numeric::stop_if_asked();  // a decision is slow: it may need a quantile
    decide(key, i, scratch);
  }
  out.assign_sorted({scratch.score.data(), n}, {labels, n});
}

void Sampler::draw_rows(Scratch& s) const {
  cells_.look_up(s.spacings.sum(), s.spacings.total(), s.spacings.word(), s.spacings.size(), s.score.data(),
                 s.label.data());
}

// The value that covers a position in [0, weight).
std::size_t Sampler::value_at(double position) const {
  const auto& ends = empirical_->ends;
  const auto at = ends.empty() ? static_cast<std::size_t>(position)
                               : static_cast<std::size_t>(std::ranges::upper_bound(ends, position) - ends.begin());
  return std::min(at, empirical_->values.size() - 1);
}

// Sorted uniform numbers make sorted places: drawing with replacement without sorting.
void Sampler::resample_rows(Scratch& s) const {
  const auto& values = empirical_->values;
  const auto& ends = empirical_->ends;
  const double scale = empirical_->weight() / s.spacings.total();
  std::size_t at = 0;
  for (std::size_t i = 0; i < s.spacings.size(); ++i) {
    const double position = s.spacings.sum()[i] * scale;
    if (ends.empty())
      at = value_at(position);
    else
      while (at + 1 < values.size() && ends[at] <= position) ++at;
    s.score[i] = values[at].c;
    const double limit = value_miss_[at] * (1U << label_bits);
    const auto drawn = static_cast<double>(s.spacings.word()[i] & label_mask);
    s.label[i] = drawn + 1 <= limit ? 0 : drawn >= limit ? 1 : Cells::undecided;
  }
}

// With 52 more bits, and the exact probability.
void Sampler::decide(const numeric::RandomKey& key, std::size_t i, Scratch& s) const {
  const double total = s.spacings.total(), sum = s.spacings.sum()[i];
  double chance = 0;
  if (empirical_) {
    const double scale = empirical_->weight() / total;
    chance = value_miss_[value_at(sum * scale)];
  } else {
    constexpr double least = 0x1p-60;  // a spacing that rounding has swallowed
    const double above = std::max((total - sum) / total, least), below = std::max(sum / total, least);
    const ScorePoint p = quantile_->at(above, below);
    if (!quantile_->in_cells(above, below)) s.score[i] = p.c;
    chance = miss(p);
  }
  const auto words = numeric::random_block(
      key.seed, key.stream, key.replicate,
      numeric::join(numeric::Spacings::first_free_block + static_cast<std::uint32_t>(i), key.group));
  const double rest = numeric::to_uniform(numeric::join(words[0], words[1]));
  const auto drawn = static_cast<double>(s.spacings.word()[i] & label_mask);
  // as differences: drawn + rest would lose the last bits of rest
  s.label[i] = rest >= chance * (1U << label_bits) - drawn;
}

}  // namespace tare::detail::simulate
