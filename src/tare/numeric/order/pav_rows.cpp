// Isotonic regression with hardly any sorting. Its blocks are the edges of the greatest convex minorant of the running
// totals (rows, hits) in order of score. One pass counts rows and hits in fine cells of the score; the minorant through
// the ends of the cells lies on or above the true one. Inside a cell that begins at (x, y) no running total is lower
// than the one that has all misses first, (x + misses, y): where that is not below the minorant, no corner is. Only
// the rows of the other cells, and of the first and last cell of each block (for its first and last score), are
// collected in a second pass and sorted.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/order/pav_rows.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_PAV_ROWS_ONCE
#define TARE_NUMERIC_PAV_ROWS_ONCE

#include <algorithm>
#include <array>
#include <bit>

#include "tare/numeric/order/cell_walk.hpp"
#include "tare/numeric/order/pav.hpp"
#include "tare/numeric/parallel.hpp"

// Fine cells of the score, in its order: what a sort can be spared with.
//
// With q = min(p, 1 - p): cell 0 is q = 0, cell 1 is 0 < q < 2^-24, then 2^10 cells per factor of two, and 2^14 from
// 2^-6 on; above 1/2 the same backwards. 1 - p is exact there. The cells of p = 0 and p = 1, where ties pile up, hold
// nothing else.
namespace tare::detail::numeric::score_cells {

inline constexpr int coarse_shift = 52 - 10, fine_shift = 52 - 14;
inline constexpr double smallest_q = 0x1p-24, fine_q = 0x1p-6;
constexpr std::uint64_t bits_of(double q, int shift) { return std::bit_cast<std::uint64_t>(q) >> shift; }
inline constexpr std::uint64_t coarse_base = bits_of(smallest_q, coarse_shift) - 2;
inline constexpr std::uint64_t fine_base = bits_of(fine_q, fine_shift) - (bits_of(fine_q, coarse_shift) - coarse_base);
inline constexpr std::uint64_t half = bits_of(0.5, fine_shift) - fine_base;
inline constexpr std::size_t last = 2 * half, count = last + 1;

}  // namespace tare::detail::numeric::score_cells
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::score_cells::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

HWY_INLINE auto cell_of(V score) {
  const hn::RebindToUnsigned<D> du;
  const V p = hn::Abs(score);
  const V q = hn::Min(p, hn::Sub(hn::Set(D(), 1.0), p));
  // Below smallest_q: the last cell before it.
  const V at_least = hn::Max(q, hn::Set(D(), std::bit_cast<double>((coarse_base + 1) << coarse_shift)));
  const auto coarse = hn::Sub(hn::ShiftRight<coarse_shift>(hn::BitCast(du, at_least)), hn::Set(du, coarse_base));
  const auto fine = hn::Sub(hn::ShiftRight<fine_shift>(hn::BitCast(du, q)), hn::Set(du, fine_base));
  auto cell = hn::IfThenElse(hn::RebindMask(du, hn::Ge(q, hn::Set(D(), fine_q))), fine, coarse);
  cell = hn::IfThenZeroElse(hn::RebindMask(du, hn::Eq(q, hn::Zero(D()))), cell);
  const auto upper = hn::RebindMask(du, hn::Gt(p, hn::Set(D(), 0.5)));
  return hn::IfThenElse(upper, hn::Sub(hn::Set(du, last), cell), cell);
}

template <class T>
HWY_INLINE void find_all(const T* score, std::size_t n, std::uint32_t* cell) {
  const hn::Rebind<std::uint32_t, D> du32;
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::TruncateTo(du32, cell_of(numeric::HWY_NAMESPACE::load<double>(score + i))), du32, cell + i);
  if (i == n) return;
  T rest[hn::MaxLanes(D())] = {};
  std::uint32_t found[hn::MaxLanes(D())];
  std::copy(score + i, score + n, rest);
  hn::StoreU(hn::TruncateTo(du32, cell_of(numeric::HWY_NAMESPACE::load<double>(rest))), du32, found);
  std::copy(found, found + (n - i), cell + i);
}

void find32(const float* score, std::size_t n, std::uint32_t* cell) { find_all(score, n, cell); }
void find64(const double* score, std::size_t n, std::uint32_t* cell) { find_all(score, n, cell); }

}  // namespace
}  // namespace tare::detail::numeric::score_cells::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric::score_cells {
namespace {

HWY_EXPORT(find32);
HWY_EXPORT(find64);

// The cells of n scores.
void find(const float* score, std::size_t n, std::uint32_t* cell) { HWY_DYNAMIC_DISPATCH(find32)(score, n, cell); }
void find(const double* score, std::size_t n, std::uint32_t* cell) { HWY_DYNAMIC_DISPATCH(find64)(score, n, cell); }

}  // namespace
}  // namespace tare::detail::numeric::score_cells

namespace tare::detail::numeric {
namespace {

// Rows + 2^32 hits.
struct PackedCell {
  std::uint64_t word = 0;
  [[nodiscard]] std::uint64_t rows() const { return word & 0xffffffff; }
  [[nodiscard]] std::uint64_t hits() const { return word >> 32; }
};

// Calls body(row, cell) for every row.
template <class T, class Body>
void for_cells(std::span<const T> score, const Body& body) {
  std::array<std::uint32_t, 1024> cell;
  for (std::size_t from = 0; from < score.size(); from += cell.size()) {
    const std::size_t rows = std::min(cell.size(), score.size() - from);
    score_cells::find(score.data() + from, rows, cell.data());
    for (std::size_t i = 0; i < rows; ++i) body(from + i, cell[i]);
  }
}

// Adds the rows of one score.
auto adding_to(Pooling<double>& pooling) {
  return [&pooling](double score, std::uint64_t rows, std::uint64_t hits) { pooling.add({score, score, rows, hits}); };
}

// Marks the cells of a block of the coarse minorant whose rows must be seen.
void mark_wanted(const std::vector<PackedCell>& cell, const PavBlock& block, std::vector<std::uint8_t>& wanted) {
  std::uint64_t rows = 0, hits = 0;
  for (std::size_t c = block.first; c < block.last; ++c) {
    const std::uint64_t misses = cell[c].rows() - cell[c].hits();
    wanted[c] = static_cast<u128>(hits) * block.mass < static_cast<u128>(block.hits) * (rows + misses);
    rows += cell[c].rows();
    hits += cell[c].hits();
  }
  wanted[block.first] = wanted[block.last - 1] = true;
}

std::vector<std::uint8_t> wanted_cells(const std::vector<PackedCell>& cell) {
  Pooling<std::size_t> coarse;
  for (std::size_t c = 0; c < score_cells::count; ++c)
    if (cell[c].word > 0) coarse.add({c, c + 1, cell[c].rows(), cell[c].hits()});
  std::vector<std::uint8_t> wanted(score_cells::count);
  for (const PavBlock& block : coarse.finish()) mark_wanted(cell, block, wanted);
  wanted[0] = wanted[score_cells::last] = false;  // one score only
  return wanted;
}

// Rows in as many pieces as threads work on: counts are exact, and keys are sorted, so that it does not matter how
// many.
template <class T>
class PackedPieces {
  using Key = decltype(key_of(T{}, 0));

 public:
  PackedPieces(std::span<const T> score, std::span<const std::uint8_t> mark, int threads)
      : score_(score), mark_(mark), threads_(threads) {
    constexpr std::size_t worth_a_thread = std::size_t{1} << 18;  // the cells of a thread are many, too
    count_ = std::clamp<std::size_t>(score.size() / worth_a_thread, 1, static_cast<std::size_t>(std::max(threads, 1)));
  }

  [[nodiscard]] std::vector<PackedCell> counted() const {
    std::vector<std::vector<PackedCell>> part(count_);
    parallel_for(count_, threads_, [&](std::size_t p) {
      part[p].resize(score_cells::count);
      PackedCell* const cell = part[p].data();
      const std::uint8_t* const mark = mark_.data() + begin(p);
      for_cells(piece(p), [&](std::size_t i, std::uint32_t c) {
        cell[c].word += 1 + (static_cast<std::uint64_t>(mark[i]) << 32);
      });
    });
    for (std::size_t p = 1; p < count_; ++p)
      for (std::size_t c = 0; c < score_cells::count; ++c) part[0][c].word += part[p][c].word;
    return std::move(part[0]);
  }

  // The keys of the rows in wanted cells, of which there are `rows`, in order. Every key is written, and kept or
  // overwritten.
  [[nodiscard]] Keys<Key> wanted(const std::vector<std::uint8_t>& cells, std::size_t rows) const {
    std::vector<std::vector<Key>> part(count_);
    parallel_for(count_, threads_, [&](std::size_t p) {
      std::vector<Key>& keys = part[p];
      const std::uint8_t* const mark = mark_.data() + begin(p);
      const std::uint8_t* const keep = cells.data();
      const auto score = piece(p);
      keys.resize(std::min(rows, score.size()) + 1);
      Key* end = keys.data();
      for_cells(score, [&](std::size_t i, std::uint32_t c) {
        *end = key_of(score[i], mark[i]);
        end += keep[c];
      });
      keys.resize(static_cast<std::size_t>(end - keys.data()));
    });
    std::vector<Key> all;
    all.reserve(rows);
    for (const auto& keys : part) all.insert(all.end(), keys.begin(), keys.end());
    return sorted(all, threads_);
  }

 private:
  [[nodiscard]] std::size_t begin(std::size_t p) const {
    return p == count_ ? score_.size() : score_.size() / count_ * p;
  }
  [[nodiscard]] std::span<const T> piece(std::size_t p) const {
    return score_.subspan(begin(p), begin(p + 1) - begin(p));
  }

  std::span<const T> score_;
  std::span<const std::uint8_t> mark_;
  int threads_;
  std::size_t count_;
};

template <class T>
std::vector<ScoreBlock> pooled_by_cells(std::span<const T> score, std::span<const std::uint8_t> mark, int threads) {
  const PackedPieces<T> pieces(score, mark, threads);
  const std::vector<PackedCell> cell = pieces.counted();
  const auto rows = [&](std::size_t c) { return cell[c].rows(); };
  const auto wanted = wanted_cells(cell);
  const auto keys = pieces.wanted(wanted, wanted_rows(wanted, rows));

  Pooling<double> pooling;
  const auto add_group = adding_to(pooling);
  const auto add_whole = [&](std::size_t c) {  // 0 and 1 are scores; the ends of all other cells are inside a block
    add_group(c == score_cells::last ? 1 : 0, cell[c].rows(), cell[c].hits());
  };
  walk_cells(wanted, keys, rows, add_whole, add_group);
  return pooling.finish();
}

}  // namespace

std::vector<ScoreBlock> pooled_rows(Reals score, std::span<const std::uint8_t> mark, int threads) {
  std::vector<ScoreBlock> blocks;
  score.visit([&](auto s) {
    constexpr std::size_t worth_the_cells = 1 << 17;
    if (s.size() >= worth_the_cells && s.size() >> 32 == 0) {
      blocks = pooled_by_cells(s, mark, threads);
      return;
    }
    const auto keys = sorted_keys(s, mark, threads);
    Pooling<double> pooling;
    for_groups(keys, 0, keys.size(), adding_to(pooling));
    blocks = pooling.finish();
  });
  return blocks;
}

}  // namespace tare::detail::numeric
#endif
