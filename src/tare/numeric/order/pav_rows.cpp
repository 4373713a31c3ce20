// Isotonic regression with hardly any sorting. Its blocks are the edges of the greatest convex minorant of the running
// totals (rows, hits) in order of score. One pass counts rows and hits in fine cells of the score; the minorant through
// the ends of the cells lies on or above the true one. Inside a cell that begins at (x, y) no running total is lower
// than the one that has all misses first, (x + misses, y): where that is not below the minorant, no corner is. Only
// the rows of the other cells, and of the first and last cell of each block (for its first and last score), are
// collected in a second pass and sorted.
#include "tare/numeric/order/pav_rows.hpp"

#include <algorithm>
#include <array>

#include "tare/numeric/order/cell_walk.hpp"
#include "tare/numeric/order/score_cells.hpp"

namespace tare::inner::numeric {
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

template <class T>
auto collect(std::span<const T> score, std::span<const std::uint8_t> mark, const std::vector<PackedCell>& cell,
             const std::vector<std::uint8_t>& wanted) {
  using Key = decltype(key_of(T{}, 0));
  std::vector<Key> some(wanted_rows(wanted, [&](std::size_t c) { return cell[c].rows(); }));
  std::size_t end = 0;
  for_cells(score, [&](std::size_t i, std::uint32_t c) {
    if (wanted[c]) some[end++] = key_of(score[i], mark[i]);
  });
  return sorted(some, 1);
}

template <class T>
std::vector<ScoreBlock> pooled_by_cells(std::span<const T> score, std::span<const std::uint8_t> mark) {
  std::vector<PackedCell> cell(score_cells::count);
  for_cells(score,
            [&](std::size_t i, std::uint32_t c) { cell[c].word += 1 + (static_cast<std::uint64_t>(mark[i]) << 32); });
  const auto wanted = wanted_cells(cell);
  const auto keys = collect(score, mark, cell, wanted);

  Pooling<double> pooling;
  const auto add_group = adding_to(pooling);
  const auto add_whole = [&](std::size_t c) {  // 0 and 1 are scores; the ends of all other cells are inside a block
    add_group(c == score_cells::last ? 1 : 0, cell[c].rows(), cell[c].hits());
  };
  const auto rows = [&](std::size_t c) { return cell[c].rows(); };
  walk_cells(wanted, keys, rows, add_whole, add_group);
  return pooling.finish();
}

}  // namespace

std::vector<ScoreBlock> pooled_rows(Reals score, std::span<const std::uint8_t> mark, int threads) {
  std::vector<ScoreBlock> blocks;
  score.visit([&](auto s) {
    constexpr std::size_t worth_the_cells = 1 << 17;
    if (s.size() >= worth_the_cells && s.size() >> 32 == 0) {
      blocks = pooled_by_cells(s, mark);
      return;
    }
    const auto keys = sorted_keys(s, mark, threads);
    Pooling<double> pooling;
    for_groups(keys, 0, keys.size(), adding_to(pooling));
    blocks = pooling.finish();
  });
  return blocks;
}

}  // namespace tare::inner::numeric
