// What every estimator and calibrator is given: checked, non-owning views of predictions.
// A view can only be made by the functions below, which check every row once, so that
// nothing further down the flow checks, clips or repairs its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include <tare/predictions.hpp>

#include "tare/core/result.hpp"

namespace tare::detail {

// Real numbers as they came: float32 or float64, never converted by a view.
class Reals {
 public:
  Reals() = default;
  Reals(std::span<const float> values) : v_(values) {}
  Reals(std::span<const double> values) : v_(values) {}

  [[nodiscard]] std::size_t size() const {
    return std::visit([](auto s) { return s.size(); }, v_);
  }
  [[nodiscard]] double operator[](std::size_t i) const {
    return std::visit([i](auto s) { return static_cast<double>(s[i]); }, v_);
  }
  // Calls f with std::span<const float> or std::span<const double>: one branch, outside the loop.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), v_);
  }
  [[nodiscard]] bool is_float32() const { return v_.index() == 0; }

 private:
  std::variant<std::span<const float>, std::span<const double>> v_;
};

// n scores in [0, 1], each with a label 0 or 1 (a hit, for top labels), and frequency
// weights: weight 2 means the row twice. An empty weight span means all ones.
class BinaryView {
 public:
  [[nodiscard]] std::size_t size() const { return label_.size(); }
  [[nodiscard]] const Reals& score() const { return score_; }
  [[nodiscard]] std::span<const std::uint8_t> label() const { return label_; }
  [[nodiscard]] std::span<const double> weight() const { return weight_; }

 private:
  BinaryView(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight)
      : score_(score), label_(label), weight_(weight) {}
  friend Result<BinaryView> binary_view(Reals, std::span<const std::uint8_t>, std::span<const double>);
  friend Result<BinaryView> copied_view(Reals, std::span<const std::uint8_t>, std::span<const double>);
  friend BinaryView reduced_view(Reals, std::span<const std::uint8_t>, std::span<const double>);

  Reals score_;
  std::span<const std::uint8_t> label_;
  std::span<const double> weight_;
};

// Checks: n > 0, equal lengths, scores in [0, 1] and not NaN, labels 0 or 1, weights usable. Errors call the arrays
// values, hits and weights.
Result<BinaryView> binary_view(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight = {});

using tare::Kind;

// n rows of k numbers, row-major (k = 1: the log-odds or the probability of class 1),
// with labels in 0 .. max(k, 2) - 1.
class MulticlassView {
 public:
  [[nodiscard]] std::size_t size() const { return label_.size(); }
  [[nodiscard]] std::size_t columns() const { return k_; }
  [[nodiscard]] std::size_t classes() const { return k_ == 1 ? 2 : k_; }
  [[nodiscard]] Kind kind() const { return kind_; }  // logits or probs
  [[nodiscard]] const Reals& values() const { return values_; }
  [[nodiscard]] std::span<const std::int32_t> label() const { return label_; }
  [[nodiscard]] std::span<const double> weight() const { return weight_; }

 private:
  MulticlassView(Kind kind, Reals values, std::size_t k, std::span<const std::int32_t> label,
                 std::span<const double> weight)
      : kind_(kind), values_(values), k_(k), label_(label), weight_(weight) {}
  friend Result<MulticlassView> multiclass_view(Kind, Reals, std::size_t, std::span<const std::int32_t>,
                                                std::span<const double>, double);
  friend Result<MulticlassView> copied_view(Kind, Reals, std::size_t, std::span<const std::int32_t>,
                                            std::span<const double>);
  friend MulticlassView two_class_view(const BinaryView&, std::span<const std::int32_t>);

  Kind kind_;
  Reals values_;
  std::size_t k_;
  std::span<const std::int32_t> label_;
  std::span<const double> weight_;
};

// Stands for a logit of -inf: a class of probability 0, far below every other logit of its row. A view holds finite
// numbers only, and sums over logits keep their digits beside this one.
inline constexpr double masked_logit = -0x1p20;

inline constexpr double row_sum_tolerance = 1e-3;          // |sum of a row of probabilities - 1|
inline constexpr double row_sum_tolerance_float16 = 5e-3;  // the same, for numbers stored in 16 bits

// Checks: n > 0, k > 0, lengths, logits finite, probabilities in [0, 1] with rows that sum
// to 1 (k > 1), labels in range, weights usable. Errors call the arrays values, labels and weights.
Result<MulticlassView> multiclass_view(Kind kind, Reals values, std::size_t k, std::span<const std::int32_t> label,
                                       std::span<const double> weight = {}, double tolerance = row_sum_tolerance);

// Rows of checked views, copied: fewer, more, or in another order. Only weights are looked at again, since
// those of some rows may all be 0, and those of two views may sum to too much.
Result<BinaryView> copied_view(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight);
Result<MulticlassView> copied_view(Kind kind, Reals values, std::size_t k, std::span<const std::int32_t> label,
                                   std::span<const double> weight);

// What was computed from a checked view: scores in [0, 1], labels 0 and 1, the weights of that view.
BinaryView reduced_view(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight);

// Bare confidences as the probabilities of class 1. `label`: their hits.
MulticlassView two_class_view(const BinaryView& hits, std::span<const std::int32_t> label);

}  // namespace tare::detail
