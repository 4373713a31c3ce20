// The estimates of many replicates, as exact sums: threads and splits of the replicates change no bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "tare/core/result.hpp"
#include "tare/core/results.hpp"
#include "tare/numeric/exact/fixed.hpp"

namespace tare::detail::simulate {

struct Tally {
  std::uint64_t defined = 0;
  std::uint64_t undefined = 0;
  std::uint64_t bins = 0;  // sum
  numeric::ExactSum sum = {};
  numeric::ExactSum squares = {};
  std::uint64_t reason_of = 0;  // the first replicate without a value,
  std::string reason = {};      // and why

  void add(std::uint64_t replicate, const Result<Estimate>& estimate) {
    if (!estimate) {
      ++undefined;
      keep_reason(replicate, sentence(estimate.error()));
      return;
    }
    ++defined;
    bins += static_cast<std::uint64_t>(estimate->bins.value_or(0));
    sum.add(estimate->value);
    squares.add(estimate->value * estimate->value);
  }
  void merge(const Tally& other) {
    defined += other.defined;
    undefined += other.undefined;
    bins += other.bins;
    sum.merge(other.sum);
    squares.merge(other.squares);
    if (!other.reason.empty()) keep_reason(other.reason_of, other.reason);
  }

  // Of the defined values; there must be one.
  [[nodiscard]] double mean() const { return sum.value() / static_cast<double>(defined); }
  [[nodiscard]] double sd() const {
    const double m = mean();
    return std::sqrt(std::fmax(squares.value() / static_cast<double>(defined) - m * m, 0));
  }
  [[nodiscard]] std::optional<double> se() const {
    if (defined < 2) return std::nullopt;
    return sd() / std::sqrt(static_cast<double>(defined - 1));
  }
  [[nodiscard]] double mean_bins() const { return static_cast<double>(bins) / static_cast<double>(defined); }

 private:
  void keep_reason(std::uint64_t replicate, const std::string& why) {
    if (!reason.empty() && reason_of <= replicate) return;
    reason_of = replicate;
    reason = why;
  }
};

}  // namespace tare::detail::simulate
