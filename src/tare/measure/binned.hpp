// What the binned estimators share: from sums over bins to an Estimate with its diagram.
#pragma once

#include <vector>

#include "tare/measure/spec.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::detail::measure {

Result<std::size_t> checked_bins(const Options& options);
Result<int> checked_norm(const Options& options);

// The non-empty bins as a reliability diagram. Equal-mass bins meet half-way between the
// neighbouring scores of adjacent non-empty bins.
std::vector<Bin> diagram(const std::vector<numeric::BinSums>& sums, numeric::Binning binning, std::uint64_t unit);

// Bins the sample, then calls f(sums, unit, options).
template <numeric::Binning binning, class F>
Result<Estimate> from_bins(const Sample& sample, const Options& options, const F& f) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  return f(sample.bins(binning, *b), sample.unit(), options);
}

// (sum_k (n_k / n) |f_k - a_k|^p)^(1/p)
double binned_error(const std::vector<Bin>& bins, int norm);

}  // namespace tare::detail::measure
