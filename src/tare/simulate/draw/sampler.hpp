// Samples of known truth, drawn in ascending order of the score in the form that estimators work on: sorted uniform
// numbers from exponential spacings, scores through the inverse distribution function, labels by the curve's
// probability of a miss. Random numbers are a function of (seed, stream, replicate, n), and a sample does not depend on
// the samples before it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tare/numeric/order/order.hpp"
#include "tare/numeric/random/spacings.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

// The inverse distribution function of scores: which score has mass v above it and w = 1 - v below it. Uniform, or
// Beta(alpha, beta) from a table good to 1e-12 relative both in c and in u = 1 - c. Where u < 2^-54, c is 1 in double
// precision and u has a closed form.

// Scores as a function of tail mass, in cells: v is the mass above a score and w = 1 - v the mass below it. The smaller
// of the two, x, lies in (0, 1/2], and a cell is what shares the exponent and the leading bits of the mantissa of x:
// finding it takes a shift, and cells stay fine relative to x at both ends, where scores pile up.
//
// In a cell a score is a polynomial of the remaining bits: of degree 6, minus u = 1 - c or plus c, whichever is
// small, so that both ends of [0, 1] keep their relative precision. Beside it stand bounds of the probability of a
// miss: a label is decided by 24 random bits unless they fall between the bounds, which is the case for about 1 in 100.

inline constexpr int label_bits = 24;

struct alignas(64) Cell {  // one line of the cache
  static constexpr std::size_t terms = 7;
  double coefficient[terms] = {};  // of powers of t in [-1/2, 1/2)
  std::uint64_t bounds = std::uint64_t{1} << (32 + label_bits);

  // Label bits below the first are a miss, and from the second on a hit. At first every label is undecided.
  void set_bounds(std::uint32_t miss_below, std::uint32_t hit_from) {
    bounds = static_cast<std::uint64_t>(hit_from) << 32 | miss_below;
  }
};

enum class Side { above, below };  // x is the mass above the score, or below it

class Cells {
 public:
  static constexpr int octaves = 17;  // x from 2^-18 to 1/2; smaller ones are rare enough for slow ways

  explicit Cells(int log2_per_octave)
      : shift_(52 - log2_per_octave),
        first_key_(key(smallest) - 1),
        per_side_((static_cast<std::size_t>(octaves) << log2_per_octave) + 2),
        cells_(2 * per_side_) {}

  static constexpr double smallest = 0x1p-18;
  static constexpr double nothing =
      0x1.fffffffffffffp-19;  // stands for every x below: its cell, number 0, is left open

  [[nodiscard]] std::size_t per_side() const {
    return per_side_;
  }  // cells 1 .. per_side - 2 are [2^-18, 1/2), the last is 1/2
  [[nodiscard]] const Cell& of(double above, double below) const {
    const double x = below < above ? below : above;
    const auto i = static_cast<std::size_t>(key(x < smallest ? nothing : x) - first_key_);
    return at(below < above ? Side::below : Side::above, i);
  }
  [[nodiscard]] double left(std::size_t i) const {  // smallest x of the i-th cell of a side
    return std::bit_cast<double>(static_cast<std::uint64_t>(first_key_ + static_cast<std::int64_t>(i)) << shift_);
  }
  [[nodiscard]] double position(double x) const {  // t
    const std::uint64_t rest = std::bit_cast<std::uint64_t>(x) << (52 - shift_);
    return std::bit_cast<double>((rest & 0xFFFFFFFFFFFFFU) | 0x3FF0000000000000U) - 1.5;
  }
  [[nodiscard]] Cell& at(Side side, std::size_t i) { return cells_[side == Side::above ? i : i + per_side_]; }
  [[nodiscard]] const Cell& at(Side side, std::size_t i) const {
    return cells_[side == Side::above ? i : i + per_side_];
  }

  // For i < n: score[i] of the mass below sum[i] / total, and label[i] by the lowest bits of word[i]: 0, 1, or
  // `undecided` between the bounds. Arrays are as long as whole batches of numeric/random/spacings.hpp.
  static constexpr std::uint8_t undecided = 2;
  void look_up(const double* sum, double total, const std::uint64_t* word, std::size_t n, double* score,
               std::uint8_t* label) const;

 private:
  [[nodiscard]] std::int64_t key(double x) const {
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x) >> shift_);
  }

  int shift_;
  std::int64_t first_key_;
  std::size_t per_side_;
  std::vector<Cell> cells_;
};

class Quantile {
 public:
  explicit Quantile(const Scores& scores);  // of kind beta, with positive parameters, or uniform

  [[nodiscard]] ScorePoint at(double above, double below) const;  // both in (0, 1), with the sum 1
  [[nodiscard]] bool in_cells(double above, double below) const;  // the score can be had from cells()
  [[nodiscard]] const Cells& cells() const { return cells_; }

 private:
  [[nodiscard]] bool fill(Side side);  // false: the cells are too coarse
  void fill_uniform();
  [[nodiscard]] ScorePoint slow(double above, double below) const;

  double alpha_, beta_;
  double log_beta_function_ = 0;
  Cells cells_{7};
};

class Sampler {
 public:
  // Errors: parameters that are not positive and finite, no values to resample, a curve without a row.
  static Result<Sampler> of(const Truth& truth);
  // The same scores with another curve: the table of the distribution, which takes milliseconds to make, is shared.
  [[nodiscard]] Sampler with(const Curve& curve) const;

  static constexpr std::size_t largest_n = numeric::Spacings::first_free_block - 1;

  // Memory that one drawing leaves to the next; one per thread.
  class Scratch {
    friend class Sampler;
    numeric::Spacings spacings;
    numeric::LargeArray<double> score;
    numeric::LargeArray<std::uint8_t> label;
  };

  // Sample number `replicate` of n >= 1 rows.
  void draw(std::size_t n, std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate, Scratch& scratch,
            numeric::Ordered& out) const;

 private:
  Sampler() = default;
  void set_bounds();
  [[nodiscard]] double miss(ScorePoint p) const;  // in [0, 1]
  [[nodiscard]] std::size_t value_at(double position) const;
  void draw_rows(Scratch& scratch) const;
  void resample_rows(Scratch& scratch) const;
  void decide(const numeric::RandomKey& key, std::size_t i, Scratch& scratch) const;

  Curve curve_;
  std::shared_ptr<const Quantile> quantile_;  // null: empirical scores
  Cells cells_{0};                            // those of the quantile, with the bounds of the curve's misses
  std::shared_ptr<const Scores> empirical_;   // scores to resample,
  std::vector<double> value_miss_;            // and how likely each is a miss
};

}  // namespace tare::detail::simulate
