// p-values from redrawings: (1 + count) / (R + 1), where the count is of redrawings at least as extreme as what was
// observed. Valid for any statistic and any R (Davison and Hinkley 1997, section 4.2; Phipson and Smyth 2010).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace tare::detail::infer {

class NullDistribution {
 public:
  // `undefined` redrawings had no value; they count as extreme, which keeps the p-value valid.
  NullDistribution(std::vector<double> values, std::size_t undefined, bool two_sided)
      : sorted_(std::move(values)), undefined_(undefined), two_sided_(two_sided) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  [[nodiscard]] std::size_t redrawings() const { return sorted_.size() + undefined_; }

  // Values equal but for rounding are ties, and ties count.
  [[nodiscard]] double p_value(double observed) const {
    const double slack = 1e-12 * std::abs(observed);
    const auto below = std::lower_bound(sorted_.begin(), sorted_.end(), observed - slack) - sorted_.begin();
    const double above = p_of(sorted_.size() - static_cast<std::size_t>(below));
    if (!two_sided_) return above;
    const auto up_to = std::upper_bound(sorted_.begin(), sorted_.end(), observed + slack) - sorted_.begin();
    return std::min(1.0, 2 * std::min(above, p_of(static_cast<std::size_t>(up_to))));
  }

  // The smallest p-value there can be.
  [[nodiscard]] double smallest() const { return (two_sided_ ? 2 : 1) * p_of(0); }

  // Beyond these the p-value is below alpha; empty where nothing is.
  struct AcceptedRange {
    std::optional<double> low = {};
    std::optional<double> high = {};
  };
  [[nodiscard]] AcceptedRange accepted(double alpha) const {
    const double share = two_sided_ ? alpha / 2 : alpha;
    // (1 + count) < share (R + 1); the small term undoes rounding of the product
    const double most =
        std::ceil(share * static_cast<double>(redrawings() + 1) - 1e-9) - 2 - static_cast<double>(undefined_);
    if (most < 0 || most >= static_cast<double>(sorted_.size())) return {};
    const auto k = static_cast<std::size_t>(most);
    AcceptedRange out{.high = sorted_[sorted_.size() - 1 - k]};
    if (two_sided_) out.low = sorted_[k];
    return out;
  }

 private:
  [[nodiscard]] double p_of(std::size_t count) const {
    return static_cast<double>(1 + count + undefined_) / static_cast<double>(redrawings() + 1);
  }

  std::vector<double> sorted_;
  std::size_t undefined_ = 0;
  bool two_sided_ = false;
};

}  // namespace tare::detail::infer
