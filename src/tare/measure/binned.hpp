// What the binned estimators share: from sums over bins to an Estimate with its diagram.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::inner::measure {

inline Result<std::size_t> checked_bins(const Options& options) {
  if (const auto fine = in_range(options::bins, options.bins); !fine) return fine.error();
  return static_cast<std::size_t>(options.bins);
}

inline Result<int> checked_norm(const Options& options) {
  if (const auto fine = in_range(options::norm, options.norm); !fine) return fine.error();
  return options.norm;
}

// The non-empty bins as a reliability diagram. Equal-mass bins meet half-way between the
// neighbouring scores of adjacent non-empty bins.
inline std::vector<Bin> diagram(const std::vector<numeric::BinSums>& sums, numeric::Binning binning,
                                std::uint64_t unit) {
  std::vector<Bin> out;
  out.reserve(std::min<std::size_t>(sums.size(), 64));
  const numeric::BinSums* previous = nullptr;
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const auto& s = sums[j];
    if (s.mass == 0) continue;
    Bin bin{0, 1, static_cast<double>(s.mass) / static_cast<double>(unit), s.mean_score(), s.mean_label()};
    if (binning == numeric::Binning::width) {
      bin.lower = numeric::width_edge(j, sums.size());
      bin.upper = numeric::width_edge(j + 1, sums.size());
    } else if (previous != nullptr) {
      bin.lower = out.back().upper = previous->last + (s.first - previous->last) / 2;
    }
    out.push_back(bin);
    previous = &s;
  }
  return out;
}

// Bins the sample, then calls f(sums, unit, options).
template <numeric::Binning binning, class F>
Result<Estimate> from_bins(const Sample& sample, const Options& options, const F& f) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  return f(sample.bins(binning, *b), sample.unit(), options);
}

// (sum_k (n_k / n) |f_k - a_k|^p)^(1/p)
inline double binned_error(const std::vector<Bin>& bins, int norm) {
  double sum = 0, n = 0;
  for (const Bin& b : bins) {
    const double gap = std::abs(b.mean_score - b.mean_label);
    sum += b.count * (norm == 1 ? gap : gap * gap);
    n += b.count;
  }
  return norm == 1 ? sum / n : std::sqrt(sum / n);
}

}  // namespace tare::inner::measure
