// Platt scaling: q = sigma(a z + b) on the log-odds z of the score, by maximum likelihood.
// Platt 1999; Guo et al. 2017, section 4.1. Labels are the targets; smooth_targets takes Platt's
// (N+ + 1) / (N+ + 2) and 1 / (N- + 2). Where the score separates the classes no finite slope is best; such
// problems are fitted to the smooth targets, which always have an optimum, and are reported as unbounded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/rows/kernels.hpp"
#include "tare/fit/spec.hpp"
#include "tare/fit/zeros.hpp"

namespace tare::detail::fit {

// Logistic regression on one or two features, for platt and beta: minimise the mean of
//   log(1 + exp(eta)) - t * eta,   eta = theta_0 x_0 (+ theta_1 x_1) + intercept,
// by Newton's method with backtracking; slopes may be held at or above 0 (projected Newton, Bertsekas 1982).
// By hand: sums are exact, so neither row order nor threads change the answer; the gradient at the end certifies it.

inline constexpr double certified_gradient = 1e-8;

struct LogisticData {
  std::vector<std::vector<double>> x;  // one or two columns of finite numbers, each below 1e150 in size
  std::span<const std::uint8_t> label;
  std::span<const double> weight;
  double target_1 = 1;  // what rows with label 1 aim at
  double target_0 = 0;
};

struct LogisticFit {
  std::vector<double> slope;
  double intercept = 0;
  double gradient = 0;  // largest component; of the projected gradient if slopes are held
  int iterations = 0;
  bool at_bound = false;  // a slope is held at 0
};

struct LogisticOptions {
  bool nonnegative = false;  // slopes
  int max_iterations = 200;
  int threads = 1;
};

// Needs an optimum to exist: not both hard targets and classes that the features separate.
LogisticFit fit_logistic(const LogisticData& data, const LogisticOptions& options = {});

// What decides whether an optimum exists. Rows of weight 0 do not count.
struct ClassRange {
  double weight = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};
struct ScoreSeparation {
  ClassRange negative;
  ClassRange positive;

  explicit ScoreSeparation(const Problem& problem);
  [[nodiscard]] bool one_class() const { return negative.weight == 0 || positive.weight == 0; }
  [[nodiscard]] bool one_score() const {
    return std::min(negative.low, positive.low) == std::max(negative.high, positive.high);
  }
  // A threshold parts the classes, touching allowed.
  [[nodiscard]] bool rising() const { return negative.high <= positive.low; }
  [[nodiscard]] bool falling() const { return positive.high <= negative.low; }
  [[nodiscard]] double smooth_1() const { return (positive.weight + 1) / (positive.weight + 2); }
  [[nodiscard]] double smooth_0() const { return 1 / (negative.weight + 2); }
};

inline constexpr const char* one_class_note =
    "only one class occurs, so the best map is a constant 0 or 1; fitted to Platt's smoothed targets instead";
inline constexpr const char* separated_note =
    "the score separates the classes, so a steeper map is always better; fitted to Platt's smoothed targets instead";
inline constexpr const char* one_score_note =
    "all scores are equal, so the slope is unknown and stays that of the identity";
inline constexpr const char* stopped_note = "stopped by the limit on iterations or by rounding; raise max_iterations";

struct Sigmoid {
  double a = 1;
  double b = 0;
  Outcome outcome = {};

  double operator()(double z) const { return rows::sigmoid_curve(z, a, b); }
  template <class T>
  void map(std::span<const T> z, std::span<double> out) const {
    rows::sigmoid_rows(z.data(), z.size(), a, b, out.data());
  }
  [[nodiscard]] Sigmoid complement() const { return {.a = -a, .b = -b}; }
};

// The scores of the problem are log-odds.
Sigmoid fit_sigmoid(const Problem& problem, bool smooth_targets, int max_iterations);

extern const Calibrator platt_calibrator;

}  // namespace tare::detail::fit
