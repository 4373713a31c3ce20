#include "tare/analysis/consistency.hpp"

#include <algorithm>
#include <cmath>

#include "tare/infer/resample/null.hpp"
#include "tare/numeric/order/bin_walk.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::analysis {
namespace {

constexpr std::uint32_t stream_of_bands = 0x62616e64;  // "band": apart from the redrawings of the floors
constexpr std::size_t cells_per_bin = 64;
constexpr std::size_t most_shown = 1000;  // no picture shows more

// Cells that never cross the bound of a bin; a bin of up to 64 different scores is exact.
struct BinCells {
  std::vector<std::size_t> cut{0};  // first groups of the cells, and the end of the last
  std::vector<std::size_t> end;     // of each bin, in cells

  void add(numeric::GroupRange bin) {
    const std::size_t groups = bin.to - bin.from, pieces = std::min(groups, cells_per_bin);
    for (std::size_t p = 1; p <= pieces; ++p) cut.push_back(bin.from + groups * p / pieces);
    end.push_back(cut.size() - 1);
  }
};

Band quantiles(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const auto r = static_cast<double>(values.size() + 1);
  const auto low = std::max<std::size_t>(static_cast<std::size_t>(std::floor(0.025 * r)), 1);
  const auto high = std::min(static_cast<std::size_t>(std::ceil(0.975 * r)), values.size());
  return {values[low - 1], values[high - 1]};
}

}  // namespace

std::vector<Band> consistency_bands(const numeric::Ordered& rows, numeric::Binning binning, std::size_t bins,
                                    const BandOptions& options) {
  BinCells cells;
  numeric::for_each_bin(rows, binning, bins, [&](std::size_t, numeric::GroupRange r) { cells.add(r); });
  const std::size_t count = cells.end.size();
  std::vector<std::vector<double>> rates(count, std::vector<double>(options.resamples));
  const numeric::Ordered drawn = numeric::gather(rows, cells.cut);
  infer::Redraw(drawn).for_each(options.seed, stream_of_bands, 0, options.resamples, options.threads,
                                [&](std::size_t r, std::span<const std::uint64_t> hits) {
                                  std::size_t c = 0;
                                  for (std::size_t b = 0; b < count; ++b) {
                                    std::uint64_t hit = 0, all = 0;
                                    for (; c < cells.end[b]; ++c) {
                                      hit += hits[c];
                                      all += drawn.mass(c);
                                    }
                                    rates[b][r] = static_cast<double>(hit) / static_cast<double>(all);
                                  }
                                });
  std::vector<Band> out;
  for (auto& r : rates) out.push_back(quantiles(r));
  return out;
}

std::vector<BinBands> bands_of(const Survey& survey, const numeric::Ordered& rows, const BandOptions& options) {
  std::vector<BinBands> out;
  struct Known {  // estimators share their bins
    numeric::Binning binning;
    std::int64_t bins;
    std::size_t at;
  };
  std::vector<Known> known;
  for (const Measured& m : survey.measured) {
    if (!m.about.binning || m.class_index || !m.estimate || !m.estimate->bins || m.estimate->per_bin.empty()) continue;
    if (m.estimate->per_bin.size() > most_shown) continue;
    if (std::any_of(out.begin(), out.end(), [&](const BinBands& b) { return b.estimator == m.name; })) continue;
    const auto same = std::find_if(known.begin(), known.end(), [&](const Known& k) {
      return k.binning == *m.about.binning && k.bins == *m.estimate->bins;
    });
    if (same != known.end()) {
      out.push_back({m.name, out[same->at].band});
      continue;
    }
    known.push_back({*m.about.binning, *m.estimate->bins, out.size()});
    out.push_back(
        {m.name, consistency_bands(rows, *m.about.binning, static_cast<std::size_t>(*m.estimate->bins), options)});
  }
  return out;
}

}  // namespace tare::detail::analysis
