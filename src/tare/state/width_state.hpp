// A running total of predictions over equal-width bins: add rows as they come, merge totals made elsewhere, finish
// with any estimator that is a function of these sums. Any split of the data gives the same bits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/measure/spec.hpp"

namespace tare::inner::state {

class WidthState {
 public:
  static Result<WidthState> make(int bins = options::bins.usual);

  void add(BinaryView rows, int threads = 1);

  // Do both together stay within 2^41 rows of weight 1? Beyond them sums of scores need more than 128 bits.
  [[nodiscard]] bool has_room_for(const WidthState& other) const { return mass() + other.mass() <= most; }
  // False, and nothing changed, if the other has another number of bins.
  [[nodiscard]] bool merge(const WidthState& other);

  [[nodiscard]] std::size_t bins() const { return sums_.size(); }
  // Is it a function of sums over equal-width bins?
  [[nodiscard]] static bool knows(const measure::Estimator& estimator);
  [[nodiscard]] Result<Estimate> finish(const measure::Estimator& estimator, measure::Options options = {}) const;

  // The sums, 48 bytes for each bin, the low byte first: the same on every machine.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] bool from_bytes(std::string_view bytes);  // false, and nothing changed: not so many, or not such sums

 private:
  explicit WidthState(std::size_t bins) : sums_(bins) {}

  [[nodiscard]] numeric::u128 mass() const;

  static constexpr std::uint64_t fine = std::uint64_t{1} << 40;  // the mass of weight 1, whatever the weights
  static constexpr numeric::u128 most = numeric::u128{1} << 81;  // of all bins

  struct Sums {  // wider than numeric::BinSums
    numeric::u128 mass = 0, hits = 0, score = 0;
    void add(const Sums& more) {
      mass += more.mass;
      hits += more.hits;
      score += more.score;
    }
  };
  std::vector<Sums> sums_;
};

}  // namespace tare::inner::state
