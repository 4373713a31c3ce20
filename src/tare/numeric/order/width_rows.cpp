// Equal-width sums in one pass. Vectors turn rows into the number of a cell (bin and mark) and
// a word to be added there: the score in units of 2^-46 in the low 55 bits, one row above them.
// So a row costs one addition, and 511 rows fit into a cell before it must be emptied. The rows of
// a group of 16 go to 16 private copies of a cell: no addition waits for the one before it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/order/width_rows.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_WIDTH_ROWS_ONCE
#define TARE_NUMERIC_WIDTH_ROWS_ONCE

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>

#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::numeric {

// Slot 0 holds scores of 0, slot j > 0 the bin j - 1; a cell is a slot and a mark.
struct CellTotals {
  explicit CellTotals(std::size_t b) : rows(2 * (b + 1)), score(2 * (b + 1)) {}
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> score;
};

inline constexpr std::size_t rows_per_chunk = std::size_t{1} << 17;  // 2^17 * 2^46 fits into 64 bits

}  // namespace tare::detail::numeric
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {
namespace {

constexpr std::size_t block = 256;
constexpr int count_shift = 55;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// A float32 score times b is exact in float64, and while b < 2^30 no float32 lies between j/b and
// the edge, which is j/b rounded.
HWY_INLINE V slot(V p, V b, V /*inverse*/, float) { return hn::Ceil(hn::Mul(p, b)); }

// Only the edge next to p can be in doubt: compare with it. One Newton step makes j * (1/b) the
// nearest double to j/b, which has_fast_width_bins() has checked for every j.
HWY_INLINE V slot(V p, V b, V inverse, double) {
  const V j = hn::Round(hn::Mul(p, b));
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const V about = hn::Mul(j, inverse);
  const V edge = hn::MulAdd(hn::NegMulAdd(b, about, j), inverse, about);
#else
  (void)inverse;
  const V edge = hn::Div(j, b);  // no fused multiply-add here
#endif
  return hn::IfThenElse(hn::Gt(p, edge), hn::Add(j, hn::Set(D(), 1.0)), j);
}

template <int log_copies, class T>
HWY_INLINE void prepare(const T* HWY_RESTRICT score, const std::uint8_t* HWY_RESTRICT mark, double bins,
                        std::uint64_t* HWY_RESTRICT word, std::uint16_t* HWY_RESTRICT cell) {
  const hn::RebindToUnsigned<D> du64;
  const hn::Rebind<std::int32_t, D> di32;
  const hn::Rebind<std::uint16_t, D> du16;
  const hn::Rebind<std::uint8_t, D> du8;
  const V b = hn::Set(D(), bins), inverse = hn::Set(D(), 1 / bins);
  const V scale = hn::Set(D(), score_scale), magic = hn::Set(D(), 0x1p52);  // as in to_fixed
  const auto one_row = hn::Set(du64, (std::uint64_t{1} << count_shift) - std::bit_cast<std::uint64_t>(0x1p52));
  for (std::size_t i = 0; i < block; i += hn::Lanes(D())) {
    const V p = load<double>(score + i);
    hn::Store(hn::Add(hn::BitCast(du64, hn::MulAdd(p, scale, magic)), one_row), du64, word + i);
    const auto s = hn::DemoteTo(di32, slot(p, b, inverse, T{}));
    const auto m = hn::PromoteTo(di32, hn::LoadU(du8, mark + i));
    hn::Store(hn::DemoteTo(du16, hn::ShiftLeft<log_copies>(hn::Add(hn::Add(s, s), m))), du16, cell + i);
  }
}

template <int log_copies>
HWY_INLINE void add(const std::uint64_t* HWY_RESTRICT word, const std::uint16_t* HWY_RESTRICT cell, std::size_t n,
                    std::uint64_t* HWY_RESTRICT cells) {
  constexpr std::size_t group = 16, copies = std::size_t{1} << log_copies;
  std::size_t i = 0;
  for (; i + group <= n; i += group) {
    for (std::size_t k = 0; k < group; ++k) cells[cell[i + k] + k % copies] += word[i + k];
  }
  for (; i < n; ++i) cells[cell[i] + i % copies] += word[i];
}

// Empties the cells into totals per copy.
HWY_INLINE void flush(std::uint64_t* HWY_RESTRICT cells, std::uint64_t* HWY_RESTRICT rows,
                      std::uint64_t* HWY_RESTRICT score, std::size_t n) {
  const hn::ScalableTag<std::uint64_t> d;
  const auto mask = hn::Set(d, (std::uint64_t{1} << count_shift) - 1);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto c = hn::LoadU(d, cells + i);
    hn::StoreU(hn::Add(hn::LoadU(d, rows + i), hn::ShiftRight<count_shift>(c)), d, rows + i);
    hn::StoreU(hn::Add(hn::LoadU(d, score + i), hn::And(c, mask)), d, score + i);
    hn::StoreU(hn::Zero(d), d, cells + i);
  }
}

template <int log_copies, class T>
void add_chunk(const T* score, const std::uint8_t* mark, std::size_t n, std::size_t b, CellTotals& out) {
  constexpr std::size_t copies = std::size_t{1} << log_copies;
  constexpr std::size_t until_flush = 511 * copies / block;  // in blocks
  const std::size_t size = 2 * (b + 1) * copies;
  std::vector<std::uint64_t> cells(3 * size + 64);  // room for the last vector of flush()
  std::uint64_t *rows = cells.data() + size, *total = rows + size;
  alignas(64) std::uint64_t word[block];
  alignas(64) std::uint16_t cell[block];
  const auto bins = static_cast<double>(b);
  std::size_t filled = 0;
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    prepare<log_copies>(score + i, mark + i, bins, word, cell);
    add<log_copies>(word, cell, block, cells.data());
    if (++filled == until_flush) {
      flush(cells.data(), rows, total, size);
      filled = 0;
    }
  }
  flush(cells.data(), rows, total, size);
  T last_score[block] = {};
  std::uint8_t last_mark[block] = {};
  std::copy(score + i, score + n, last_score);
  std::copy(mark + i, mark + n, last_mark);
  prepare<log_copies>(last_score, last_mark, bins, word, cell);
  add<log_copies>(word, cell, n - i, cells.data());
  flush(cells.data(), rows, total, size);
  for (std::size_t c = 0; c < size; ++c) {
    out.rows[c / copies] += rows[c];
    out.score[c / copies] += total[c];
  }
}

// 16 copies while they stay in the first cache.
template <class T>
void add_rows(const T* score, const std::uint8_t* mark, std::size_t n, std::size_t b, CellTotals& out) {
  if (b < 128)
    add_chunk<4>(score, mark, n, b, out);
  else
    add_chunk<2>(score, mark, n, b, out);
}

void add_rows32(const float* score, const std::uint8_t* mark, std::size_t n, std::size_t b, CellTotals& out) {
  add_rows(score, mark, n, b, out);
}
void add_rows64(const double* score, const std::uint8_t* mark, std::size_t n, std::size_t b, CellTotals& out) {
  add_rows(score, mark, n, b, out);
}

}  // namespace
}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {
namespace {

HWY_EXPORT(add_rows32);
HWY_EXPORT(add_rows64);

void dispatch(std::span<const float> s, const std::uint8_t* mark, std::size_t b, CellTotals& out) {
  HWY_DYNAMIC_DISPATCH(add_rows32)(s.data(), mark, s.size(), b, out);
}
void dispatch(std::span<const double> s, const std::uint8_t* mark, std::size_t b, CellTotals& out) {
  HWY_DYNAMIC_DISPATCH(add_rows64)(s.data(), mark, s.size(), b, out);
}

}  // namespace

bool has_fast_width_bins(std::size_t b) {
  if (b < 1 || b > 1000) return false;  // emptying more cells would cost more than filling them
  const auto bins = static_cast<double>(b);
  const double inverse = 1 / bins;
  for (std::size_t i = 1; i <= b; ++i) {
    const auto j = static_cast<double>(i);
    const double about = j * inverse;
    if (std::fma(std::fma(-bins, about, j), inverse, about) != width_edge(i, b)) return false;
  }
  return true;
}

std::vector<BinSums> fast_width_bins(Reals score, std::span<const std::uint8_t> mark, std::size_t b, int threads) {
  std::vector<BinSums> bins(b);
  std::mutex merging;
  score.visit([&](auto s) {
    const std::size_t n = s.size();
    constexpr std::size_t many = std::size_t{1}
                                 << 21;  // fewer take a millisecond, and a thread may have to wait for one
    parallel_for((n + rows_per_chunk - 1) / rows_per_chunk, n < many ? 1 : threads, [&](std::size_t chunk) {
      const std::size_t from = chunk * rows_per_chunk, size = std::min(rows_per_chunk, n - from);
      CellTotals totals(b);
      dispatch(s.subspan(from, size), mark.data() + from, b, totals);
      const std::lock_guard lock(merging);
      for (std::size_t c = 0; c < totals.rows.size(); ++c) {
        auto& bin = bins[std::max<std::size_t>(c / 2, 1) - 1];
        bin.mass += totals.rows[c];
        bin.hits += c % 2 ? totals.rows[c] : 0;
        bin.score += totals.score[c];
      }
    });
  });
  return bins;
}

}  // namespace tare::detail::numeric
#endif
