// One-dimensional maps on any number of classes (Guo et al. 2017, section 4.2): two classes take one map on
// the probability of class 1; K > 2 take one map per class on (p_k, [y = k]), and the mapped row is divided by
// its sum. A row whose maps are all 0 keeps its uncalibrated probabilities: there is no better information.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "tare/fit/counted_weights.hpp"
#include "tare/fit/row_scores.hpp"
#include "tare/fit/spec.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/is_label.hpp"

namespace tare::inner::fit {

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

// Rows first .. first + count - 1.
Reals rows_of(const Reals& values, std::size_t columns, std::size_t first, std::size_t count);

// A Curve maps a score of the map's scale to [0, 1]. If it also has complement(score), that is 1 minus it
// with more digits; if it has map(scores, out), that is faster for many.
template <class Curve>
class OneVsRestMap final : public Map {
 public:
  OneVsRestMap(Kind kind, std::size_t columns, Scale scale, std::vector<Curve> curves)
      : kind_(kind), columns_(columns), scale_(scale), curves_(std::move(curves)) {}

  void apply(Reals in, std::span<double> out) const override {
    const std::size_t n = in.size() / columns_;
    const std::size_t block = std::max<std::size_t>(1, 32768 / columns_);
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
    if constexpr (requires { curves_[j].map(score, to); }) {
      if (columns_ == 1) return curves_[j].map(score, to);
      std::vector<double> found(score.size());
      curves_[j].map(score, std::span<double>(found));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (columns_ == 2) to[2 * i] = 1 - found[i];
        to[i * columns_ + (columns_ == 2 ? 1 : j)] = found[i];
      }
    } else {
      for (std::size_t i = 0; i < score.size(); ++i)
        store(j, static_cast<double>(score[i]), to.subspan(i * columns_, columns_));
    }
  }

  void store(std::size_t j, double score, std::span<double> row) const {
    const double q = curves_[j](score);
    if (columns_ != 2) {
      row[j] = q;
      return;
    }
    row[1] = q;
    if constexpr (requires { curves_[j].complement(score); })
      row[0] = curves_[j].complement(score);
    else
      row[0] = 1 - q;
  }

  void renormalise(const Reals& rows, std::span<double> out) const {
    const std::size_t n = out.size() / columns_;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = out.subspan(i * columns_, columns_);
      if (!divide_by_sum(row)) {
        const Reals input = rows_of(rows, columns_, i, 1);
        const RowScores plain(kind_, columns_, input, Scale::probability);
        std::vector<double> buffer;
        for (std::size_t j = 0; j < columns_; ++j) row[j] = plain.column(j, buffer)[0];
        divide_by_sum(row);
      }
    }
  }

  static bool divide_by_sum(std::span<double> row) {
    double sum = 0;
    for (const double q : row) sum += q;
    if (sum < std::numeric_limits<double>::min()) return false;
    for (double& q : row) q /= sum;
    return true;
  }

  Kind kind_;
  std::size_t columns_;
  Scale scale_;
  std::vector<Curve> curves_;
};

}  // namespace tare::inner::fit
