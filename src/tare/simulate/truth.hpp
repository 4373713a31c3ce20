// Where the truth is known: a distribution of scores and a calibration curve T(c) = P(hit | score c)
// (Roelofs et al. 2022, sections 4 and 6). Scores are handled as the pair c and u = 1 - c, because with
// Beta(2.78, 0.048) a sixth of the mass lies within 1e-16 of 1, where only u still tells scores apart.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::simulate {

// A score and its complement, each good to the last digit.
struct Point {
  double c = 0;
  double u = 1;
};

// The row of a family of curves: one file each, and the table is curves.cpp.
struct CurveRow {
  std::string_view name;                      // logit_logit, power, identity, ...
  std::string_view formula;
  std::vector<std::string_view> coefficients; // "b0", "b1"; empty for the identity
  double (*hit)(Point, std::span<const double>) = nullptr;   // T(c), raw: may leave [0, 1]
  double (*miss)(Point, std::span<const double>) = nullptr;  // 1 - T(c), without cancellation near 1
};

struct Curve {
  const CurveRow* row = nullptr;
  std::vector<double> coefficients = {};  // isotonic: the knots
  [[nodiscard]] double hit(Point p) const { return row->hit(p, coefficients); }
  [[nodiscard]] double miss(Point p) const { return row->miss(p, coefficients); }
};

enum class ScoreKind { beta, uniform, empirical };

struct Scores {
  ScoreKind kind = ScoreKind::uniform;
  double alpha = 1;
  double beta = 1;
  std::vector<Point> values = {};  // empirical: what is resampled, ascending in c
};

struct Truth {
  std::string name = {};
  Scores scores = {};
  Curve curve = {};
};

}  // namespace tare::simulate
