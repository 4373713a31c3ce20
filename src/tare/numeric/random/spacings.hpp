// Sorted uniform numbers without sorting: of n + 1 standard exponential numbers, the running sums over the total are
// distributed as n uniform numbers in ascending order (Devroye 1986, Non-Uniform Random Variate Generation, V.2).
#pragma once

#include <cstddef>
#include <cstdint>

#include "tare/numeric/memory.hpp"

namespace tare::detail::numeric {

// Which random numbers: the counter of rng.hpp, whose block number has the upper half `group`.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;
  std::uint32_t replicate = 0;
  std::uint32_t group = 0;
};

class Spacings {
 public:
  static constexpr std::size_t batch = 32;  // arrays are as long as whole batches; what follows n is never used
  static constexpr int spare_bits = 24;

  // n < 2^31 sorted numbers. The memory of the last drawing is used again.
  void draw(const RandomKey& key, std::size_t n);

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] double total() const { return sum_[n_]; }
  [[nodiscard]] const double* sum() const { return sum_.data(); }  // number i is sum[i] / total
  [[nodiscard]] const std::uint64_t* word() const {
    return word_.data();
  }  // its lowest 24 bits are independent of the spacing
  // The blocks of the key from this one on are not used.
  static constexpr std::uint32_t first_free_block = 0x8000'0000;

 private:
  std::size_t n_ = 0;
  LargeArray<double> sum_;
  LargeArray<std::uint64_t> word_;
};

inline std::size_t whole_batches(std::size_t n) {
  return (n + Spacings::batch - 1) / Spacings::batch * Spacings::batch;
}

}  // namespace tare::detail::numeric
