// Logistic regression on one or two features, for platt and beta: minimise the mean of
//   log(1 + exp(eta)) - t * eta,   eta = theta_0 x_0 (+ theta_1 x_1) + intercept,
// by Newton's method with backtracking; slopes may be held at or above 0 (projected Newton, Bertsekas 1982).
// Sums are exact, so neither row order nor threads change the answer; the gradient at the end certifies it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tare::inner::fit {

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

}  // namespace tare::inner::fit
