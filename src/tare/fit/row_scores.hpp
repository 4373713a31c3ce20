// One number per row and class from rows of logits or probabilities: the probability of the class, or its
// log-odds. Fit and apply both go through here, so that a score of the fit data is the same double in both
// and meets the same bin.
//
// Log-odds keep their digits near 1: from logits they are z_k - log sum of the others' exp z_j, never
// log(p / (1 - p)) of a rounded p. From probabilities they are clamped to those of 2^-52 and 1 - 2^-52,
// because 0 and 1 have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/fit/rows/rows.hpp"

namespace tare::detail::fit {

enum class Scale { probability, log_odds };

// Two classes are one problem: the probability of class 1.
inline std::size_t problems(std::size_t columns) { return columns <= 2 ? 1 : columns; }

class RowScores {
 public:
  // `rows` holds whole rows of `columns` numbers and must outlive this object.
  RowScores(Kind kind, std::size_t columns, Reals rows, Scale scale, int threads = 1);

  [[nodiscard]] std::size_t size() const { return n_; }

  // The score of every row in problem j. Points into `buffer`, or straight into the input.
  [[nodiscard]] Reals column(std::size_t j, std::vector<double>& buffer) const;

 private:
  void score_class(std::size_t j, std::size_t first, std::span<double> score) const;
  void score_two(std::size_t first, std::span<double> score) const;

  Kind kind_;
  std::size_t columns_;
  Reals rows_;
  Scale scale_;
  std::size_t n_;
  std::vector<rows::RowFacts> facts_ = {};  // of more than two classes
};

using rows::largest_log_odds;  // log(s / (1 - s)) at s = 1 - 2^-52: the clamp of probabilities
using rows::log_odds;          // clamped
using rows::log_sigma;         // ln sigma(z); ln(1 - sigma(z)) is log_sigma(-z)
using rows::sigma;             // 1 / (1 + exp(-z))

}  // namespace tare::detail::fit
