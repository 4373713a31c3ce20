// One-dimensional maps on any number of classes (Guo et al. 2017, section 4.2): two classes take one map on
// the probability of class 1; K > 2 take one map per class on (p_k, [y = k]), and the mapped row is divided by
// its sum. A row whose maps are all 0 keeps its uncalibrated probabilities: there is no better information.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tare/fit/rows/rows.hpp"
#include "tare/fit/spec.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::fit {

enum class Scale { probability, log_odds };

// Two classes are one problem: the probability of class 1.
inline std::size_t problems(std::size_t columns) { return columns <= 2 ? 1 : columns; }

// One number per row and class from rows of logits or probabilities: the probability of the class, or its
// log-odds. Fit and apply both go through here, so that a score of the fit data is the same double in both
// and meets the same bin.
//
// Log-odds keep their digits near 1: from logits they are z_k - log sum of the others' exp z_j, never
// log(p / (1 - p)) of a rounded p. From probabilities they are clamped to those of 2^-52 and 1 - 2^-52,
// because 0 and 1 have none.
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

// Weights in the unit of one prediction, for fits that count: a smoothed rate, the evidence of a model, rows dealt out
// to parts. A common factor of all weights changes nothing.

// Where all weights are whole multiples of the smallest one, that one counts as one prediction and 2 is the row twice.
// Else the rows of positive weight are as many predictions, and share them by weight. Empty for no weights.
std::vector<double> counted_weights(std::span<const double> weight);

struct Problem {
  Reals score;  // on the scale asked for
  std::span<const std::uint8_t> label;
  std::span<const double> weight;
  int threads = 1;
};

// f(score) of every row.
template <class F>
std::vector<double> mapped(const Problem& problem, const F& f) {
  constexpr std::size_t chunk = 16384;
  std::vector<double> out(problem.label.size());
  problem.score.visit([&](auto score) {
    numeric::parallel_for((out.size() + chunk - 1) / chunk, problem.threads, [&](std::size_t c) {
      for (std::size_t i = c * chunk; i < std::min(out.size(), (c + 1) * chunk); ++i)
        out[i] = f(static_cast<double>(score[i]));
    });
  });
  return out;
}

// The results of fit_one(problem) for every problem of the view. Only one problem per thread is in memory.
template <class FitOne>
auto fit_problems(const MulticlassView& view, Scale scale, int threads, const FitOne& fit_one) {
  using Fitted = std::invoke_result_t<FitOne, const Problem&>;
  const std::size_t count = problems(view.columns());
  const RowScores scores(view.kind(), view.columns(), view.values(), scale, threads);
  const std::vector<double> weight = counted_weights(view.weight());
  std::vector<Fitted> out(count);
  numeric::parallel_for(count, threads, [&](std::size_t j) {
    std::vector<double> buffer;
    const Reals score = scores.column(j, buffer);
    const auto wanted = static_cast<std::int32_t>(count == 1 ? 1 : j);
    const int inside = count == 1 ? threads : 1;
    const std::vector<std::uint8_t> label = is_label(view.label(), wanted, inside);
    out[j] = fit_one(Problem{score, label, weight, inside});
  });
  return out;
}

// One part of every fitted curve, in the order of the problems.
template <class Curve, class Part>
auto parts_of(const std::vector<Curve>& curves, const Part& part) {
  std::vector<std::remove_cvref_t<std::invoke_result_t<Part, const Curve&>>> out;
  for (const Curve& curve : curves) out.push_back(std::invoke(part, curve));
  return out;
}

// Rows first .. first + count - 1.
Reals rows_of(const Reals& values, std::size_t columns, std::size_t first, std::size_t count);

// A Curve maps scores of the map's scale to [0, 1]: map(scores, out). If it also has complement(), that curve is 1
// minus it, with more digits.
template <class Curve>
class OneVsRestMap final : public Map {
 public:
  OneVsRestMap(Kind kind, std::size_t columns, Scale scale, std::vector<Curve> curves)
      : kind_(kind), columns_(columns), scale_(scale), curves_(std::move(curves)) {}

  void apply(Reals in, std::span<double> out) const override {
    const std::size_t n = in.size() / columns_;
    const std::size_t near = columns_ == 1 ? 1024 : 32768;  // numbers that stay in the first cache, or in the second
    const std::size_t block = std::max<std::size_t>(1, near / columns_);
    std::vector<double> buffer;
    for (std::size_t first = 0; first < n; first += block) {
      const std::size_t count = std::min(block, n - first);
      const Reals rows = rows_of(in, columns_, first, count);
      const auto to = out.subspan(first * columns_, count * columns_);
      const RowScores scores(kind_, columns_, rows, scale_);
      for (std::size_t j = 0; j < curves_.size(); ++j)
        scores.column(j, buffer).visit([&](auto s) { map_column(j, s, to); });
      if (columns_ > 2) renormalise(rows, to);
    }
  }

 private:
  template <class T>
  void map_column(std::size_t j, std::span<const T> score, std::span<double> to) const {
    if (columns_ == 1) return curves_[j].map(score, to);
    std::vector<double> found(score.size());
    curves_[j].map(score, std::span<double>(found));
    store(found, columns_ == 2 ? 1 : j, to);
    if (columns_ != 2) return;
    if constexpr (requires { curves_[j].complement(); })
      curves_[j].complement().map(score, std::span<double>(found));
    else
      for (double& q : found) q = 1 - q;
    store(found, 0, to);
  }

  void store(std::span<const double> found, std::size_t column, std::span<double> to) const {
    for (std::size_t i = 0; i < found.size(); ++i) to[i * columns_ + column] = found[i];
  }

  void renormalise(const Reals& input, std::span<double> out) const {
    input.visit([&](auto values) {
      for (std::size_t at = 0; at < out.size(); at += columns_)
        rows::normalise(values.data() + at, columns_, kind_ == Kind::logits, out.data() + at);
    });
  }

  Kind kind_;
  std::size_t columns_;
  Scale scale_;
  std::vector<Curve> curves_;
};

}  // namespace tare::detail::fit
