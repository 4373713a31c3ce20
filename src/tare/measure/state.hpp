// A running total of predictions over equal-width bins: add rows as they come, merge totals made elsewhere, finish
// with any estimator that is a function of these sums. Any split of the data gives the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/measure/binned.hpp"

namespace tare::inner::measure {

class WidthState {
 public:
  static Result<WidthState> make(int bins = options::bins.usual) {
    const auto b = checked_bins({.bins = bins});
    if (!b) return b.error();
    return WidthState(*b);
  }

  void add(BinaryView rows, int threads = 1) {
    const auto weight = rows.weight();
    if (std::all_of(weight.begin(), weight.end(), [](double w) { return w == std::floor(w); })) {
      const auto more = numeric::width_bins(rows.score(), rows.label(), weight, sums_.size(), threads);
      for (std::size_t j = 0; j < sums_.size(); ++j)
        sums_[j].add({more[j].mass * fine, more[j].hits * fine, more[j].score * fine});
      return;
    }
    // in a unit of its own: that of numeric::mass_unit would depend on how the data are split
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double x = std::abs(rows.score()[i]), whole = std::floor(weight[i]);
      const numeric::u128 mass = static_cast<numeric::u128>(whole) * fine +
                                 static_cast<numeric::u128>(std::nearbyint((weight[i] - whole) * 0x1p40));
      sums_[numeric::width_bin(x, sums_.size())].add({mass, rows.label()[i] ? mass : 0, numeric::to_fixed(x) * mass});
    }
  }

  // False, and nothing changed, if the other has another number of bins.
  [[nodiscard]] bool merge(const WidthState& other) {
    if (other.sums_.size() != sums_.size()) return false;
    for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j].add(other.sums_[j]);
    return true;
  }

  [[nodiscard]] Result<Estimate> finish(const Estimator& row, Options options = {}) const {
    if (row.from_bins == nullptr || row.binning != numeric::Binning::width)
      return Error{.code = Errc::unsupported,
                   .what = std::string(row.name) + " is not a function of sums over equal-width bins",
                   .remedy = "those over equal-width bins are"};
    numeric::u128 mass = 0;
    for (const Sums& s : sums_) mass += s.mass;
    if (mass == 0) return Error{.code = Errc::undefined, .what = "no rows were added", .remedy = {}};
    // Masses of 64 bits are enough from here on: whole weights stay exact, of others the last bits go.
    const bool whole =
        std::all_of(sums_.begin(), sums_.end(), [](const Sums& s) { return s.mass % fine == 0 && s.hits % fine == 0; });
    int shift = whole ? 40 : 0;
    while (mass >> shift >= numeric::u128{1} << 62) ++shift;
    std::vector<numeric::BinSums> sums(sums_.size());
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const Sums& s = sums_[j];
      const auto kept = static_cast<std::uint64_t>(s.mass >> shift);
      // the mean score stays that of the bin, also where its mass has been cut
      sums[j] = {kept, static_cast<std::uint64_t>(s.hits >> shift),
                 (s.mass >> shift) << shift == s.mass ? s.score >> shift : s.score / s.mass * kept};
    }
    options.bins = static_cast<int>(sums_.size());
    return row.from_bins(sums, std::uint64_t{1} << (40 - shift), options);
  }

 private:
  explicit WidthState(std::size_t bins) : sums_(bins) {}

  static constexpr std::uint64_t fine = std::uint64_t{1} << 40;  // the mass of weight 1, whatever the weights

  struct Sums {  // wider than numeric::BinSums
    numeric::u128 mass = 0, hits = 0, score = 0;
    void add(const Sums& more) {
      mass += more.mass;
      hits += more.hits;
      score += more.score;
    }
  };
  std::vector<Sums> sums_;
};

}  // namespace tare::inner::measure
