// Rows of logits as a search for a temperature looks at them before its last steps: how far each logit is below the
// largest of its row, in float32, sixteen rows side by side. A pass over them takes a fifth of the time of one in
// float64 and is off by some 1e-8. Sums over rows are exact, so row order and threads change no bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "tare/numeric/memory.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::numeric {

class CoarseRows {
 public:
  static constexpr std::size_t side_by_side = 16;

  CoarseRows() = default;
  CoarseRows(std::size_t rows, std::size_t k);

  // Rows of k logits from `first` on, a multiple of 16; each with its largest and smallest. Threads may put different
  // rows at the same time. Rows whose range is beyond 2^10 may only have weight 0.
  template <class T>
  void put(std::size_t first, std::size_t count, const T* z, const RowShape* shape) {
    for (std::size_t i = 0; i < count; ++i, z += k_) {
      float* const to = below_.data() + (first + i) / side_by_side * side_by_side * width_ + i % side_by_side;
      const auto below = [top = shape[i].high](double x) {
        return static_cast<float>(std::max(x - top, -2 * most_coarse_range));
      };
      if (width_ == 1)  // of two classes: the other one
        to[0] = below(shape[i].low);
      else
        for (std::size_t j = 0; j < k_; ++j) to[j * side_by_side] = below(static_cast<double>(z[j]));
    }
  }

  // What all passes share: the weights (empty: all ones) and their sum, the mean of what labels are below the largest,
  // and the largest range of a row.
  void complete(std::span<const double> weight, double total_weight, double label, double range);

  struct Slope {
    double slope, curvature;  // of the mean negative log-likelihood (tempered.hpp)
  };
  [[nodiscard]] Slope at(double v, int threads = 1) const;

 private:
  std::size_t rows_ = 0, k_ = 0, width_ = 0;
  LargeArray<float> below_ = {};
  std::vector<double> weight_ = {};
  double total_weight_ = 0, label_ = 0, unit_ = 1;
};

}  // namespace tare::detail::numeric
