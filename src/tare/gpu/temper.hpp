// The mean NLL of softmax(v z) and its first two derivatives in v = 1 / T, on a device: at four v in one pass in
// float32, which finds the minimum to a few digits, and at one v in float64, which certifies it. Formulas as in
// numeric/simd/tempered.hpp. Sums over rows are in float64 in a fixed order: the same bits every run.
#pragma once

#include <array>

#include "tare/gpu/memory.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::gpu {

class Tempered {
 public:
  // The arrays must outlive it.
  Tempered(const DeviceRows& rows, const Labels& labels, Stream stream);

  using Four = std::array<double, 4>;
  // The first call looks at every row: what is wrong with one is an error.
  Result<std::array<numeric::TemperedNll, 4>> four(const Four& v);
  // After the first four(). In float64.
  numeric::TemperedNll one(double v);

  [[nodiscard]] double rows() const { return counted_; }        // that count
  [[nodiscard]] bool all_right() const { return wrong_ == 0; }  // as in numeric::LogitSurvey
  [[nodiscard]] double range() const { return range_; }         // largest max z - min z of a row; after one()

 private:
  DeviceRows rows_;
  Labels labels_;
  Stream stream_;
  Faults faults_;
  Buffer<float> top_;     // the largest logit of each row
  Buffer<double> parts_;  // sums of each warp or block
  Buffer<double> totals_;
  Buffer<unsigned> reach_;  // the bits of the range
  double counted_ = 0, wrong_ = 0, range_ = 0;
  bool looked_ = false;  // at every row, for what is wrong with it
};

}  // namespace tare::detail::gpu
