// What passes over rows of logits share: rows in chunks, and exact sums over them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/logit_rows.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::numeric {

inline constexpr std::size_t rows_per_chunk = 64;
inline constexpr double moderate = most_coarse_range;  // sums of squares of such logits fit without a unit

template <class T>
double log_of(T p) {
  return std::log(static_cast<double>(std::max(p, std::numeric_limits<T>::min())));
}
template <class T>
double odds_of(T p) {
  constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
  const auto x = static_cast<double>(p);
  return std::log(std::max(x, least) / std::max(1 - x, least));  // a ratio: its sign is that of p - 1/2
}

template <class T>
void logarithms_of(std::span<const T> probabilities, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<double>(std::max(probabilities[i], std::numeric_limits<T>::min()));
  take_logarithms(out);
}

// One chunk of rows as logits: the input itself, or a converted copy.
template <class T>
class Chunk {
 public:
  Chunk(std::span<const T> values, const LogitRows& rows, std::size_t first, std::size_t n)
      : count(n), width(rows.k == 1 ? 2 : rows.k), raw_(values.data() + first * rows.k) {
    if (rows.k != 1 && !rows.probabilities) return;
    copy_.assign(count * width, 0.0);
    if (rows.k == 1) {
      for (std::size_t i = 0; i < count; ++i)
        copy_[2 * i + 1] = rows.probabilities ? odds_of(raw_[i]) : static_cast<double>(raw_[i]);
      return;
    }
    logarithms_of(std::span(raw_, copy_.size()), copy_);
  }

  void moments(double v, RowSums sums, RowMoments* out) const {
    visit([&](const auto* z) { moments_of_rows(z, count, width, v, sums, out); });
  }
  void shape(RowShape* out) const {
    visit([&](const auto* z) { shapes_of_rows(z, count, width, out); });
  }
  // Calls f(rows of `width` numbers).
  template <class F>
  void visit(const F& f) const {
    if (copy_.empty())
      f(raw_);
    else
      f(copy_.data());
  }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const {
    return copy_.empty() ? static_cast<double>(raw_[i * width + j]) : copy_[i * width + j];
  }

  std::size_t count, width;

 private:
  const T* raw_;
  std::vector<double> copy_ = {};
};

// Calls body(chunk number, rows of the chunk, first row) in parallel.
template <class Body>
void for_chunks(const LogitRows& rows, int threads, const Body& body) {
  const std::size_t n = rows.label.size(), chunks = (n + rows_per_chunk - 1) / rows_per_chunk;
  rows.values.visit([&]<class S>(S values) {
    parallel_for(chunks, threads, [&](std::size_t c) {
      const std::size_t first = c * rows_per_chunk, count = std::min(rows_per_chunk, n - first);
      body(c, Chunk<typename S::value_type>(values, rows, first, count), first);
    });
  });
}

inline std::size_t chunk_count(const LogitRows& rows) {
  return (rows.label.size() + rows_per_chunk - 1) / rows_per_chunk;
}

// Slopes in units of a power of two not below the range, so that every term of the exact sums is at most 1.
inline double unit_of(double range) { return range > 0 ? std::exp2(std::ceil(std::log2(range))) : 1; }

struct Totals {
  ExactSum weight, log_normaliser, label, mean, variance, tied;
  void merge(const Totals& o) {
    weight.merge(o.weight);
    log_normaliser.merge(o.log_normaliser);
    label.merge(o.label);
    mean.merge(o.mean);
    variance.merge(o.variance);
    tied.merge(o.tied);
  }
};

// Weights in a unit near the largest of them, a power of two: whatever they are counted in, the sums round alike.
class Weights {
 public:
  explicit Weights(const LogitRows& rows) : weight_(rows.weight) {
    if (!weight_.empty()) inverse_ = 1 / power_of_two_above(*std::max_element(weight_.begin(), weight_.end()));
  }
  double operator[](std::size_t i) const { return weight_.empty() ? 1 : weight_[i] * inverse_; }

 private:
  std::span<const double> weight_;
  double inverse_ = 1;
};

// One row of a pass at v; slopes in `unit`.
inline void add_row(const RowMoments& m, double label, double w, double unit, Totals& t) {
  const double mean = m.s1 / m.s0 / unit;
  t.weight.add_quickly(w);
  t.log_normaliser.add_quickly(std::log(m.s0), w);
  t.label.add_quickly((label - m.top) / unit, w);
  t.mean.add_quickly(mean, w);
  t.variance.add_quickly(std::max(0.0, m.s2 / m.s0 / unit / unit - mean * mean), w);
}

inline TemperedNll finish(const Totals& all, double v, double unit) {
  const double n = all.weight.value(), label = all.label.value();
  return {(all.log_normaliser.value() - v * unit * label) / n, (all.mean.value() - label) / n * unit,
          all.variance.value() / n * unit * unit};
}

}  // namespace tare::detail::numeric
