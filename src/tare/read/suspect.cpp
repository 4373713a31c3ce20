#include "tare/read/suspect.hpp"

#include <algorithm>
#include <cmath>

#include "tare/read/repair.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

// One row in every so many is looked at, of many classes fewer.
std::size_t step_of(std::size_t rows, std::size_t k) {
  constexpr std::size_t most_rows = 20000, least_rows = 1000, most_numbers = std::size_t{1} << 21;
  return std::max<std::size_t>(1, rows / std::clamp(most_numbers / k, least_rows, most_rows));
}

std::string percent(double share) { return shown(std::round(share * 1000) / 10) + "%"; }

template <class T>
bool is_right(std::span<const T> row, std::size_t label, Kind kind) {
  if (row.size() == 1) return (row[0] > (kind == Kind::logits ? T{0} : T{0.5})) == (label == 1);
  const T own = row[label];  // the first of the largest, found without branches
  int ahead = 0;
  for (std::size_t j = 0; j < label; ++j) ahead |= row[j] >= own;
  for (std::size_t j = label + 1; j < row.size(); ++j) ahead |= row[j] > own;
  return ahead == 0;
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

// Four standard errors below one in K: 1 of 30,000 models that only guess is.
std::string below_chance(const MulticlassView& view, std::size_t step) {
  const auto k = static_cast<double>(view.classes());
  double right = 0, rows = 0;
  for_some_rows(view.values(), view.columns(), step, [&](auto row, std::size_t i) {
    ++rows;
    right += is_right(row, static_cast<std::size_t>(view.label()[i]), view.kind());
    return true;
  });
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
  const bool all = for_some_rows(view.values(), k, step, [](auto row, std::size_t) {
    return std::all_of(row.begin(), row.end(), [](auto x) { return x >= 0 && x <= 1; }) &&
           (row.size() == 1 || std::abs(row_sum(row) - 1) <= row_sum_tolerance_float16);
  });
  if (!all) return {};
  return k == 1 ? "every log-odds is between 0 and 1: if these are probabilities, declare them as `probs`"
                : "every row of logits is between 0 and 1 and sums to 1: if these are probabilities, declare them as "
                  "`probs`";
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
