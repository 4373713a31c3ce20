// Rows in the shapes that break binning: on the edges and beside them, tied, piled up at 1.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tare/core/views.hpp"

namespace tare::detail::testing {

template <class T>
struct Scored {
  std::string name;
  std::vector<T> score;
  std::vector<std::uint8_t> mark;
  [[nodiscard]] Reals reals() const { return std::span<const T>(score); }
};

template <class T, class Draw>
Scored<T> drawn(std::string name, std::size_t n, std::uint64_t seed, const Draw& draw) {
  std::mt19937_64 rng(seed);
  Scored<T> out{std::move(name), std::vector<T>(n), std::vector<std::uint8_t>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const double u = static_cast<double>(rng() >> 11) * 0x1p-53;
    out.score[i] = static_cast<T>(draw(u, i));
    out.mark[i] = static_cast<std::uint8_t>(static_cast<double>(rng() >> 11) * 0x1p-53 < out.score[i]);
  }
  return out;
}

// Every edge of b bins with its two neighbours, and both ends with zeros of both signs.
template <class T>
Scored<T> edges(std::size_t b) {
  Scored<T> out{"edges", {T(0), T(-0.0), std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min()}, {}};
  for (std::size_t j = 1; j <= b; ++j) {
    const T e = static_cast<T>(static_cast<double>(j) / static_cast<double>(b));
    out.score.insert(out.score.end(), {std::nextafter(e, T(0)), e});
    if (j < b) out.score.push_back(std::nextafter(e, T(1)));
  }
  for (std::size_t i = 0; i < out.score.size(); ++i) out.mark.push_back(i % 3 == 1);
  return out;
}

template <class T>
std::vector<Scored<T>> shapes(std::size_t n, std::uint64_t seed) {
  return {
      drawn<T>("uniform", n, seed, [](double u, std::size_t) { return u; }),
      drawn<T>("piled at 1", n, seed + 1, [](double u, std::size_t) { return 1 - std::pow(u, 20.9); }),
      drawn<T>("piled at 0", n, seed + 2, [](double u, std::size_t) { return std::pow(u, 60); }),
      drawn<T>("ten levels", n, seed + 3, [](double u, std::size_t) { return std::floor(u * 10) / 10; }),
      drawn<T>("a thousand levels", n, seed + 4, [](double u, std::size_t) { return std::floor(u * 1000) / 1000; }),
      drawn<T>("all equal", n, seed + 5, [](double, std::size_t) { return 0.7; }),
      drawn<T>("all but one equal", n, seed + 9, [](double, std::size_t i) { return i == 1 ? 1e-30 : 0.7; }),
      drawn<T>("zeros and ones", n, seed + 6, [](double u, std::size_t) { return u < 0.3 ? -0.0 : 1.0; }),
      drawn<T>("narrow", n, seed + 7, [](double u, std::size_t) { return 0.9 + 1e-4 * u; }),
      drawn<T>("ascending", n, seed + 8,
               [n](double, std::size_t i) { return (static_cast<double>(i) + 0.5) / static_cast<double>(n); }),
  };
}

}  // namespace tare::detail::testing
