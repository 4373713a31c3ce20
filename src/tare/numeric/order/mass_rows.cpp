// Equal-mass bins by selection. One pass counts rows, hits and scores in 13571 cells, 128 per
// factor of two in p below 1/2 and in 1 - p above, where scores of networks crowd. A cell whose ranks
// all fall into one bin needs no more. Only the rows of the other cells, and of the first and last
// cell of each bin (for its first and last score), are collected in a second pass and sorted.
#include "tare/numeric/order/bins.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <mutex>

#include "tare/numeric/memory.hpp"
#include "tare/numeric/order/cell_walk.hpp"
#include "tare/numeric/order/mass_cells.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::numeric {
namespace {

using namespace mass_cells;

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
