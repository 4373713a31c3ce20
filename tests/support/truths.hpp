// Rows drawn from a known truth by the standard library, independently of the simulator.
#pragma once

#include <algorithm>
#include <random>

#include "support/data.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::testing {

inline Rows drawn(const simulate::Truth& truth, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform;
  std::gamma_distribution<double> a(truth.scores.alpha), b(truth.scores.beta);
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a(rng), y = std::max(b(rng), 1e-300), c = x / (x + y);
    out.score.push_back(c);
    out.label.push_back(uniform(rng) >= truth.curve.miss({c, y / (x + y)}));
  }
  return out;
}

}  // namespace tare::detail::testing
