// Samples of known truth, drawn in ascending order of the score in the form that estimators work on: sorted uniform
// numbers from exponential spacings, scores through the inverse distribution function, labels by the curve's
// probability of a miss. Random numbers are a function of (seed, stream, replicate, n), and a sample does not depend on
// the samples before it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tare/numeric/order/order.hpp"
#include "tare/numeric/random/spacings.hpp"
#include "tare/simulate/draw/quantile.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

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
