// What estimators work on: a view, sorted at most once and only when somebody needs it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/measure/rank_poly/rank_basis.hpp"
#include "tare/numeric/order/bin_starts.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::inner::measure {

// Made when first asked for, and shared by all samples that differ in their labels only.
class SharedRanks {
 public:
  [[nodiscard]] const measure::RankBasis& of(const numeric::Ordered& data, int threads) const {
    std::call_once(once_, [&] { basis_ = measure::RankBasis(data, threads); });
    return basis_;
  }

 private:
  mutable std::once_flag once_;
  mutable measure::RankBasis basis_;
};

class Sample {
 public:
  // Implicit: every estimator may be called with a view.
  Sample(BinaryView view, int threads = 1)
      : view_(view),
        threads_(threads),
        lazy_(std::make_shared<Lazy>()),
        ranks_(std::make_shared<const SharedRanks>()) {}
  // Already in order: simulated and resampled data.
  explicit Sample(numeric::Ordered ordered, std::shared_ptr<const numeric::BinStarts> starts = {},
                  std::shared_ptr<const SharedRanks> ranks = {})
      : lazy_(std::make_shared<Lazy>()),
        starts_(std::move(starts)),
        ranks_(ranks ? std::move(ranks) : std::make_shared<const SharedRanks>()) {
    std::call_once(lazy_->once, [&] { lazy_->ordered = std::move(ordered); });
    lazy_->done = true;
  }
  // The same without a copy: the data must outlive the sample.
  explicit Sample(const numeric::Ordered* ordered)
      : borrowed_(ordered), ranks_(std::make_shared<const SharedRanks>()) {}

  [[nodiscard]] const numeric::Ordered& ordered() const {
    if (borrowed_) return *borrowed_;
    std::call_once(lazy_->once, [&] {
      lazy_->ordered = numeric::order(view_->score(), view_->label(), view_->weight(), threads_);
      lazy_->done = true;
    });
    return lazy_->ordered;
  }

  // The rows themselves; absent when the sample was made from ordered data.
  [[nodiscard]] const std::optional<BinaryView>& view() const { return view_; }
  [[nodiscard]] int threads() const { return threads_; }

  // Sums over bins: from the sorted form when it exists, else in one pass over the rows.
  // Both give the same bits.
  [[nodiscard]] std::vector<numeric::BinSums> bins(numeric::Binning binning, std::size_t b) const {
    const bool by_width = binning == numeric::Binning::width;
    if (borrowed_ || lazy_->done)
      return by_width ? numeric::width_bins(ordered(), b) : numeric::mass_bins(ordered(), b);
    const auto& v = *view_;
    return by_width ? numeric::width_bins(v.score(), v.label(), v.weight(), b, threads_)
                    : numeric::mass_bins(v.score(), v.label(), v.weight(), b, threads_);
  }
  // Where the non-empty bins start, if somebody has found out; else empty.
  [[nodiscard]] std::span<const std::size_t> known_starts(numeric::Binning binning, std::size_t b) const {
    return starts_ ? starts_->of(binning, b) : std::span<const std::size_t>();
  }
  [[nodiscard]] const measure::RankBasis& ranks() const { return ranks_->of(ordered(), threads_); }
  [[nodiscard]] std::uint64_t unit() const { return view_ ? numeric::mass_unit(view_->weight()) : ordered().unit(); }

 private:
  struct Lazy {
    std::once_flag once;
    std::atomic<bool> done = false;
    numeric::Ordered ordered;
  };
  std::optional<BinaryView> view_;
  int threads_ = 1;
  std::shared_ptr<Lazy> lazy_;
  const numeric::Ordered* borrowed_ = nullptr;
  std::shared_ptr<const numeric::BinStarts> starts_;
  std::shared_ptr<const SharedRanks> ranks_;
};

}  // namespace tare::inner::measure
