// Numbers that somebody writes to after they were checked: a mapped file, an array in another thread. Answers are then
// worth nothing, but places in memory that are computed from such numbers exist. AddressSanitizer sees the others.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/data.hpp"
#include "support/drawn.hpp"
#include "support/sanitized.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/fit/run.hpp"
#include "tare/fit/spec.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/reduce/reduce.hpp"
#include "tare/state/running.hpp"

namespace {

using namespace tare::detail;
using tare::detail::testing::must;

constexpr double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
constexpr std::array wild = {-0.25, 1.125, 0.5, -1.0, 2.0, -1e300, 1e300, 1e6, -0x1p20, endless, -endless, none};
// Sums of the others are no numbers that whole numbers can hold: any will do, but a sanitizer minds.
const std::size_t wild_ones = tare::detail::testing::sanitized ? 3 : wild.size();

// Rows that were fine when they were checked.
template <class T>
class ChangedRows {
 public:
  ChangedRows(Kind kind, std::size_t n, std::size_t k, std::uint64_t seed) : values_(n * k), label_(n) {
    tare::detail::testing::SplitMix rng(seed);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < k; ++j) sum += std::exp(3 * (row(i)[j] = static_cast<T>(rng.uniform())));
      for (std::size_t j = 0; j < k && kind == Kind::probs; ++j)
        row(i)[j] = static_cast<T>(std::exp(3 * static_cast<double>(row(i)[j])) / sum);
      label_[i] = static_cast<std::int32_t>(rng.uniform() * static_cast<double>(k));
    }
    made_.kind = kind;
    made_.n = n;
    made_.k = k;
    made_.matrix = must(multiclass_view(kind, std::span<const T>(values_), k, label_, {}, row_sum_tolerance_float16));
    for (std::size_t at = seed % 7; at < values_.size(); at += 20 + static_cast<std::size_t>(rng.uniform() * 40))
      values_[at] = static_cast<T>(wild[static_cast<std::size_t>(rng.uniform() * static_cast<double>(wild_ones))]);
  }
  [[nodiscard]] const Predictions& predictions() const { return made_; }

 private:
  T* row(std::size_t i) { return values_.data() + i * (values_.size() / label_.size()); }
  std::vector<T> values_;
  std::vector<std::int32_t> label_;
  Predictions made_ = {};
};

template <class Call>
void for_changed_rows(const Call& call) {
  std::uint64_t seed = 0;
  for (const Kind kind : {Kind::logits, Kind::probs})
    for (const std::size_t k : {2u, 3u, 10u, 64u, 70u}) {
      call(ChangedRows<float>(kind, 300, k, ++seed).predictions());
      call(ChangedRows<double>(kind, 300, k, ++seed).predictions());
    }
}

TEST(changed_rows, scores_stay_in_the_unit_interval) {
  const auto check = [](const BinaryData& data) {
    const BinaryView view = data.view();
    for (std::size_t i = 0; i < view.size(); ++i) ASSERT_TRUE(view.score()[i] >= 0 && view.score()[i] <= 1);
  };
  for_changed_rows([&](const Predictions& p) {
    check(must(top_label(p)));
    if (p.k == 2) check(must(positive(p)));
    const auto problems = must(OneVsRest::make(p));
    for (std::size_t c = 0; c < p.k; ++c) check(problems.problem(c));
  });
}

TEST(changed_rows, are_measured_and_tested) {
  for_changed_rows([](const Predictions& p) {
    for (const Reduction reduction : {Reduction::top_label, Reduction::classwise})
      (void)analysis::survey(p, {.reduction = reduction, .estimators = {"ece_ew", "ece_em", "brier", "nll"}});
    (void)measure::brier_matrix(*p.matrix, {.bins = 1}, 1);
    (void)analysis::test(p, {.resamples = 20, .detectable = false});
  });
}

TEST(changed_rows, are_calibrated) {
  for_changed_rows([](const Predictions& p) {
    for (const fit::Calibrator& row : fit::all()) {
      const auto model = fit::run(row, p, {.max_iterations = 20});
      if (model) (void)fit::applied(*model, p, 1);
    }
  });
}

// A map of good rows on others.
TEST(changed_rows, are_mapped) {
  for (const Kind kind : {Kind::logits, Kind::probs})
    for (const std::size_t k : {2u, 3u, 10u}) {
      const ChangedRows<double> changed(kind, 300, k, k);
      std::vector<double> values;
      std::vector<std::int32_t> label;
      tare::detail::testing::SplitMix rng(k);
      for (std::size_t i = 0; i < 200; ++i) {
        const std::size_t top = i % k;
        for (std::size_t j = 0; j < k; ++j)
          values.push_back(j == top ? 0.6
                                    : 0.4 / static_cast<double>(k - 1) + (kind == Kind::logits ? rng.uniform() : 0));
        label.push_back(static_cast<std::int32_t>(rng.uniform() < 0.7 ? top : (top + 1) % k));
      }
      Predictions good = changed.predictions();
      good.n = label.size();
      good.matrix = must(multiclass_view(kind, std::span<const double>(values), k, label));
      for (const fit::Calibrator& row : fit::all()) {
        const auto model = fit::run(row, good, {.max_iterations = 50});
        if (model) (void)fit::applied(*model, changed.predictions(), 1);
      }
    }
}

TEST(changed_rows, are_compared_and_added_up) {
  for_changed_rows([](const Predictions& p) {
    (void)analysis::compare(p, nullptr, {.methods = {"temperature", "histogram"}, .folds = 2, .resamples = 20});
    for (const Reduction reduction : {Reduction::top_label, Reduction::classwise}) {
      auto state = must(state::Running::make({.reduction = reduction}));
      (void)state.add(p);
    }
  });
}

}  // namespace
