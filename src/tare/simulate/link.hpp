// Curves that are generalised linear models: link(T) = b0 + b1 transform(c) with the logarithm of the score, of its
// complement, or of their ratio on either side (Roelofs et al. 2022, section 6 and Table 3).
#pragma once

#include <cmath>

#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

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

}  // namespace tare::detail::simulate
