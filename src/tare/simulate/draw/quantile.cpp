#include "tare/simulate/draw/quantile.hpp"
#include "tare/numeric/special.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

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

}  // namespace tare::detail::simulate
