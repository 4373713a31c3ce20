#include "tare/measure/binned.hpp"

#include <algorithm>
#include <cmath>

#include "tare/core/options.hpp"

namespace tare::detail::measure {

Result<std::size_t> checked_bins(const Options& options) {
  if (const auto fine = in_range(options::bins, options.bins); !fine) return fine.error();
  return static_cast<std::size_t>(options.bins);
}

Result<int> checked_norm(const Options& options) {
  if (const auto fine = in_range(options::norm, options.norm); !fine) return fine.error();
  return options.norm;
}

std::vector<Bin> diagram(const std::vector<numeric::BinSums>& sums, numeric::Binning binning, std::uint64_t unit) {
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

double binned_error(const std::vector<Bin>& bins, int norm) {
  double sum = 0, n = 0;
  for (const Bin& b : bins) {
    const double gap = std::abs(b.mean_score - b.mean_label);
    sum += b.count * (norm == 1 ? gap : gap * gap);
    n += b.count;
  }
  return norm == 1 ? sum / n : std::sqrt(sum / n);
}

}  // namespace tare::detail::measure
