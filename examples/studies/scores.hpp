// The score distributions of the studies of tests: the ten networks of Roelofs et al. 2022 (Table 2), uniform, and tied
// on a grid of 0.1.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tare/simulate/truth.hpp"

namespace study {

struct Scores {
  std::string name;
  double alpha = 0, beta = 0;  // 0: on a grid of 0.1
};

inline const Scores uniform{"uniform", 1, 1}, grid{"grid of 0.1"};

inline std::vector<Scores> all_scores() {
  std::vector<Scores> out;
  for (const auto& m : tare::detail::simulate::models()) out.push_back({std::string(m.name), m.alpha, m.beta});
  out.push_back(uniform);
  out.push_back(grid);
  return out;
}

class Drawing {
 public:
  Drawing(const Scores& scores, std::uint64_t seed)
      : rng_(seed), tied_(scores.alpha == 0), a_(tied_ ? 1 : scores.alpha), b_(tied_ ? 1 : scores.beta) {}
  tare::detail::simulate::ScorePoint score() {
    const double x = a_(rng_), y = b_(rng_);
    if (!tied_) return {x / (x + y), y / (x + y)};
    const double tenths = std::floor(11 * uniform_(rng_));
    return {tenths / 10, (10 - tenths) / 10};
  }
  bool label(double rate) { return uniform_(rng_) < rate; }

 private:
  std::mt19937_64 rng_;
  bool tied_;
  std::gamma_distribution<double> a_, b_;
  std::uniform_real_distribution<double> uniform_;
};

}  // namespace study
