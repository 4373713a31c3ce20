// Where a score falls among ascending numbers in [0, 1]. The unit interval is cut into equal parts, and each knows the
// numbers before it: a search looks at those of one part only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tare::inner::fit {

class KnotGuide {
 public:
  KnotGuide() = default;  // for none: it searches among all
  explicit KnotGuide(std::span<const double> x) {
    parts_ = std::clamp<std::size_t>(std::bit_ceil(2 * x.size()), 16, std::size_t{1} << 16);
    first_.resize(parts_ + 1);
    for (std::size_t b = 0, i = 0; b < parts_; ++b) {
      while (i < x.size() && x[i] < static_cast<double>(b) / static_cast<double>(parts_)) ++i;
      first_[b] = static_cast<std::uint32_t>(i);
    }
    first_[parts_] = static_cast<std::uint32_t>(x.size());
  }

  // std::lower_bound and std::upper_bound, as places.
  [[nodiscard]] std::size_t lower(std::span<const double> x, double score) const {
    const auto [from, to] = part(x, score);
    return static_cast<std::size_t>(std::lower_bound(from, to, score) - x.begin());
  }
  [[nodiscard]] std::size_t upper(std::span<const double> x, double score) const {
    const auto [from, to] = part(x, score);
    return static_cast<std::size_t>(std::upper_bound(from, to, score) - x.begin());
  }

 private:
  using Place = std::span<const double>::iterator;
  struct Part {
    Place from, to;
  };
  [[nodiscard]] Part part(std::span<const double> x, double score) const {
    if (first_.empty() || !(score >= 0 && score <= 1)) return {x.begin(), x.end()};
    const std::size_t b = std::min(parts_ - 1, static_cast<std::size_t>(score * static_cast<double>(parts_)));
    return {x.begin() + first_[b], x.begin() + first_[b + 1]};
  }

  std::size_t parts_ = 0;  // a power of two: the product with a score is exact
  std::vector<std::uint32_t> first_;
};

}  // namespace tare::inner::fit
