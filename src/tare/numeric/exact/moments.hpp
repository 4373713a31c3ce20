// Mean and variance of numbers of known size, with whole masses: every number becomes an
// integer once, so neither the order of the rows nor their splitting changes a bit, and a row
// of mass 2 is a row twice.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "tare/numeric/exact/fixed.hpp"

namespace tare::detail::numeric {

class Moments {
 public:
  // bound: a power of two, no smaller than any |x| that will be added. The resolution is bound * 2^-62.
  explicit Moments(double bound = 1) : bound_(bound), inverse_(1 / bound) {}

  void add(double x, std::uint64_t mass) {
    const double y = x * inverse_;
    mass_ += mass;
    sum_.add_small_mass(y, static_cast<std::int64_t>(mass));
    squares_.add_small_mass(y * y, static_cast<std::int64_t>(mass));
  }
  void merge(const Moments& other) {
    mass_ += other.mass_;
    sum_.merge(other.sum_);
    squares_.merge(other.squares_);
  }

  [[nodiscard]] double mean() const { return bound_ * ratio(sum_); }
  [[nodiscard]] double variance() const {  // divisor n
    const double mean = ratio(sum_);
    return bound_ * bound_ * std::fmax(ratio(squares_) - mean * mean, 0);
  }
  // Standard error of the mean; needs a total weight above 1. unit: the mass of weight 1.
  [[nodiscard]] std::optional<double> se(std::uint64_t unit) const {
    const double n = static_cast<double>(mass_) / static_cast<double>(unit);
    if (!(n > 1)) return std::nullopt;
    return std::sqrt(variance() / (n - 1));
  }

 private:
  using Sum = FixedSum<62>;
  [[nodiscard]] double ratio(const Sum& sum) const { return sum.value() / static_cast<double>(mass_); }

  double bound_;
  double inverse_;  // exact: bound is a power of two
  std::uint64_t mass_ = 0;
  Sum sum_ = {};
  Sum squares_ = {};
};

// The smallest power of two that is no smaller than x > 0.
inline double power_of_two_above(double x) {
  int e = 0;
  const double f = std::frexp(x, &e);
  return std::ldexp(1, f == 0.5 ? e - 1 : e);
}

}  // namespace tare::detail::numeric
