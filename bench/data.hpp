// Rows for timing: float32 or float64 scores, uniform or piled up at 1 as those of networks are,
// with labels drawn from the scores.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>

#include "tare/core/views.hpp"
#include "tare/numeric/memory.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::bench {

template <class T>
struct Rows {
  numeric::LargeArray<T> score;
  numeric::LargeArray<std::uint8_t> label;
  [[nodiscard]] std::span<const T> scores() const { return score; }
  [[nodiscard]] BinaryView view() const { return *binary_view(scores(), label); }
};

enum class Shape { uniform, piled };

template <class T>
std::shared_ptr<const Rows<T>> make_rows(std::size_t n, Shape shape = Shape::uniform) {
  auto rows = std::make_shared<Rows<T>>();
  rows->score.resize(n);
  rows->label.resize(n);
  std::mt19937_64 rng(1);
  const auto uniform = [&] { return static_cast<double>(rng() >> 11) * 0x1p-53; };
  for (std::size_t i = 0; i < n; ++i) {
    const double u = uniform();
    const double s = shape == Shape::uniform ? u : 1 - std::pow(u, 20.9);
    rows->score[i] = static_cast<T>(s);
    rows->label[i] = uniform() < s;
  }
  return rows;
}

// The work reads this, so that no compiler drops it.
inline volatile double sink;

}  // namespace tare::detail::bench
