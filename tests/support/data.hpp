// Small data for tests: samples by hand, simulated samples of known truth, golden files.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/core/views.hpp"

namespace tare::detail::testing {

// The value, or a failed test.
template <class T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << tare::detail::sentence(result.error()) << "\n" << result.error().remedy;
    std::abort();
  }
  return *std::move(result);
}

struct Rows {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
  std::vector<double> weight = {};
  [[nodiscard]] BinaryView view() const { return must(binary_view(std::span<const double>(score), label, weight)); }
};

// Scores uniform on [0, 1], labels drawn with P(label = 1) = curve(score).
template <class Curve>
Rows simulated(std::size_t n, std::uint64_t seed, const Curve& curve) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform;
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    const double s = uniform(rng);
    out.score.push_back(s);
    out.label.push_back(uniform(rng) < curve(s));
  }
  return out;
}

inline Rows calibrated(std::size_t n, std::uint64_t seed) {
  return simulated(n, seed, [](double s) { return s; });
}

}  // namespace tare::detail::testing
