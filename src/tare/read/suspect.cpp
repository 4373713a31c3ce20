#include "tare/read/suspect.hpp"

#include <algorithm>
#include <cmath>

#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

// One row in every so many is looked at, of many classes fewer.
std::size_t step_of(std::size_t rows, std::size_t k) {
  constexpr std::size_t most_rows = 20000, least_rows = 1000, most_numbers = std::size_t{1} << 21;
  return std::max<std::size_t>(1, rows / std::clamp(most_numbers / k, least_rows, most_rows));
}

std::string percent(double share) { return shown(std::round(share * 1000) / 10) + "%"; }

double row_sum(const Reals& values, std::size_t row, std::size_t k) {
  double sum = 0;
  for (std::size_t j = 0; j < k; ++j) sum += values[row * k + j];
  return sum;
}

bool is_right(const MulticlassView& view, std::size_t i) {
  const std::size_t k = view.columns();
  const auto label = static_cast<std::size_t>(view.label()[i]);
  if (k == 1) return (view.values()[i] > (view.kind() == Kind::logits ? 0 : 0.5)) == (label == 1);
  std::size_t top = 0;
  for (std::size_t j = 1; j < k; ++j)
    if (view.values()[i * k + j] > view.values()[i * k + top]) top = j;
  return top == label;
}

// Four standard errors below one in K: 1 of 30,000 models that only guess is.
std::string below_chance(const MulticlassView& view, std::size_t step) {
  const auto k = static_cast<double>(view.classes());
  double right = 0, rows = 0;
  for (std::size_t i = 0; i < view.size(); i += step, ++rows) right += is_right(view, i);
  const double chance = 1 / k, spread = std::sqrt(chance * (1 - chance) / rows);
  if (right / rows >= chance - 4 * spread) return {};
  return "the predicted class is right in " + percent(right / rows) + " of the rows, less often than by chance (" +
         percent(chance) + "): " +
         (view.columns() == 1 ? "is the number about class 1, and not about class 0?"
                              : "are the columns in the order of the labels, and do labels count from 0? Where they "
                                "count from 1: `first_label` 1");
}

std::string probabilities_as_logits(const MulticlassView& view, std::size_t step) {
  const std::size_t k = view.columns();
  if (view.kind() != Kind::logits || (k == 1 && view.size() < 20)) return {};
  for (std::size_t i = 0; i < view.size(); i += step) {
    for (std::size_t j = 0; j < k; ++j)
      if (const double x = view.values()[i * k + j]; !(x >= 0 && x <= 1)) return {};
    if (k > 1 && std::abs(row_sum(view.values(), i, k) - 1) > row_sum_tolerance_float16) return {};
  }
  return k == 1 ? "every log-odds is between 0 and 1: if these are probabilities, declare them as `probs`"
                : "every row of logits is between 0 and 1 and sums to 1: if these are probabilities, declare them as "
                  "`probs`";
}

bool are_percentages(const Matrix& m) {
  const std::size_t step = step_of(m.n, m.k);
  double largest = 0;
  for (std::size_t i = 0; i < m.n; i += step) {
    for (std::size_t j = 0; j < m.k; ++j) {
      const double x = m.values[i * m.k + j];
      if (!(x >= 0 && x <= 100)) return false;
      largest = std::max(largest, x);
    }
    if (m.k > 1 && std::abs(row_sum(m.values, i, m.k) - 100) > 2) return false;
  }
  return m.k > 1 || largest > 20;
}

}  // namespace

std::vector<std::string> suspicions(const MulticlassView& view) {
  const std::size_t step = step_of(view.size(), view.columns());
  std::vector<std::string> out;
  for (std::string& sentence : std::vector{below_chance(view, step), probabilities_as_logits(view, step)})
    if (!sentence.empty()) out.push_back(std::move(sentence));
  return out;
}

void explain(Error& error, const Matrix& m, Kind kind, std::span<const std::int32_t> labels) {
  if (error.place.array == "values" && kind != Kind::logits && error.value.empty() && error.place.row)
    error.remedy += "; rows that only want rescaling: `renormalize`";
  if (error.place.array == "values" && kind != Kind::logits && !error.value.empty() && are_percentages(m))
    error.remedy = "these look like percentages: divide them by 100 with `percent`";
  if (error.place.array != "labels" || labels.empty()) return;
  const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
  if (*low >= 1 && *high == static_cast<std::int32_t>(m.k == 1 ? 2 : m.k))
    error.remedy = "labels that count from 1 are read with `first_label` 1";
}

}  // namespace tare::inner::read
