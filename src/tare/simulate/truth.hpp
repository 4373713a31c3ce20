// Where the truth is known: a distribution of scores and a calibration curve T(c) = P(hit | score c)
// (Roelofs et al. 2022, sections 4 and 6). Scores are handled as the pair c and u = 1 - c, because with
// Beta(2.78, 0.048) a sixth of the mass lies within 1e-16 of 1, where only u still tells scores apart.
#pragma once

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

}  // namespace tare::detail::simulate
