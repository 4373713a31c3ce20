// Proof that an unpenalised matrix fit has no optimum: a class that one linear function tells from all others without
// error. Along that function, added to the row of W of the class, no row's loss rises and some fall for ever.
#pragma once

#include <optional>

#include "tare/fit/affine/affine_problem.hpp"

namespace tare::detail::fit {

class Separation {
 public:
  explicit Separation(const AffineProblem& problem) : p_(problem) {}

  // A class that is separable from all others, if one is found among those that the parameters x get all right.
  [[nodiscard]] std::optional<std::size_t> find(std::span<const double> x) const;
  // True if the largest output of every row is that of its label, and no other is as large.
  [[nodiscard]] bool all_rows_right(std::span<const double> x) const;
  // True if a linear function with an intercept is positive on the rows of class c and negative on all others.
  [[nodiscard]] bool separable(std::size_t c) const;

 private:
  [[nodiscard]] std::vector<std::size_t> all_right(std::span<const double> x) const;
  [[nodiscard]] std::vector<std::int32_t> top_labels(std::span<const double> x) const;  // -1 where two share the top
  const AffineProblem& p_;
};

}  // namespace tare::detail::fit
