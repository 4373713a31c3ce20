// What estimators work on: a view, sorted at most once and only when somebody needs it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/measure/lazy.hpp"
#include "tare/measure/rank_poly/rank_basis.hpp"
#include "tare/numeric/order/bin_starts.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::inner::measure {

// Made when first asked for, and shared by all samples that differ in their labels only.
class SharedRanks {
 public:
  [[nodiscard]] const RankBasis& of(const numeric::Ordered& data, int threads) const {
    return basis_.get([&] { return RankBasis(data, threads); });
  }

 private:
  Lazy<RankBasis> basis_;
};

class Sample {
 public:
  // Implicit: every estimator may be called with a view.
  Sample(BinaryView view, int threads = 1)
      : view_(view),
        threads_(threads),
        ordered_(std::make_shared<const Lazy<numeric::Ordered>>()),
        ranks_(std::make_shared<const SharedRanks>()) {}
  // Already in order: simulated and resampled data.
  explicit Sample(numeric::Ordered ordered, std::shared_ptr<const numeric::BinStarts> starts = {},
                  std::shared_ptr<const SharedRanks> ranks = {})
      : ordered_(std::make_shared<const Lazy<numeric::Ordered>>(std::move(ordered))),
        starts_(std::move(starts)),
        ranks_(ranks ? std::move(ranks) : std::make_shared<const SharedRanks>()) {}
  // The same without a copy: the data must outlive the sample.
  explicit Sample(const numeric::Ordered* ordered)
      : borrowed_(ordered), ranks_(std::make_shared<const SharedRanks>()) {}

  [[nodiscard]] const numeric::Ordered& ordered() const {
    if (borrowed_) return *borrowed_;
    return ordered_->get([&] { return numeric::order(view_->score(), view_->label(), view_->weight(), threads_); });
  }

  // The rows themselves; absent when the sample was made from ordered data.
  [[nodiscard]] const std::optional<BinaryView>& view() const { return view_; }
  [[nodiscard]] int threads() const { return threads_; }

  // Sums over bins: from the sorted form when it exists, else in one pass over the rows.
  // Both give the same bits.
  [[nodiscard]] std::vector<numeric::BinSums> bins(numeric::Binning binning, std::size_t b) const {
    const bool by_width = binning == numeric::Binning::width;
    if (borrowed_ || ordered_->made())
      return by_width ? numeric::width_bins(ordered(), b) : numeric::mass_bins(ordered(), b);
    const auto& v = *view_;
    return by_width ? numeric::width_bins(v.score(), v.label(), v.weight(), b, threads_)
                    : numeric::mass_bins(v.score(), v.label(), v.weight(), b, threads_);
  }
  // Where the non-empty bins start, if somebody has found out; else empty.
  [[nodiscard]] std::span<const std::size_t> known_starts(numeric::Binning binning, std::size_t b) const {
    return starts_ ? starts_->of(binning, b) : std::span<const std::size_t>();
  }
  [[nodiscard]] const RankBasis& ranks() const { return ranks_->of(ordered(), threads_); }
  [[nodiscard]] std::uint64_t unit() const { return view_ ? numeric::mass_unit(view_->weight()) : ordered().unit(); }

 private:
  std::optional<BinaryView> view_;
  int threads_ = 1;
  std::shared_ptr<const Lazy<numeric::Ordered>> ordered_;
  const numeric::Ordered* borrowed_ = nullptr;
  std::shared_ptr<const numeric::BinStarts> starts_;
  std::shared_ptr<const SharedRanks> ranks_;
};

}  // namespace tare::inner::measure
