// A running state: predictions of any number in at most M cells (cells.hpp). Add rows as they come, merge states made
// elsewhere: any split of the data, any order and any number of threads gives the same state, bit for bit. With at most
// M different scores nothing is lost; with more, scores are known to within their cell, and no cell crosses the edge of
// a declared bin of equal width.
#pragma once

#include <vector>

#include "tare/core/options.hpp"
#include "tare/state/cells.hpp"

namespace tare::inner::state {

namespace options {
using namespace inner::options;
inline constexpr Option<std::size_t> cells{"cells", "most cells of a running state", std::size_t{1} << 16,
                                           std::size_t{1} << 8, std::size_t{1} << 22};
}  // namespace options

class State {
 public:
  static Result<State> make(int bins = options::bins.usual, std::size_t cells = options::cells.usual);
  // The caller answers for the body: cells of this shape, as body_of and merged make them.
  State(const Shape& shape, Body body) : shape_(shape), body_(std::move(body)) {}

  // False, and nothing changed: both together would be more than most_mass rows of weight 1. Nothing changes where an
  // exception ends it, either.
  [[nodiscard]] bool add(const BinaryView& rows, int threads = 1);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool empty() const { return body_.mass == 0 && label_.empty(); }
  [[nodiscard]] bool has_room_for(const State& other) const;
  // False, and nothing changed, if the other has another shape, or if there is no room for it.
  [[nodiscard]] bool merge(const State& other);

  [[nodiscard]] u128 fine_mass() const;  // of all rows, in units of 2^-fine_bits

  // All that was added.
  [[nodiscard]] Body body() const;
  friend bool operator==(const State& a, const State& b) { return a.shape_ == b.shape_ && a.body() == b.body(); }

 private:
  Shape shape_;
  Body body_;
  // Rows that wait: a merge of cells is worth it for many rows only.
  std::vector<double> score_;
  std::vector<std::uint8_t> label_;
  std::vector<double> weight_;
};

inline constexpr u128 most_fine_mass = most_mass << fine_bits;

}  // namespace tare::inner::state
