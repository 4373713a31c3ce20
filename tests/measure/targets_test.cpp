// Every estimator, once per instruction set that this machine has: docs/methods/bits.md says which numbers may differ.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/data.hpp"
#include "support/targets.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/simd/softmax.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

std::vector<double> estimates(const BinaryView& view) {
  const measure::Sample sample(view, 2);
  std::vector<double> out;
  for (const measure::Estimator& row : measure::all())
    for (const int norm : {1, 2}) {
      if (!has_norm(row, norm) && (norm == 1 || row.norms != measure::Norms::none)) continue;
      const auto e = row.run(sample, {.norm = norm});
      out.push_back(e ? e->value : -1);
    }
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST(every_instruction_set, measures_given_scores_alike) {
  const Rows rows = simulated(20'000, 4, [](double s) { return s * s; });
  const std::vector<float> small(rows.score.begin(), rows.score.end());
  std::vector<double> first, first_small;
  for_targets([&](const char* target) {
    std::printf("%s\n", target);
    const auto wide = estimates(must(binary_view(std::span<const double>(rows.score), rows.label)));
    const auto narrow = estimates(must(binary_view(std::span<const float>(small), rows.label)));
    if (first.empty()) {
      first = wide;
      first_small = narrow;
    }
    EXPECT_LE(distance(wide, first), 1e-14) << target;
    EXPECT_LE(distance(narrow, first_small), 1e-14) << target;
  });
}

// Confidences made from logits.
template <class T>
void expect_confidences(double tolerance) {
  const Rows rows = simulated(30'000, 5, [](double s) { return s; });
  std::vector<T> logits;
  for (const double s : rows.score) logits.push_back(static_cast<T>(20 * s - 10));
  const std::size_t k = 10, n = logits.size() / k;
  std::vector<double> first;
  for_targets([&](const char* target) {
    std::vector<double> confidence(n);
    numeric::softmax_rows(std::span<const T>(logits), k, {}, {.confidence = confidence.data()});
    if (first.empty()) first = confidence;
    EXPECT_LE(distance(confidence, first), tolerance) << target;
  });
}

TEST(every_instruction_set, makes_confidences_alike) {
  expect_confidences<double>(1e-15);
  expect_confidences<float>(3e-7);
}

}  // namespace
