// From predictions to binary problems: which number is the confidence, and what counts as right.
//   top_label   the confidence of the argmax (lowest index on a tie), hit or miss
//   positive    binary input: the probability of class 1, and the label
//   classwise   K one-vs-rest problems
// Never guessed silently: choose() holds the rule, and every output names what it chose.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/core/results.hpp"

namespace tare::detail {

// Which rows have a label.

// 1 where the label is the wanted one, 0 elsewhere.
std::vector<std::uint8_t> is_label(std::span<const std::int32_t> label, std::int32_t wanted, int threads = 1);

// Owns a binary problem, or stands for one whose rows live elsewhere. Moves, never copies: the view points into it.
class BinaryData {
 public:
  explicit BinaryData(BinaryView view) : borrowed_(view) {}
  BinaryData(std::vector<double> score, std::vector<std::uint8_t> label, std::span<const double> weight)
      : score64_(std::move(score)),
        score_(std::span<const double>(score64_)),
        label_(std::move(label)),
        weight_(weight) {}
  BinaryData(std::vector<float> score, std::vector<std::uint8_t> label, std::span<const double> weight)
      : score32_(std::move(score)),
        score_(std::span<const float>(score32_)),
        label_(std::move(label)),
        weight_(weight) {}
  // Scores that live elsewhere with labels that do not.
  BinaryData(Reals score, std::vector<std::uint8_t> label, std::span<const double> weight)
      : score_(score), label_(std::move(label)), weight_(weight) {}
  BinaryData(BinaryData&&) = default;
  BinaryData& operator=(BinaryData&&) = default;

  [[nodiscard]] BinaryView view() const;  // valid while this object lives

 private:
  std::optional<BinaryView> borrowed_;
  std::vector<double> score64_;
  std::vector<float> score32_;
  Reals score_;
  std::vector<std::uint8_t> label_;
  std::span<const double> weight_;
};

// Binary input: positive; more classes or bare confidences: top_label; a state: its own. An impossible wish is an
// error.
Result<Reduction> choose_reduction(const Predictions& predictions, std::optional<Reduction> asked);

Result<BinaryData> top_label(const Predictions& predictions, int threads = 1);
Result<BinaryData> positive(const Predictions& predictions, int threads = 1);

// The K one-vs-rest problems, one at a time; the softmax normaliser of every row is kept.
class OneVsRest {
 public:
  static Result<OneVsRest> make(const Predictions& predictions, int threads = 1);
  [[nodiscard]] std::size_t classes() const;
  [[nodiscard]] BinaryData problem(std::size_t class_index, int threads = 1) const;

 private:
  OneVsRest() = default;
  std::vector<BinaryView> summed_;      // of a state; else empty
  std::optional<MulticlassView> view_;  // of rows
  std::vector<double> log_normaliser_;  // logits: log sum exp of the row; empty for probabilities
};

}  // namespace tare::detail
