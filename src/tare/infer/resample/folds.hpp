// Stratified folds: every class is dealt out evenly, in an order drawn from the seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"

namespace tare::inner::infer {

// The fold (0 .. folds-1) of every row.
std::vector<int> stratified_folds(std::span<const std::int32_t> label, int folds, std::uint64_t seed);

// A copy of some rows.
class RowsOf {
 public:
  RowsOf(const MulticlassView& view, std::vector<std::size_t> rows);
  // Valid while this object lives. An error where all of these rows have weight 0.
  [[nodiscard]] Result<MulticlassView> view() const;
  [[nodiscard]] bool have_weight() const;  // some row counts
  [[nodiscard]] const std::vector<std::size_t>& rows() const { return rows_; }

 private:
  Kind kind_;
  std::size_t k_;
  std::vector<std::size_t> rows_;
  std::vector<float> values32_;
  std::vector<double> values64_;
  std::vector<std::int32_t> label_;
  std::vector<double> weight_;
};

}  // namespace tare::inner::infer
