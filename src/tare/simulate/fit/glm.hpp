// The likelihood of hits and misses under link(T) = b0 + b1 transform(c), with its derivatives. Saturated rows enter by
// their mean rate of misses, E[1 - T | 1 - c < saturation] under the fitted Beta distribution, where ln(1 - c) is
// unknown.
#pragma once

#include <array>
#include <vector>

#include "tare/numeric/order/order.hpp"
#include "tare/simulate/fit/fit_truth.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

// Rows of one score.
struct GlmCell {
  ScorePoint at = {};
  double hits = 0;
  double misses = 0;
};

// The rows of a fit: the same for every curve, so that their AICs compare.
struct GlmRows {
  std::vector<GlmCell> cells = {};  // ascending, not saturated
  GlmCell high = {};                // saturated at 1 and at 0; `at` is unused
  GlmCell low = {};
  std::vector<ScorePoint> high_nodes = {};  // where the scores of `high` may be: nodes of a quadrature rule
  std::vector<ScorePoint> low_nodes = {};
  double hits = 0;
  double misses = 0;
};

// By the rule of the Beta fit: censored, or (shift) as the paper has it, without the rows whose score is exactly 0
// or 1.
GlmRows glm_rows(const numeric::Ordered& data, const BetaFit& scores);
GlmRows coarser(const GlmRows& rows, std::size_t cells);  // neighbours joined: for a first guess

struct GlmValue {
  double nll = 0;  // infinite where a row is impossible or a rate leaves [0, 1]
  std::array<double, 2> gradient = {};
  std::array<double, 3> hessian = {};  // 00, 01, 11
  std::array<double, 3> expected =
      {};  // its expectation: positive semidefinite, also where censoring bends the likelihood
};

class Glm {
 public:
  Glm(const GlmRows& rows, Link link, Link transform);
  [[nodiscard]] GlmValue operator()(double b0, double b1) const;
  [[nodiscard]] double highest() const { return highest_; }  // transform among the rows
  [[nodiscard]] std::size_t distinct() const { return t_.size() + high_.size() + low_.size(); }

 private:
  template <Link link>
  [[nodiscard]] GlmValue evaluate(double b0, double b1) const;
  const GlmRows& rows_;
  Link link_;
  std::vector<double> t_, high_, low_;  // the transform at the cells and at the nodes
  double highest_ = 0;
};

double identity_nll(const GlmRows& rows);

}  // namespace tare::detail::simulate
