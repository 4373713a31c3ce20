// Rows in the cells that a body has: a table from the score of a row to the sums of its cell, without a sort. A row
// costs a few nanoseconds, as long as new cells are few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/state/cells.hpp"

namespace tare::detail::state {

class Tally {
 public:
  // At most so many rows will come.
  Tally(const Body& body, const Shape& shape, std::size_t rows);

  // Adds rows of weight 1, up to the first that needs a cell for which there is no room. Says how many it has added.
  std::size_t add(Reals score, std::span<const std::uint8_t> label);
  // Adds them to the body that this was made from, which stays as it was where an exception ends it.
  void pour_into(Body& body) const;

 private:
  // Sums in one number: 73 bits for scores, 27 for rows and 27 for hits.
  static constexpr int count_bits = 27, rows_at = numeric::score_bits + count_bits, hits_at = rows_at + count_bits;
  struct alignas(32) Entry {
    std::uint64_t key = 0;
    std::uint64_t only = 0;  // the bits of Cell::only
    u128 sums = 0;
  };
  struct Block;

  template <bool Exact, class T>
  void prepare(std::span<const T> score, Block& block) const;
  template <bool Exact, class T>
  std::size_t add_all(std::span<const T> score, const std::uint8_t* label);
  std::size_t add_block(const Block& block, const std::uint8_t* label);
  std::uint32_t& slot_of(std::uint64_t key);

  Shape shape_;
  int step_;
  std::vector<double> edges_;         // of the bins
  int shift_;                         // from a hash to its place in the table
  std::vector<std::uint32_t> table_;  // entries by hash, at most half full
  std::vector<Entry> entries_;        // one of no cell, those of the body in its order, then new ones
  std::size_t known_;                 // entries of the body
  std::size_t room_;                  // most entries
  std::vector<double> first_;         // a score of each new one
  std::size_t rows_ = 0;
};

}  // namespace tare::detail::state
