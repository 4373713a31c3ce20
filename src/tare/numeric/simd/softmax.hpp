// Softmax of rows of logits in one fused pass: top label, confidence and log-likelihood.
// float32 logits are evaluated in float32 vectors, float64 in float64; what leaves is float64.
// A single column is the log-odds of class 1: the row (0, z).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tare::detail::numeric {

// A log loss from here on counts as infinite, on rows and in states: no probability is that small, e^-1048576, but that
// of logits that are none.
inline constexpr double infinite_loss = 0x1p20;

// Per row: m = max z, rest = sum over the others of exp(z_j - m). Then the confidence is
// 1 / (1 + rest), its complement rest / (1 + rest) exact near 1, and the negative
// log-likelihood of the label log1p(rest) + (m - z_label).
struct SoftmaxRows {
  double* confidence = nullptr;      // n numbers each; a null pointer means "not wanted"
  double* complement = nullptr;      // 1 - confidence, to full relative precision
  double* nll = nullptr;             // needs labels
  double* log_normaliser = nullptr;  // log sum exp z
  std::int32_t* argmax = nullptr;    // lowest index on a tie
};

void softmax_rows(std::span<const float> z, std::size_t k, std::span<const std::int32_t> label, const SoftmaxRows& out,
                  int threads = 1);
void softmax_rows(std::span<const double> z, std::size_t k, std::span<const std::int32_t> label, const SoftmaxRows& out,
                  int threads = 1);

// x <- exp(x), for finite x <= 700, to about 1 ulp. A number's result does not depend on its place or its neighbours.
void exp_all(std::span<double> x);

}  // namespace tare::detail::numeric
