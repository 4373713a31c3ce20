#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/simd/coarse_rows.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_COARSE_ROWS_ONCE
#define TARE_NUMERIC_COARSE_ROWS_ONCE

#include <algorithm>
#include <cstdint>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/coarse_rows.hpp"

namespace tare::detail::numeric {

// Numbers of at most 1 become multiples of 2^-44 by way of 1.5 times 2^(52 - 44), and 512 of them add without rounding.
inline constexpr int coarse_bits = 44;
inline constexpr double to_coarse = 0x1.8p8;
inline constexpr std::size_t most_groups = 256;

struct CoarsePart {
  const float* below;
  const double* weight;  // null: all ones
  std::size_t groups;    // of rows side by side, at most 256
  std::size_t width;
  double unit;  // no less than any range
};
struct CoarseSums {
  std::int64_t mean = 0, variance = 0;  // in units of 2^-44, of unit and of unit^2
};

}  // namespace tare::detail::numeric
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {
namespace {

void SumCoarse(const CoarsePart& part, double v, CoarseSums& out) {
  constexpr std::size_t side = CoarseRows::side_by_side;
  const hn::CappedTag<float, side> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto vv = hn::Set(d, static_cast<float>(v));
  const auto inverse = hn::Set(d, static_cast<float>(1 / part.unit));
  const float own = part.width == 1 ? 1.0F : 0.0F;  // exp(0) of the largest, where only the other one is kept
  alignas(64) double mean[side] = {}, variance[side] = {};
  for (std::size_t g = 0; g < part.groups; ++g) {
    const float* HWY_RESTRICT group = part.below + g * side * part.width;
    alignas(64) float row_mean[side], row_variance[side];
    for (std::size_t l = 0; l < side; l += lanes) {
      auto s0 = hn::Set(d, own), s1 = hn::Zero(d), s2 = s1;
      for (std::size_t j = 0; j < part.width; ++j) {
        const auto a = hn::Load(d, group + j * side + l);
        const auto e = exp_negative(hn::Mul(vv, a)), ae = hn::Mul(a, e);
        s0 = hn::Add(s0, e);
        s1 = hn::Add(s1, ae);
        s2 = hn::MulAdd(a, ae, s2);
      }
      const auto share = hn::Div(inverse, s0), m = hn::Mul(s1, share);
      hn::Store(m, d, row_mean + l);
      hn::Store(hn::Max(hn::Zero(d), hn::NegMulAdd(m, m, hn::Mul(hn::Mul(s2, share), inverse))), d, row_variance + l);
    }
    const double* w = part.weight ? part.weight + g * side : nullptr;
    for (std::size_t l = 0; l < side; ++l) {
      const double weight = w ? w[l] : 1.0;
      mean[l] += (static_cast<double>(row_mean[l]) * weight + to_coarse) - to_coarse;
      variance[l] += (static_cast<double>(row_variance[l]) * weight + to_coarse) - to_coarse;
    }
  }
  constexpr auto whole = static_cast<double>(std::int64_t{1} << coarse_bits);
  for (std::size_t l = 0; l < side; ++l) {
    out.mean += static_cast<std::int64_t>(mean[l] * whole);
    out.variance += static_cast<std::int64_t>(variance[l] * whole);
  }
}

}  // namespace
}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {

HWY_EXPORT(SumCoarse);

CoarseRows::CoarseRows(std::size_t rows, std::size_t k) : rows_(rows), k_(k), width_(k <= 2 ? 1 : k) {
  const std::size_t group = side_by_side * width_, groups = (rows + side_by_side - 1) / side_by_side;
  below_.resize(groups * group);
  std::fill(below_.end() - static_cast<std::ptrdiff_t>(group), below_.end(), 0.0F);  // rows that fill it up
}

void CoarseRows::complete(std::span<const double> weight, double total_weight, double label, double range) {
  weight_.assign(weight.begin(), weight.end());
  if (!weight.empty()) {
    weight_.resize((rows_ + side_by_side - 1) / side_by_side * side_by_side);
    const double inverse = 1 / power_of_two_above(*std::max_element(weight.begin(), weight.end()));
    for (double& w : weight_) w *= inverse;
  }
  total_weight_ = total_weight;
  label_ = label;
  unit_ = range > 0 ? power_of_two_above(range) : 1;
}

CoarseRows::Slope CoarseRows::at(double v, int threads) const {
  const std::size_t groups = (rows_ + side_by_side - 1) / side_by_side;
  const std::size_t step = std::clamp<std::size_t>(65536 / (side_by_side * width_), 1, most_groups);
  std::vector<CoarseSums> parts((groups + step - 1) / step);
  parallel_for(parts.size(), threads, [&](std::size_t c) {
    const std::size_t first = c * step;
    HWY_DYNAMIC_DISPATCH(SumCoarse)
    ({.below = below_.data() + first * side_by_side * width_,
      .weight = weight_.empty() ? nullptr : weight_.data() + first * side_by_side,
      .groups = std::min(step, groups - first),
      .width = width_,
      .unit = unit_},
     v, parts[c]);
  });
  i128 mean = 0, variance = 0;
  for (const CoarseSums& p : parts) {
    mean += p.mean;
    variance += p.variance;
  }
  const double share = 1 / (static_cast<double>(std::int64_t{1} << coarse_bits) * total_weight_);
  return {static_cast<double>(mean) * share * unit_ - label_, static_cast<double>(variance) * share * unit_ * unit_};
}

}  // namespace tare::detail::numeric
#endif
