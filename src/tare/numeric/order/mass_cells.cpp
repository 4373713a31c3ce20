// The two passes over rows that equal-mass bins need, in vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/order/mass_cells.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_MASS_CELLS_ONCE
#define TARE_NUMERIC_MASS_CELLS_ONCE

#include <algorithm>

#include "tare/numeric/order/mass_cells.hpp"

#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {
namespace {

using namespace mass_cells;

constexpr std::size_t block = 256;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using DU = hn::RebindToUnsigned<D>;

// Where the words of a score's cell begin.
HWY_INLINE hn::Vec<DU> place(V score) {
  const DU du;
  const V p = hn::Abs(score);
  const V q = hn::Min(p, hn::Sub(hn::Set(D(), 1.0), p));
  auto cell = hn::ShiftRight<cell_shift>(hn::BitCast(du, hn::Max(q, hn::Set(D(), smallest_q))));
  cell = hn::Sub(cell, hn::Set(du, lowest_bits - 1));
  cell = hn::IfThenZeroElse(hn::RebindMask(du, hn::Eq(q, hn::Zero(D()))), cell);
  const auto upper = hn::RebindMask(du, hn::Gt(p, hn::Set(D(), 0.5)));
  cell = hn::IfThenElse(upper, hn::Sub(hn::Set(du, last_cell), cell), cell);
  return hn::ShiftLeft<2>(cell);
}

template <class T>
HWY_INLINE void find_places(const T* score, std::uint16_t* HWY_RESTRICT at) {
  const hn::Rebind<std::uint16_t, D> du16;
  for (std::size_t i = 0; i < block; i += hn::Lanes(D()))
    hn::Store(hn::TruncateTo(du16, place(load<double>(score + i))), du16, at + i);
}

// The two words of each row, side by side; within a vector the even rows first, then the odd.
template <class T>
HWY_INLINE void make_words(const T* score, const std::uint8_t* mark, std::uint64_t* HWY_RESTRICT word) {
  const DU du;
  const hn::Rebind<std::uint32_t, D> du32;
  const hn::Rebind<std::uint8_t, D> du8;
  const V scale = hn::Set(D(), score_scale), magic = hn::Set(D(), 0x1p52);  // as in to_fixed
  const auto magic_bits = hn::Set(du, std::bit_cast<std::uint64_t>(0x1p52));
  const std::size_t lanes = hn::Lanes(D());
  for (std::size_t i = 0; i < block; i += lanes) {
    const auto fixed = hn::Sub(hn::BitCast(du, hn::MulAdd(load<double>(score + i), scale, magic)), magic_bits);
    const auto m = hn::PromoteTo(du, hn::PromoteTo(du32, hn::LoadU(du8, mark + i)));
    const auto row = hn::Add(hn::ShiftLeft<32>(m), hn::Set(du, 1));
#if HWY_TARGET == HWY_SCALAR
    hn::Store(fixed, du, word + 2 * i);
    hn::Store(row, du, word + 2 * i + 1);
#else
    hn::Store(hn::InterleaveLower(du, fixed, row), du, word + 2 * i);
    hn::Store(hn::InterleaveUpper(du, fixed, row), du, word + 2 * i + lanes);
#endif
  }
}

HWY_INLINE void add_words(const std::uint64_t* HWY_RESTRICT word, const std::uint16_t* HWY_RESTRICT at,
                          std::uint64_t* HWY_RESTRICT total) {
  constexpr std::size_t lanes = hn::MaxLanes(D());
  for (std::size_t i = 0; i < block; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t* from = word + 2 * i + lane % 2 * lanes + lane / 2 * 2;
      std::uint64_t* to = total + at[i + lane] + lane % 2 * 2;
#if HWY_TARGET == HWY_SCALAR
      to[0] += from[0];
      to[1] += from[1];
#else
      const hn::Full128<std::uint64_t> two;
      hn::Store(hn::Add(hn::Load(two, to), hn::Load(two, from)), two, to);
#endif
    }
  }
}

// Calls body(scores, marks, rows) for blocks; the last one is a padded copy.
template <class T, class Body>
HWY_INLINE void for_blocks(const T* score, const std::uint8_t* mark, std::size_t n, const Body& body) {
  std::size_t i = 0;
  for (; i + block <= n; i += block) body(score + i, mark + i, block);
  if (i == n) return;
  T last_score[block] = {};
  std::uint8_t last_mark[block] = {};
  std::copy(score + i, score + n, last_score);
  std::copy(mark + i, mark + n, last_mark);
  body(last_score, last_mark, n - i);
}

template <class T>
HWY_INLINE void count(const T* score, const std::uint8_t* mark, std::size_t n, std::uint64_t* total) {
  alignas(64) std::uint16_t at[block];
  alignas(64) std::uint64_t word[2 * block];
  for_blocks(score, mark, n, [&](const T* s, const std::uint8_t* m, std::size_t rows) HWY_ATTR {
    find_places(s, at);
    std::fill(at + rows, at + block, static_cast<std::uint16_t>(cells * words_per_cell));  // a spare cell
    make_words(s, m, word);
    add_words(word, at, total);
  });
}

// Appends the keys of the rows in wanted cells: every key is written, and kept or overwritten.
template <class T, class Key>
HWY_INLINE void collect(const T* score, const std::uint8_t* mark, std::size_t n, const std::uint8_t* wanted,
                        std::vector<Key>& out) {
  alignas(64) std::uint16_t at[block];
  std::size_t size = 0;
  for_blocks(score, mark, n, [&](const T* s, const std::uint8_t* m, std::size_t rows) HWY_ATTR {
    find_places(s, at);
    if (out.size() < size + block) out.resize(2 * size + 16 * block);
    Key* keys = out.data();
    for (std::size_t i = 0; i < rows; ++i) {
      keys[size] = key_of(s[i], m[i]);
      size += wanted[at[i] / words_per_cell];
    }
  });
  out.resize(size);
}

void count32(const float* s, const std::uint8_t* m, std::size_t n, std::uint64_t* total) { count(s, m, n, total); }
void count64(const double* s, const std::uint8_t* m, std::size_t n, std::uint64_t* total) { count(s, m, n, total); }
void collect32(const float* s, const std::uint8_t* m, std::size_t n, const std::uint8_t* wanted,
               std::vector<std::uint32_t>& out) {
  collect(s, m, n, wanted, out);
}
void collect64(const double* s, const std::uint8_t* m, std::size_t n, const std::uint8_t* wanted,
               std::vector<std::uint64_t>& out) {
  collect(s, m, n, wanted, out);
}

}  // namespace
}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {
namespace {

HWY_EXPORT(count32);
HWY_EXPORT(count64);
HWY_EXPORT(collect32);
HWY_EXPORT(collect64);

}  // namespace

void mass_cells::count_in_cells(std::span<const float> s, const std::uint8_t* mark, std::uint64_t* total) {
  HWY_DYNAMIC_DISPATCH(count32)(s.data(), mark, s.size(), total);
}
void mass_cells::count_in_cells(std::span<const double> s, const std::uint8_t* mark, std::uint64_t* total) {
  HWY_DYNAMIC_DISPATCH(count64)(s.data(), mark, s.size(), total);
}
void mass_cells::collect_wanted(std::span<const float> s, const std::uint8_t* mark, const std::uint8_t* wanted,
                                std::vector<std::uint32_t>& out) {
  HWY_DYNAMIC_DISPATCH(collect32)(s.data(), mark, s.size(), wanted, out);
}
void mass_cells::collect_wanted(std::span<const double> s, const std::uint8_t* mark, const std::uint8_t* wanted,
                                std::vector<std::uint64_t>& out) {
  HWY_DYNAMIC_DISPATCH(collect64)(s.data(), mark, s.size(), wanted, out);
}

}  // namespace tare::detail::numeric
#endif
