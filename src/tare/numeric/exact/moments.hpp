// Mean and variance of numbers of known size, with whole masses: every number becomes an
// integer once, so neither the order of the rows nor their splitting changes a bit, and a row
// of mass 2 is a row twice.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "tare/numeric/exact/fixed.hpp"

namespace tare::inner::numeric {

class Moments {
 public:
  // bound: a power of two, no smaller than any |x| that will be added. The resolution is bound * 2^-62.
  explicit Moments(double bound = 1) : bound_(bound), inverse_(1 / bound) {}

  void add(double x, std::uint64_t mass) {
    const double y = x * inverse_;
    mass_ += mass;
    sum_ += static_cast<i128>(whole(y)) * static_cast<std::int64_t>(mass);
    squares_ += static_cast<i128>(whole(y * y)) * static_cast<std::int64_t>(mass);
  }
  void merge(const Moments& other) {
    mass_ += other.mass_;
    sum_ += other.sum_;
    squares_ += other.squares_;
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
  static std::int64_t whole(double y) { return static_cast<std::int64_t>(y * 0x1p62 + std::copysign(0.5, y)); }
  [[nodiscard]] double ratio(i128 total) const {
    return static_cast<double>(total) / static_cast<double>(mass_) * 0x1p-62;
  }

  double bound_;
  double inverse_;  // exact: bound is a power of two
  std::uint64_t mass_ = 0;
  i128 sum_ = 0;
  i128 squares_ = 0;
};

// The smallest power of two that is no smaller than x > 0.
inline double power_of_two_above(double x) {
  int e = 0;
  const double f = std::frexp(x, &e);
  return std::ldexp(1, f == 0.5 ? e - 1 : e);
}

}  // namespace tare::inner::numeric
