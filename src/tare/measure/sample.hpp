// What estimators work on: a view, sorted at most once and only when somebody needs it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <typeindex>
#include <utility>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/order/bin_edges.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::measure {

// A value made when first asked for, by one thread; the others wait for it.
// If making it throws, the next caller makes it. A mutex instead of std::call_once, which ThreadSanitizer does not
// follow through an exception.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  explicit Lazy(T value) : made_(true), value_(std::move(value)) {}

  template <class Make>
  [[nodiscard]] const T& get(const Make& make) const {
    if (!made()) {
      const std::lock_guard lock(mutex_);
      if (!made()) {
        value_ = make();
        made_.store(true, std::memory_order_release);
      }
    }
    return value_;
  }
  [[nodiscard]] bool made() const { return made_.load(std::memory_order_acquire); }

 private:
  mutable std::mutex mutex_;
  mutable std::atomic<bool> made_ = false;
  mutable T value_{};
};

// What follows from scores and masses alone: made from them when first asked for, one of each type, and shared by all
// samples that differ in their labels only.
class SharedBases {
 public:
  template <class Basis>
  [[nodiscard]] const Basis& of(const numeric::Ordered& data, int threads) const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const void>& made = made_[typeid(Basis)];
    if (!made) made = std::make_shared<const Basis>(data, threads);
    return *static_cast<const Basis*>(made.get());
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::type_index, std::shared_ptr<const void>> made_;
};

class Sample {
 public:
  // Implicit: every estimator may be called with a view.
  Sample(BinaryView view, int threads = 1)
      : view_(view),
        threads_(threads),
        ordered_(std::make_shared<const Lazy<numeric::Ordered>>()),
        bases_(std::make_shared<const SharedBases>()) {}
  // Already in order: simulated and resampled data.
  explicit Sample(numeric::Ordered ordered, std::shared_ptr<const numeric::BinStarts> starts = {},
                  std::shared_ptr<const SharedBases> bases = {})
      : ordered_(std::make_shared<const Lazy<numeric::Ordered>>(std::move(ordered))),
        starts_(std::move(starts)),
        bases_(bases ? std::move(bases) : std::make_shared<const SharedBases>()) {}
  // The same without a copy: the data must outlive the sample.
  explicit Sample(const numeric::Ordered* ordered)
      : borrowed_(ordered), bases_(std::make_shared<const SharedBases>()) {}

  [[nodiscard]] const numeric::Ordered& ordered() const {
    if (borrowed_) return *borrowed_;
    return ordered_->get([&] { return numeric::order(view_->score(), view_->label(), view_->weight(), threads_); });
  }

  // The rows themselves; absent when the sample was made from ordered data.
  [[nodiscard]] const std::optional<BinaryView>& view() const { return view_; }
  [[nodiscard]] int threads() const { return threads_; }

  // Sums over bins: from the sorted form when it exists, else in one pass over the rows. Both give the same bits.
  [[nodiscard]] std::vector<numeric::BinSums> bins(numeric::Binning binning, std::size_t b) const {
    const bool by_width = binning == numeric::Binning::width;
    if (borrowed_ || ordered_->made())
      return by_width ? numeric::width_bins(ordered(), b) : numeric::mass_bins(ordered(), b);
    const auto& v = *view_;
    return by_width ? numeric::width_bins(v.score(), v.label(), v.weight(), b, threads_)
                    : numeric::mass_bins(v.score(), v.label(), v.weight(), b, threads_);
  }
  // Where the non-empty bins start, if somebody has found out; else empty.
  [[nodiscard]] std::span<const std::uint32_t> known_starts(numeric::Binning binning, std::size_t b) const {
    return starts_ ? starts_->of(binning, b) : std::span<const std::uint32_t>();
  }
  // The fewest bins for which they are known: with fewer, rates are sure to rise.
  [[nodiscard]] std::size_t fewest_bins(numeric::Binning binning) const {
    return starts_ ? starts_->counts(binning).first : 1;
  }
  template <class Basis>
  [[nodiscard]] const Basis& shared() const {
    return bases_->of<Basis>(ordered(), threads_);
  }
  [[nodiscard]] std::uint64_t unit() const { return view_ ? numeric::mass_unit(view_->weight()) : ordered().unit(); }

 private:
  std::optional<BinaryView> view_;
  int threads_ = 1;
  std::shared_ptr<const Lazy<numeric::Ordered>> ordered_;
  const numeric::Ordered* borrowed_ = nullptr;
  std::shared_ptr<const numeric::BinStarts> starts_;
  std::shared_ptr<const SharedBases> bases_;
};

}  // namespace tare::detail::measure
