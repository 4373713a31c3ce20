// Temperature and vector scaling on a device: the models that fit/temperature.hpp and fit/affine/affine.hpp find, for
// logits that stay where they are.
#pragma once

#include <span>

#include "tare/core/model.hpp"
#include "tare/gpu/memory.hpp"

namespace tare::detail::gpu {

// One pass in float32 at four temperatures brackets the minimum, a cubic through the bracket finds it to a few digits,
// and passes in float64 with Newton's steps certify it: as a rule one. Logits only. max_iterations: passes; 0 is the
// usual limit.
Result<Model> fit_temperature(const DeviceRows& rows, const Labels& labels, int max_iterations, Stream stream);

// By the same minimiser as on the CPU; each value of the NLL and its gradient is two passes over the logits in float64,
// the sums over rows in a fixed order. Logits only. max_iterations: 0 is the usual limit.
Result<Model> fit_vector(const DeviceRows& rows, const Labels& labels, int max_iterations, Stream stream);

// The mean NLL of softmax(w z + b). Per class: w z + b moves with w and b, and means over the rows are taken of its
// slopes, of its second derivatives q (1 - q) {z^2, z, 1}, and of the label.
class ScaledNll {
 public:
  ScaledNll(const DeviceRows& rows, const Labels& labels, Stream stream);

  enum Mean { slope_w, slope_b, curvature_ww, curvature_wb, curvature_bb, share, means };
  // x: k factors, then k intercepts. Returns the NLL; of_class(Mean) then has k numbers each.
  double operator()(std::span<const double> x, double counted);
  [[nodiscard]] std::span<const double> of_class(Mean mean) const {
    return std::span<const double>(class_means_).subspan(static_cast<std::size_t>(mean) * rows_.k, rows_.k);
  }

 private:
  DeviceRows rows_;
  Labels labels_;
  Stream stream_;
  int chunks_;
  Buffer<double> x_, normaliser_, row_parts_, parts_, totals_, loss_;
  std::vector<double> class_means_ = {};
};

}  // namespace tare::detail::gpu
