#include "tare/read/suspect.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tare/read/repair.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

// One row in every so many is looked at, of many classes fewer.
std::size_t step_of(std::size_t rows, std::size_t k) {
  constexpr std::size_t most_rows = 20000, least_rows = 1000, most_numbers = std::size_t{1} << 21;
  return std::max<std::size_t>(1, rows / std::clamp(most_numbers / k, least_rows, most_rows));
}

// The predicted class, the first of the largest, and its probability.
template <class T>
std::pair<std::size_t, double> predicted(std::span<const T> row, Kind kind) {
  if (row.size() == 1) {
    const auto x = static_cast<double>(row[0]);
    const double p = kind == Kind::logits ? 1 / (1 + std::exp(-x)) : x;
    return p > 0.5 ? std::pair<std::size_t, double>{1, p} : std::pair<std::size_t, double>{0, 1 - p};
  }
  const auto top = std::max_element(row.begin(), row.end());
  double confidence = static_cast<double>(*top);
  if (kind == Kind::logits) {
    double sum = 0;
    for (const T z : row) sum += std::exp(static_cast<double>(z) - static_cast<double>(*top));
    confidence = 1 / sum;
  }
  return {static_cast<std::size_t>(top - row.begin()), confidence};
}

// Calls body(row, its index) for every so many rows of k numbers, as long as it says so.
template <class Body>
bool for_some_rows(const Reals& values, std::size_t k, std::size_t step, const Body& body) {
  return values.visit([&](auto all) {
    for (std::size_t i = 0; i < all.size() / k; i += step)
      if (!body(all.subspan(i * k, k), i)) return false;
    return true;
  });
}

template <class T>
bool sums_to_one(std::span<const T> row) {
  return std::all_of(row.begin(), row.end(), [](auto x) { return x >= 0 && x <= 1; }) &&
         (row.size() == 1 || std::abs(row_sum(row) - 1) <= row_sum_tolerance_float16);
}

bool are_percentages(const Matrix& m) {
  const std::size_t step = step_of(m.n, m.k);
  double largest = 0;
  const bool all = for_some_rows(m.values, m.k, step, [&](auto row, std::size_t) {
    for (const auto x : row) {
      if (!(x >= 0 && x <= 100)) return false;
      largest = std::max(largest, static_cast<double>(x));
    }
    return row.size() == 1 || std::abs(row_sum(row) - 100) <= 2;
  });
  return all && (m.k > 1 || largest > 20);
}

// All at most 0, and some below: what stands for a probability as its logarithm.
bool are_logarithms(const Matrix& m) {
  bool below = false;
  return for_some_rows(m.values, m.k, step_of(m.n, m.k),
                       [&](auto row, std::size_t) {
                         double sum = 0;
                         for (const auto x : row) {
                           if (!(x <= 0)) return false;
                           below = below || x < -1;
                           sum += std::exp(static_cast<double>(x));
                         }
                         return row.size() == 1 || std::abs(sum - 1) < 0.02;
                       }) &&
         below;
}

}  // namespace

void look_at(const MulticlassView& view, ReadLog& log) {
  const std::size_t k = view.columns();
  log.classes = view.classes();
  log.single = k == 1;
  log.logits = view.kind() == Kind::logits;
  log.predicted_count.resize(std::max(log.predicted_count.size(), log.classes));
  log.label_count.resize(std::max(log.label_count.size(), log.classes));
  for_some_rows(view.values(), k, step_of(view.size(), k), [&](auto row, std::size_t i) {
    const auto label = std::min(static_cast<std::size_t>(view.label()[i]), log.classes - 1);
    const auto [top, confidence] = predicted(row, view.kind());
    ++log.looked_at;
    log.right += top == label;
    log.confidence += confidence;
    ++log.predicted_count[top];
    ++log.label_count[label];
    if (log.logits && log.all_sum_to_one) log.all_sum_to_one = sums_to_one(row);
    return true;
  });
}

void look_at(const BinaryView& view, ReadLog& log) {
  log.hits_only = true;
  for_some_rows(view.score(), 1, step_of(view.size(), 1), [&](auto row, std::size_t i) {
    ++log.looked_at;
    log.right += view.label()[i] == 1;
    log.confidence += static_cast<double>(row[0]);
    return true;
  });
}

void explain(Error& error, const Matrix& m, Kind kind, std::span<const std::int32_t> labels) {
  if (error.place.array == "values" && kind != Kind::logits && error.value.empty() && error.place.row)
    error.remedy += "; rows that only want rescaling: `renormalize`";
  if (error.place.array == "values" && kind != Kind::logits && !error.value.empty() && are_percentages(m))
    error.remedy = "these look like percentages: divide them by 100 with `percent`";
  if (error.place.array == "values" && kind != Kind::logits && !error.value.empty() && are_logarithms(m))
    error.remedy = "these look like logarithms of probabilities: declare them as `log_probs`";
  if (error.place.array != "labels" || labels.empty()) return;
  const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
  if (*low >= 1 && *high == static_cast<std::int32_t>(m.k == 1 ? 2 : m.k))
    error.remedy = "labels that count from 1 are read with `first_label` 1";
}

}  // namespace tare::inner::read
