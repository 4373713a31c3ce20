// Rows of many classes: a vector runs along the row, twice, the second time in the first cache.
// Rows of few classes: a vector holds one class of many rows, after a transposition in blocks.
// Either way the largest logit is left out of the sum, so that `rest` keeps its relative
// precision when it is small, and a row's numbers do not depend on the rows around it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/simd/softmax.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/cache_control.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_SOFTMAX_ONCE
#define TARE_NUMERIC_SOFTMAX_ONCE

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "tare/core/views.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace tare::detail::numeric {

inline constexpr std::size_t rows_per_block = 256;

// What the first step finds for a block of rows, and the second step finishes.
struct SoftmaxBlock {
  alignas(64) double top[rows_per_block];   // the largest logit
  alignas(64) double rest[rows_per_block];  // of exp(z - top) over the others
  alignas(64) std::int32_t argmax[rows_per_block];
};

inline SoftmaxRows after(const SoftmaxRows& out, std::size_t rows) {
  const auto move = [rows](auto* p) { return p ? p + rows : p; };
  return {move(out.confidence), move(out.complement), move(out.nll), move(out.log_normaliser), move(out.argmax)};
}

template <class T>
double rest_of_row(const T* z, std::size_t k, std::int32_t top) {
  double rest = 0;
  for (std::size_t j = 0; j < k; ++j)
    if (j != static_cast<std::size_t>(top))
      rest += std::exp(static_cast<double>(z[j]) - static_cast<double>(z[static_cast<std::size_t>(top)]));
  return rest;
}

}  // namespace tare::detail::numeric
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

template <class T>
void first_step(const T* z, std::size_t k, std::size_t n, SoftmaxBlock& out) {
  for (std::size_t i = 0; i < n; ++i) {
    const T* row = z + i * k;
    out.argmax[i] = static_cast<std::int32_t>(std::max_element(row, row + k) - row);
    out.top[i] = static_cast<double>(row[out.argmax[i]]);
    out.rest[i] = rest_of_row(row, k, out.argmax[i]);
  }
}

#else

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vec = hn::Vec<Tag<T> >;
template <class T>
using Index = hn::RebindToSigned<Tag<T> >;

// exp(x) for x <= 0: a sum without the largest may be as small as it likes. Where float32 is not enough, first_step()
// sees to it.
HWY_INLINE Vec<double> exp_of(Vec<double> x) { return hn::Exp(Tag<double>(), x); }
HWY_INLINE Vec<float> exp_of(Vec<float> x) { return exp_negative(x); }

// The first place of the value m, which is there unless somebody writes to the row: then any place.
template <class T>
HWY_INLINE std::size_t find(const T* z, std::size_t k, T m) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto value = hn::Set(d, m);
  for (std::size_t j = 0; j + lanes <= k; j += lanes) {
    const auto at = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, z + j), value));
    if (at >= 0) return j + static_cast<std::size_t>(at);
  }
  std::size_t j = std::min(k - k % lanes, k - 1);
  while (j + 1 < k && z[j] != m) ++j;
  return j;
}

// Of exp(z - m) over all but the one at `top`.
template <class T>
HWY_INLINE double sum(const T* z, std::size_t k, std::size_t top) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto m = hn::Set(d, z[top]);
  auto a = hn::Zero(d), b = hn::Zero(d);
  const auto add = [&](std::size_t from, std::size_t to) HWY_ATTR {
    std::size_t j = from;
    for (; j + 2 * lanes <= to; j += 2 * lanes) {
      hwy::Prefetch(z + k + j);  // the next row, which would otherwise be waited for
      hwy::Prefetch(z + k + j + lanes);
      a = hn::Add(a, exp_of(hn::Sub(hn::LoadU(d, z + j), m)));
      b = hn::Add(b, exp_of(hn::Sub(hn::LoadU(d, z + j + lanes), m)));
    }
    if (j < to) a = hn::Add(a, exp_of(hn::Sub(hn::LoadU(d, z + j), m)));
  };
  // One vector from `at` on, without its first `skip` lanes and without `top`.
  const auto add_without = [&](std::size_t at, std::size_t skip) HWY_ATTR {
    const auto e = exp_of(hn::Sub(hn::LoadU(d, z + at), m));
    const auto lane = hn::Iota(d, T(0));
    const auto own = hn::Set(d, static_cast<T>(static_cast<std::ptrdiff_t>(top) - static_cast<std::ptrdiff_t>(at)));
    const auto keep = hn::IfThenZeroElse(hn::Eq(lane, own), e);
    b = hn::Add(b, hn::IfThenElseZero(hn::Ge(lane, hn::Set(d, static_cast<T>(skip))), keep));
  };
  const std::size_t whole = k - k % lanes, vector_of_top = top - top % lanes;
  add(0, std::min(vector_of_top, whole));
  if (vector_of_top < whole) {
    add_without(vector_of_top, 0);
    add(vector_of_top + lanes, whole);
  }
  if (whole < k) add_without(k - lanes, lanes - k % lanes);
  return sum_of_lanes(hn::Add(a, b));
}

template <class T>
HWY_INLINE void along_rows(const T* z, std::size_t k, std::size_t n, SoftmaxBlock& out) {
  for (std::size_t i = 0; i < n; ++i) {
    const T* row = z + i * k;
    const T m = largest_of_many(row, k);
    const std::size_t top = find(row, k, m);
    out.top[i] = static_cast<double>(m);
    out.argmax[i] = static_cast<std::int32_t>(top);
    out.rest[i] = sum(row, k, top);
  }
}

#include "tare/numeric/simd/few_classes.inl"

HWY_INLINE double least_of(const double* x, std::size_t n) {
  const Tag<double> d;
  auto some = hn::Set(d, std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) some = hn::Min(some, hn::Load(d, x + i));
  double out = hn::GetLane(hn::MinOfLanes(d, some));
  for (; i < n; ++i) out = std::min(out, x[i]);
  return out;
}

template <class T>
HWY_INLINE void first_step(const T* z, std::size_t k, std::size_t n, SoftmaxBlock& out) {
  if (k < few_classes)
    across_rows(z, k, n, out);
  else
    along_rows(z, k, n, out);
  if constexpr (sizeof(T) == 4) {
    // Beyond the range of float32, and of exp_negative: in float64.
    if (least_of(out.rest, n) < 1e-30)
      for (std::size_t i = 0; i < n; ++i)
        if (out.rest[i] < 1e-30) out.rest[i] = rest_of_row(z + i * k, k, out.argmax[i]);
  }
}

#endif

// From rest and top to what is wanted.
template <class T>
HWY_INLINE void second_step(const T* z, std::size_t k, std::size_t n, const std::int32_t* label, SoftmaxBlock& block,
                            const SoftmaxRows& out) {
  const hn::ScalableTag<double> d;
  alignas(64) double buffer[rows_per_block];
  const auto for_vectors = [&](double* to, const auto& f) HWY_ATTR {
    double* at = n == rows_per_block ? to : buffer;  // a vector may end after the last row
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(f(hn::Load(d, block.rest + i)), d, at + i);
    if (at != to) std::copy(buffer, buffer + n, to);
  };
  const auto one = hn::Set(d, 1.0);
  const auto positive = [&](auto r) HWY_ATTR { return hn::IfThenElseZero(hn::Ge(r, hn::Zero(d)), r); };  // never NaN
  if (out.argmax) std::copy(block.argmax, block.argmax + n, out.argmax);
  if (out.confidence)
    for_vectors(out.confidence, [&](auto r) HWY_ATTR { return hn::Div(one, hn::Add(one, positive(r))); });
  if (out.complement) for_vectors(out.complement, [&](auto r) HWY_ATTR { return hn::Div(r, hn::Add(one, r)); });
  if (!out.nll && !out.log_normaliser) return;
  for_vectors(block.rest, [&](auto r) HWY_ATTR { return hn::Log1p(d, r); });
  if (out.log_normaliser)
    for (std::size_t i = 0; i < n; ++i) out.log_normaliser[i] = block.top[i] + block.rest[i];
  if (out.nll) {
    for (std::size_t i = 0; i < n; ++i) buffer[i] = static_cast<double>(z[i * k + static_cast<std::size_t>(label[i])]);
    for (std::size_t i = 0; i < n; ++i)
      out.nll[i] = buffer[i] == masked_logit ? std::numeric_limits<double>::infinity()
                                             : block.rest[i] + (block.top[i] - buffer[i]);
  }
}

// What the second step reads and writes is fetched during the first.
template <class T>
HWY_INLINE void fetch(const T* from, std::size_t n) {
  if (from == nullptr) return;
  for (std::size_t i = 0; i < n; i += 64 / sizeof(T)) hwy::Prefetch(from + i);
}

template <class T>
HWY_INLINE void run_block(const T* z, std::size_t k, std::size_t n, const std::int32_t* label, const SoftmaxRows& out) {
  SoftmaxBlock block;
  fetch(label, n);
  fetch(out.argmax, n);
  for (const double* to : {out.confidence, out.complement, out.nll, out.log_normaliser}) fetch(to, n);
  std::fill(std::begin(block.rest), std::end(block.rest), 0.0);
  if (k == 1) {
    std::array<T, 2 * rows_per_block> pairs{};
    for (std::size_t i = 0; i < n; ++i) pairs[2 * i + 1] = z[i];
    first_step(pairs.data(), 2, n, block);
    second_step(pairs.data(), 2, n, label, block, out);
  } else {
    first_step(z, k, n, block);
    second_step(z, k, n, label, block, out);
  }
}

void exp_vectors(double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  map_in_place(x, n, [&](auto v) HWY_ATTR { return hn::Exp(d, v); });
}

void run32(const float* z, std::size_t k, std::size_t n, const std::int32_t* label, const SoftmaxRows& out) {
  run_block(z, k, n, label, out);
}
void run64(const double* z, std::size_t k, std::size_t n, const std::int32_t* label, const SoftmaxRows& out) {
  run_block(z, k, n, label, out);
}

}  // namespace
}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {
namespace {

HWY_EXPORT(exp_vectors);
HWY_EXPORT(run32);
HWY_EXPORT(run64);

void run(const float* z, std::size_t k, std::size_t n, const std::int32_t* label, const SoftmaxRows& out) {
  HWY_DYNAMIC_DISPATCH(run32)(z, k, n, label, out);
}
void run(const double* z, std::size_t k, std::size_t n, const std::int32_t* label, const SoftmaxRows& out) {
  HWY_DYNAMIC_DISPATCH(run64)(z, k, n, label, out);
}

template <class T>
void run_all(std::span<const T> z, std::size_t k, std::span<const std::int32_t> label, const SoftmaxRows& out,
             int threads) {
  const std::size_t n = z.size() / k;
  parallel_for((n + rows_per_block - 1) / rows_per_block, threads, [&](std::size_t c) {
    const std::size_t from = c * rows_per_block;
    run(z.data() + from * k, k, std::min(rows_per_block, n - from), label.empty() ? nullptr : label.data() + from,
        after(out, from));
  });
}

}  // namespace

void softmax_rows(std::span<const float> z, std::size_t k, std::span<const std::int32_t> label, const SoftmaxRows& out,
                  int threads) {
  run_all(z, k, label, out, threads);
}
void softmax_rows(std::span<const double> z, std::size_t k, std::span<const std::int32_t> label, const SoftmaxRows& out,
                  int threads) {
  run_all(z, k, label, out, threads);
}

void exp_all(std::span<double> x) { HWY_DYNAMIC_DISPATCH(exp_vectors)(x.data(), x.size()); }

}  // namespace tare::detail::numeric
#endif
