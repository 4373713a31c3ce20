// Equal-mass bins by selection. One pass counts rows, hits and scores in 13571 cells, 128 per
// factor of two in p below 1/2 and in 1 - p above, where scores of networks crowd. A cell whose ranks
// all fall into one bin needs no more. Only the rows of the other cells, and of the first and last
// cell of each bin (for its first and last score), are collected in a second pass and sorted.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/order/mass_rows.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_MASS_ROWS_ONCE
#define TARE_NUMERIC_MASS_ROWS_ONCE

#include <algorithm>
#include <bit>
#include <cassert>
#include <mutex>

#include "tare/numeric/memory.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/cell_walk.hpp"
#include "tare/numeric/parallel.hpp"

// Fewer cells than those of pav_rows.cpp, because each has a sum of scores, too, and all must stay in the second cache.
namespace tare::detail::numeric::mass_cells {

// With q = min(p, 1 - p): cell 0 is q = 0, cell 1 is 0 < q < 2^-54 and a little more, cell half_cell
// is q = 1/2; above 1/2 the same backwards. 1 - p is exact there, and at least 2^-53 unless p = 1:
// so the cells of p = 0 and p = 1, where ties pile up, hold nothing else.
inline constexpr int cell_shift = 45;  // keeps 7 bits of the fraction
inline constexpr double smallest_q = 0x1p-54;
inline constexpr std::uint64_t lowest_bits = std::bit_cast<std::uint64_t>(smallest_q) >> cell_shift;
inline constexpr std::uint64_t half_cell = (std::bit_cast<std::uint64_t>(0.5) >> cell_shift) - lowest_bits + 1;
inline constexpr std::uint64_t last_cell = 2 * half_cell;
inline constexpr std::size_t cells = last_cell + 1;

// Even and odd rows go to two copies of a cell, so that neighbours in one cell do not wait for
// each other. A copy is two words: the scores, modulo 2^64, and rows + 2^32 * hits.
inline constexpr std::size_t words_per_cell = 4;

}  // namespace tare::detail::numeric::mass_cells
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

using namespace mass_cells;

HWY_EXPORT(count32);
HWY_EXPORT(count64);
HWY_EXPORT(collect32);
HWY_EXPORT(collect64);

void count_in_cells(std::span<const float> s, const std::uint8_t* mark, std::uint64_t* total) {
  HWY_DYNAMIC_DISPATCH(count32)(s.data(), mark, s.size(), total);
}
void count_in_cells(std::span<const double> s, const std::uint8_t* mark, std::uint64_t* total) {
  HWY_DYNAMIC_DISPATCH(count64)(s.data(), mark, s.size(), total);
}
// The keys of the rows whose cells are wanted.
void collect_wanted(std::span<const float> s, const std::uint8_t* mark, const std::uint8_t* wanted,
                    std::vector<std::uint32_t>& out) {
  HWY_DYNAMIC_DISPATCH(collect32)(s.data(), mark, s.size(), wanted, out);
}
void collect_wanted(std::span<const double> s, const std::uint8_t* mark, const std::uint8_t* wanted,
                    std::vector<std::uint64_t>& out) {
  HWY_DYNAMIC_DISPATCH(collect64)(s.data(), mark, s.size(), wanted, out);
}

double q_of(std::size_t cell) { return std::bit_cast<double>((lowest_bits + cell - 1) << cell_shift); }

// A number that no score of the cell is below.
double cell_floor(std::size_t cell) {
  if (cell <= 1) return 0;
  if (cell <= half_cell) return q_of(cell);
  return cell == last_cell ? 1 : 1 - q_of(last_cell - cell + 1);
}

bool is_single(std::size_t cell) { return cell == 0 || cell == last_cell; }

struct Cell {
  std::uint64_t rows = 0, hits = 0;
  u128 score = 0;
};

// The sum of a cell is known modulo 2^64 and lies between rows * floor and rows * (floor + 2^37),
// because a cell is at most 2^-9 wide: with at most 2^27 rows only one number fits.
constexpr std::size_t rows_per_piece = std::size_t{1} << 26;

void add_piece(const std::uint64_t* total, std::vector<Cell>& out) {
  for (std::size_t c = 0; c < cells; ++c) {
    const std::uint64_t* w = total + c * words_per_cell;
    const std::uint64_t both = w[1] + w[3], rows = both & 0xFFFFFFFF;
    if (rows == 0) continue;
    const u128 least = static_cast<u128>(to_fixed(cell_floor(c))) * rows;
    out[c].rows += rows;
    out[c].hits += both >> 32;
    out[c].score += least + (w[0] + w[2] - static_cast<std::uint64_t>(least));
  }
}

// The cells whose rows must be looked at one by one.
std::vector<std::uint8_t> wanted_cells(const std::vector<Cell>& cell, std::uint64_t n, std::uint64_t b) {
  std::vector<std::uint8_t> wanted(cells);
  std::uint64_t before = 0;
  std::size_t previous = cells;
  std::uint64_t previous_bin = b;
  bool previous_parting = false;
  for (std::size_t c = 0; c < cells; ++c) {
    const std::uint64_t rows = cell[c].rows;
    if (rows == 0) continue;
    const std::uint64_t lowest = before * b / n, highest = (before + rows - 1) * b / n;
    const std::uint64_t single = twice_middle_rank(before, before + rows) * b / (2 * n);
    const std::uint64_t first_bin = is_single(c) ? single : lowest, last_bin = is_single(c) ? single : highest;
    // Between two bins; or the cell's rows may be one group, which goes to one of them and leaves the other to a
    // neighbour.
    const bool parting = first_bin != last_bin;
    if (first_bin != previous_bin || parting || previous_parting) {
      wanted[c] = 1;
      if (previous < cells) wanted[previous] = 1;
    }
    previous = c;
    previous_bin = last_bin;
    previous_parting = parting;
    before += rows;
  }
  if (previous < cells) wanted[previous] = 1;
  wanted[0] = wanted[last_cell] = 0;  // one score each, and known
  return wanted;
}

struct Walk {
  std::vector<BinSums> bins;
  std::vector<std::size_t> missing;  // cells that hold the first or last score of a bin, but were not wanted
};

// Cells and, where they were wanted, rows in ascending order.
template <class Key>
Walk walk(const std::vector<Cell>& cell, const std::vector<std::uint8_t>& wanted, const Keys<Key>& keys,
          std::uint64_t n, std::uint64_t b) {
  Walk out{std::vector<BinSums>(b), {}};
  std::vector<std::size_t> unknown_last(b, cells);
  std::uint64_t before = 0;
  const auto add_group = [&](double x, std::uint64_t rows, std::uint64_t hits) {
    const std::uint64_t j = twice_middle_rank(before, before + rows) * b / (2 * n);
    if (out.bins[j].mass == 0) out.bins[j].first = x;
    out.bins[j].last = x;
    out.bins[j].merge({rows, hits, static_cast<u128>(to_fixed(x)) * rows});
    unknown_last[j] = cells;
    before += rows;
  };
  const auto add_whole = [&](std::size_t c) {
    const Cell& now = cell[c];
    if (is_single(c)) return add_group(c == 0 ? 0 : 1, now.rows, now.hits);
    const std::uint64_t j = before * b / n;
    if (out.bins[j].mass == 0) out.missing.push_back(c);
    out.bins[j].merge({now.rows, now.hits, now.score});
    unknown_last[j] = c;
    before += now.rows;
  };
  walk_cells(
      wanted, keys, [&](std::size_t c) { return cell[c].rows; }, add_whole, add_group);
  assert(before == n);
  for (const std::size_t c : unknown_last)
    if (c < cells) out.missing.push_back(c);
  return out;
}

template <class T>
class Selection {
  using Key = decltype(key_of(T{}, 0));

 public:
  Selection(std::span<const T> score, const std::uint8_t* mark, int threads)
      : score_(score), mark_(mark), threads_(threads), cell_(cells) {
    // Sums are exact, so pieces may depend on the number of threads.
    pieces_ = std::max<std::size_t>(score.size() / rows_per_piece + 1,
                                    threads > 1 ? 4 * static_cast<std::size_t>(threads) : 1);
    std::mutex merging;
    parallel_for(pieces_, threads, [&](std::size_t p) {
      LargeArray<std::uint64_t> total((cells + 1) * words_per_cell, 0);
      count_in_cells(piece(p), mark_ + begin(p), total.data());
      const std::lock_guard lock(merging);
      add_piece(total.data(), cell_);
    });
  }

  std::optional<std::vector<BinSums>> bins(std::size_t b) const {
    const std::size_t n = score_.size();
    auto wanted = wanted_cells(cell_, n, b);
    for (;;) {
      const std::size_t rows = wanted_rows(wanted, [&](std::size_t c) { return cell_[c].rows; });
      if (rows > n / 2) return std::nullopt;
      auto walked = walk(cell_, wanted, collected(wanted, rows), n, b);
      if (walked.missing.empty()) return std::move(walked.bins);
      // A large group moved as a whole, and with it the end of a bin: once more, with those cells.
      for (const std::size_t c : walked.missing) wanted[c] = 1;
    }
  }

 private:
  [[nodiscard]] std::size_t begin(std::size_t p) const {
    return p == pieces_ ? score_.size() : score_.size() / pieces_ * p;
  }
  [[nodiscard]] std::span<const T> piece(std::size_t p) const {
    return score_.subspan(begin(p), begin(p + 1) - begin(p));
  }

  [[nodiscard]] Keys<Key> collected(const std::vector<std::uint8_t>& wanted, std::size_t rows) const {
    std::vector<std::vector<Key>> found(pieces_);
    parallel_for(pieces_, threads_,
                 [&](std::size_t p) { collect_wanted(piece(p), mark_ + begin(p), wanted.data(), found[p]); });
    std::vector<Key> all;
    all.reserve(rows);
    for (const auto& f : found) all.insert(all.end(), f.begin(), f.end());
    return sorted(all, threads_);
  }

  std::span<const T> score_;
  const std::uint8_t* mark_;
  int threads_;
  std::size_t pieces_ = 1;
  std::vector<Cell> cell_;
};

}  // namespace

std::optional<std::vector<BinSums>> select_mass_bins(Reals score, std::span<const std::uint8_t> mark, std::size_t b,
                                                     int threads) {
  return score.visit([&](auto s) { return Selection(s, mark.data(), threads).bins(b); });
}

}  // namespace tare::detail::numeric
#endif
