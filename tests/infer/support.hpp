// Data and estimators' lines for the tests of this room.
#pragma once

#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "support/data.hpp"
#include "tare/core/predictions.hpp"
#include "tare/infer/resample/null.hpp"

namespace tare::detail::testing {

inline infer::ResampledChoice line(std::string_view name, int norm = 2, std::size_t resamples = 1000, int bins = 15) {
  const measure::Estimator* estimator = measure::find(name);
  if (estimator == nullptr) {
    ADD_FAILURE() << name;
    std::abort();
  }
  return {{estimator, {.bins = bins, .norm = norm}}, resamples};
}

// Scores of a shape, with calibrated labels: "uniform", on a "grid" of 0.05, or "piled" at 1 as networks' are.
inline Rows shaped(std::string_view shape, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform;
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    double s = uniform(rng);
    if (shape == "grid") s = std::round(s * 20) / 20;
    if (shape == "piled") s = 1 - std::pow(s, 8);
    out.score.push_back(s);
    out.label.push_back(uniform(rng) < s);
  }
  return out;
}

// Scores of a Beta distribution, with calibrated labels. Where 1 - score is below 1e-16 the score is exactly 1.
inline Rows beta_rows(double alpha, double beta, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::gamma_distribution<double> a(alpha), b(beta);
  std::uniform_real_distribution<double> uniform;
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a(rng), y = b(rng), s = x / (x + y);
    out.score.push_back(s);
    out.label.push_back(uniform(rng) < s);
  }
  return out;
}

// A matrix of probabilities with labels drawn from them, softmax of scaled normal logits.
struct DrawnMatrix {
  std::vector<double> values = {};
  std::vector<std::int32_t> label = {};
  std::vector<double> weight = {};
  std::size_t k = 0;
  [[nodiscard]] Predictions predictions(Kind kind = Kind::probs) const {
    Predictions p;
    p.kind = kind;
    p.n = label.size();
    p.k = k;
    p.matrix = must(multiclass_view(kind, std::span<const double>(values), k, label, weight));
    return p;
  }
};

inline DrawnMatrix calibrated_matrix(std::size_t n, std::size_t k, std::uint64_t seed, double sharpness = 2) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  DrawnMatrix out{.k = k};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> p(k);
    double sum = 0;
    for (auto& x : p) sum += x = std::exp(sharpness * normal(rng));
    double u = uniform(rng) * sum;
    std::size_t y = 0;
    while (y + 1 < k && u >= p[y]) u -= p[y++];
    for (const double x : p) out.values.push_back(x / sum);
    out.label.push_back(static_cast<std::int32_t>(y));
  }
  return out;
}

}  // namespace tare::detail::testing
