// The squared error that the other rows predict, with 1, 2, ... terms of a basis, and the number of terms to take.
#pragma once

#include <cstddef>
#include <vector>

#include "tare/measure/rank_poly/rank_sums.hpp"
#include "tare/measure/sample.hpp"

namespace tare::inner::measure {

// With a given number of terms.
struct RankTerms {
  double squared = 0;     // D
  double null = 0;        // N, its variance if the model is calibrated
  double away = 0;        // L, its variance where the error is not small
  double per_square = 0;  // so much variance of D, over labels and scores, for every unit of true squared error
};

class RankPath {
 public:
  // Of more than one row; basis: of these rows, and alive as long as the path.
  RankPath(const Sample& sample, const RankBasis& basis);

  [[nodiscard]] const std::vector<RankTerms>& terms() const { return terms_; }
  // The number of terms with the largest D - sqrt(K N), less one.
  [[nodiscard]] std::size_t chosen() const { return chosen_; }
  [[nodiscard]] const RankTerms& best() const { return terms_[chosen_]; }
  // Had two of the surest labels gone the other way.
  [[nodiscard]] RankPath flipped(const Sample& sample) const;

 private:
  void find_terms(double rows);
  const RankBasis* basis_;
  RankGaps gaps_;
  std::vector<RankTerms> terms_ = {};
  std::size_t chosen_ = 0;
};

}  // namespace tare::inner::measure
