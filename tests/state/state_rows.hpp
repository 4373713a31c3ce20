// Rows that tests of the state draw: those of tests/golden/state_reference.py, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "tare/state/running.hpp"

namespace tare::detail::testing {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

inline std::vector<double> special_scores() {
  std::vector<double> out{0, 5e-324, 0x1p-1022, 0x1p-49, 0x1p-48, 0x1p-8, 0x1p-4, 0.5 - 0x1p-54, 0.5};
  for (std::size_t i = 0; i < 9; ++i)
    if (1 - out[i] != 0.5) out.push_back(1 - out[i]);
  for (int j = 1; j < 15; ++j) out.push_back(j / 15.0);
  return out;
}

inline Rows state_rows(const std::string& recipe, std::size_t n, std::uint64_t seed = 18) {
  SplitMix draw(seed);
  Rows out;
  const auto given = recipe == "special" ? special_scores() : std::vector<double>();
  for (std::size_t i = 0; i < n; ++i) {
    double u = static_cast<double>(draw() >> 11) * 0x1p-53;
    for (int k = recipe == "small" ? 6 : recipe == "large" ? 4 : 0; k > 0; --k) u *= u;
    if (recipe == "large") u = 1 - u;
    if (recipe == "tied") u = std::floor(u * 64) / 64;
    out.score.push_back(i < given.size() ? given[i] : u);
    out.label.push_back(draw() % 4 < 3);
  }
  return out;
}

inline state::State state_of(const Rows& rows, std::size_t cells, int bins = 15, int threads = 1) {
  state::State out = must(state::State::make(bins, cells));
  EXPECT_TRUE(out.add(rows.view(), threads));
  return out;
}

inline state::Running running_of(const Rows& rows, std::size_t cells, int bins = 15) {
  state::Running out = must(state::Running::make({.bins = bins, .cells = cells}));
  Predictions predictions;
  predictions.kind = Kind::confidences;
  predictions.n = rows.score.size();
  predictions.confidences = rows.view();
  EXPECT_TRUE(out.add(predictions));
  return out;
}

inline Rows part_of(const Rows& all, std::size_t from, std::size_t to) {
  const auto cut = [&](const auto& v) {
    using Vector = std::remove_cvref_t<decltype(v)>;
    return v.empty()
               ? Vector()
               : Vector(v.begin() + static_cast<std::ptrdiff_t>(from), v.begin() + static_cast<std::ptrdiff_t>(to));
  };
  return {cut(all.score), cut(all.label), cut(all.weight)};
}

}  // namespace tare::detail::testing
