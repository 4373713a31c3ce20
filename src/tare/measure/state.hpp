// A running total of predictions over equal-width bins: add rows as they come, merge totals made elsewhere, finish
// with any estimator that is a function of these sums. Any split of the data gives the same bits.
#pragma once

#include <string>
#include <vector>

#include "tare/measure/spec.hpp"

namespace tare::measure {

class WidthState {
 public:
  explicit WidthState(int bins = 15) : sums_(static_cast<std::size_t>(bins > 0 ? bins : 1)) {}

  void add(BinaryView rows, int threads = 1) {
    const std::uint64_t scale = fine / numeric::mass_unit(rows.weight());
    const auto more = numeric::width_bins(rows.score(), rows.label(), rows.weight(), sums_.size(), threads);
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      sums_[j].mass += more[j].mass * scale;
      sums_[j].hits += more[j].hits * scale;
      sums_[j].score += more[j].score * scale;
    }
  }

  // False, and nothing changed, if the other has another number of bins.
  [[nodiscard]] bool merge(const WidthState& other) {
    if (other.sums_.size() != sums_.size()) return false;
    for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j].merge(other.sums_[j]);
    return true;
  }

  [[nodiscard]] Result<Estimate> finish(const Row& row, Options options = {}) const {
    if (row.from_bins == nullptr || row.binning != numeric::Binning::width)
      return Error{Errc::unsupported, std::string(row.name) + " is not a function of sums over equal-width bins",
                   "ece_ew, debias_ew and mce_ew are"};
    std::uint64_t mass = 0;
    for (const auto& s : sums_) mass += s.mass;
    if (mass == 0) return Error{Errc::undefined, "no rows were added", {}};
    options.bins = static_cast<int>(sums_.size());
    return row.from_bins(sums_, fine, options);
  }

 private:
  static constexpr std::uint64_t fine = std::uint64_t{1} << 20;  // the finest unit of mass, whatever the weights
  std::vector<numeric::BinSums> sums_;
};

}  // namespace tare::measure
