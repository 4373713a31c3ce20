// Folds of equal size, drawn from the seed, that know nothing of the labels. Folds with the same share of every class
// would make a fitted class intercept cost nothing in cross-validation, which it does cost on new data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"

namespace tare::detail::infer {

// The fold (0 .. folds-1) of every row. A class whose rows would all be held out together is dealt out one row a fold:
// nothing can be learnt about a class that the training rows lack. repeat: another drawing.
std::vector<int> random_folds(std::span<const std::int32_t> label, int folds, std::uint64_t seed,
                              std::uint32_t repeat = 0);

// A copy of some rows.
class RowsOf {
 public:
  RowsOf(const MulticlassView& view, std::vector<std::size_t> rows);
  // Valid while this object lives. An error where all of these rows have weight 0.
  [[nodiscard]] Result<MulticlassView> view() const;
  // The same with all numbers looked at: where they were copied from memory that others may have written to since.
  [[nodiscard]] Result<MulticlassView> checked_view() const;
  [[nodiscard]] bool have_weight() const;  // some row counts
  [[nodiscard]] const std::vector<std::size_t>& rows() const { return rows_; }

 private:
  [[nodiscard]] Reals values() const;
  Kind kind_;
  std::size_t k_;
  std::vector<std::size_t> rows_;
  std::vector<float> values32_;
  std::vector<double> values64_;
  std::vector<std::int32_t> label_;
  std::vector<double> weight_;
};

}  // namespace tare::detail::infer
