// Where the truth is known: a distribution of scores and a calibration curve T(c) = P(hit | score c)
// (Roelofs et al. 2022, sections 4 and 6). Scores are handled as the pair c and u = 1 - c, because with
// Beta(2.78, 0.048) a sixth of the mass lies within 1e-16 of 1, where only u still tells scores apart.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::detail::simulate {

// A score and its complement, each good to the last digit.
struct ScorePoint {
  double c = 0;
  double u = 1;
};

// Families with a link are generalised linear models: link(T) = b0 + b1 transform(c), and can be fitted.
enum class Link { none, log, logflip, logit };  // ln x, ln(1 - x), ln(x / (1 - x))

// A family of curves; curves.cpp holds them and their table.
struct CurveFamily {
  std::string_view name;  // logit_logit, power, identity, ...
  std::string_view formula;
  std::span<const std::string_view> coefficients;                 // "b0", "b1"; empty for the identity
  double (*hit)(ScorePoint, std::span<const double>) = nullptr;   // T(c), raw: may leave [0, 1]
  double (*miss)(ScorePoint, std::span<const double>) = nullptr;  // 1 - T(c), without cancellation near 1
  bool repeats = false;  // isotonic: any number of times the coefficients named above
  Link link = Link::none;
  Link transform = Link::none;
  std::string (*wrong)(std::span<const double>) = nullptr;  // what is wrong with finite coefficients, or nothing
  // Where the curve bends or jumps and where it crosses the identity, ascending. Null: smooth, crossings are searched
  // for.
  std::vector<ScorePoint> (*breaks)(std::span<const double>) = nullptr;
};

struct Curve {
  const CurveFamily* family = nullptr;
  std::vector<double> coefficients = {};  // isotonic: the knots
  double strength = 1;  // in [0, 1]: c + strength (T(c) - c), whose true error is strength times that of T
  [[nodiscard]] double hit(ScorePoint p) const {
    const double t = family->hit(p, coefficients);
    return strength == 1 ? t : (1 - strength) * p.c + strength * t;
  }
  [[nodiscard]] double miss(ScorePoint p) const {
    const double t = family->miss(p, coefficients);
    return strength == 1 ? t : (1 - strength) * p.u + strength * t;
  }
};

enum class ScoreKind { beta, uniform, empirical };

struct Scores {
  ScoreKind kind = ScoreKind::uniform;
  double alpha = 1;
  double beta = 1;
  std::vector<ScorePoint> values = {};  // empirical: what is resampled, ascending in c
  std::vector<double> ends = {};        // the weight up to and with each value; empty: one each
  [[nodiscard]] double weight() const { return ends.empty() ? static_cast<double>(values.size()) : ends.back(); }
};

struct Truth {
  std::string name = {};
  Scores scores = {};
  Curve curve = {};
};

// The table of calibration curves, and curves from words: "logit_logit:0.1,0.9".

std::span<const CurveFamily> curves();
const CurveFamily* find_curve(std::string_view name);  // null if there is none

Curve identity();

// FAMILY:x,y,... with one number per coefficient of the family. The suffixes of the paper's Table 3 name the numbers
// that follow, the other being 0: logit_logit_b1:0.26 is logit_logit:0,0.26.
Result<Curve> parse_curve(std::string_view text);

std::string to_text(const Curve& curve);  // what parse_curve reads back, to the last digit; without the strength

// The ten networks of Roelofs et al. 2022: Beta scores of Table 2, and of Table 3 the curve of least AIC.

struct PublishedModel {
  std::string_view name;
  std::string_view title;
  double alpha = 1;
  double beta = 1;
  std::string_view curve;  // as parse_curve reads it
};

std::span<const PublishedModel> models();

// perfect: the same scores, and the identity as the curve.
Result<Truth> model(std::string_view name, bool perfect = false);

// Curves that are generalised linear models: link(T) = b0 + b1 transform(c) with the logarithm of the score, of its
// complement, or of their ratio on either side (Roelofs et al. 2022, section 6 and Table 3).

inline double log_of_score(ScorePoint p) { return p.u < 0.5 ? std::log1p(-p.u) : std::log(p.c); }
inline double log_of_complement(ScorePoint p) { return p.c < 0.5 ? std::log1p(-p.c) : std::log(p.u); }

template <Link f>
double transformed(ScorePoint p) {
  if constexpr (f == Link::log) return log_of_score(p);
  if constexpr (f == Link::logflip) return log_of_complement(p);
  if constexpr (f == Link::logit) return log_of_score(p) - log_of_complement(p);
}

template <Link f>
double inverse_hit(double v) {
  if constexpr (f == Link::log) return std::exp(v);
  if constexpr (f == Link::logflip) return -std::expm1(v);
  if constexpr (f == Link::logit) return 1 / (1 + std::exp(-v));
}

template <Link f>
double inverse_miss(double v) {
  if constexpr (f == Link::log) return -std::expm1(v);
  if constexpr (f == Link::logflip) return std::exp(v);
  if constexpr (f == Link::logit) return 1 / (1 + std::exp(v));
}

template <Link f>
double predictor(ScorePoint p, std::span<const double> b) {
  return b[1] == 0 ? b[0] : b[0] + b[1] * transformed<f>(p);  // 0 times the infinite transform of 0 or 1 is 0 here
}

// The true calibration error, ( E |c - T(c)|^p )^(1/p) over the scores: a closed form in moments and incomplete moments
// of the Beta distribution where the curve is a power of c or of 1 - c, else quadrature; of empirical scores, the mean.
// Roelofs et al. 2022, equation 1. The curve is taken as it is, also where it leaves [0, 1].

// norm 1 or 2. Good to 1e-10 of its value; undefined where the integral has none.
Result<double> true_error(const Truth& truth, int norm);

// Where a smooth curve crosses the identity: |c - T(c)| bends there, and quadrature must not step over it.
// Ascending, inside (0, 1). Pairs of crossings are found down to the width at which they no longer matter.
std::vector<ScorePoint> crossings(const Curve& curve);

}  // namespace tare::detail::simulate
