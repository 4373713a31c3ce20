// A running state: predictions of any number in at most M cells (cells.hpp). Add rows as they come, merge states made
// elsewhere: any split of the data, any order and any number of threads gives the same state, bit for bit. With at most
// M different scores nothing is lost; with more, scores are known to within their cell, and no cell crosses the edge of
// a declared bin of equal width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/state/cells.hpp"

namespace tare::detail::state {

namespace options {
using namespace detail::options;
}  // namespace options

class State {
 public:
  static Result<State> make(int bins = options::bins.usual, std::size_t cells = options::cells.usual);
  // The caller answers for the body: cells of this shape, as body_of and merged make them.
  State(const Shape& shape, Body body) : shape_(shape), body_(std::move(body)) {}

  // False, and nothing changed: both together would be more than most_mass rows of weight 1. Nothing changes where an
  // exception ends it, either.
  [[nodiscard]] bool add(const BinaryView& rows, int threads = 1);
  // The same in two steps, so that several states change together or not at all: nothing has changed before commit(),
  // which cannot fail. What was prepared last counts.
  [[nodiscard]] bool prepare(const BinaryView& rows, int threads = 1);
  [[nodiscard]] bool prepare(const State& other);
  void commit() noexcept;
  void discard() noexcept;

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool empty() const { return body_.mass == 0 && waiting_ == 0; }
  [[nodiscard]] bool has_room_for(const State& other) const;
  // False, and nothing changed, if the other has another shape, or if there is no room for it.
  [[nodiscard]] bool merge(const State& other);

  [[nodiscard]] u128 fine_mass() const;  // of all rows, in units of 2^-fine_bits

  // All that was added.
  [[nodiscard]] Body body() const;
  friend bool operator==(const State& a, const State& b) { return a.shape_ == b.shape_ && a.body() == b.body(); }

 private:
  void append(const BinaryView& rows);
  void pour_waiting();
  void keep_waiting(std::size_t rows) noexcept;
  [[nodiscard]] std::span<const double> waiting_weight() const;

  Shape shape_;
  Body body_;
  // Rows that wait: a merge of cells is worth it for many rows only. Those behind the first `waiting_` are prepared.
  std::vector<double> score_;
  std::vector<std::uint8_t> label_;
  std::vector<double> weight_;
  std::size_t waiting_ = 0;
  std::optional<Body> next_;  // prepared: all rows are in it, and none waits
};

inline constexpr u128 most_fine_mass = most_mass << fine_bits;

// Rows in the cells that a body has: a table from the score of a row to the sums of its cell, without a sort. A row
// costs a few nanoseconds, as long as new cells are few.

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
