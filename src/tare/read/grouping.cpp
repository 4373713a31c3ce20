// The groups of a column.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "tare/read/assemble.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

constexpr const char* missing_group = "(missing)";
constexpr std::size_t most_groups_of_numbers =
    100;  // so many different ones that are not whole are measurements, not groups

// The number that each word is; empty where one of them is none.
std::vector<double> numbers_of(const std::vector<std::string>& words) {
  std::vector<double> out;
  for (const std::string& word : words) {
    double value = 0;
    const bool missing = is_missing(word);
    if (!missing && (parse_spelled(word, ',', false, value) != Parsed::number || !std::isfinite(value))) return {};
    out.push_back(missing ? std::numeric_limits<double>::quiet_NaN() : value);
  }
  return out;
}

// Texts stay as they are written: 01234 is not 1234. Where all are numbers these decide their order.
Grouping of_words(const Array& column, const std::string& name) {
  const std::vector<std::string>& words = *column.words;
  const std::vector<double> value = numbers_of(words);
  std::vector<std::uint32_t> order(words.size()), place(words.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    if (!value.empty() && value[a] != value[b] && !std::isnan(value[a]) && !std::isnan(value[b]))
      return value[a] < value[b];
    return words[a] < words[b];
  });
  Grouping out{.column = name};
  for (const std::uint32_t w : order) {
    place[w] = static_cast<std::uint32_t>(out.names.size());
    out.names.push_back(words[w].empty() ? missing_group : words[w]);
  }
  const auto last = static_cast<std::uint32_t>(out.names.size());
  out.of_row.resize(column.rows());
  bool any_missing = false;
  for (std::size_t i = 0; i < out.of_row.size(); ++i) {
    const std::int32_t code = column.code(i);
    const bool none = code < 0 || static_cast<std::size_t>(code) >= place.size();
    any_missing = any_missing || none;
    out.of_row[i] = none ? last : place[static_cast<std::size_t>(code)];
  }
  if (any_missing) out.names.emplace_back(missing_group);
  return out;
}

struct Counted {
  double value = 0;
  std::size_t rows = 0;
};

// Ascending; NaN, which stands for no value, is left out.
std::vector<Counted> different(const Reals& values) {
  std::unordered_map<double, std::size_t> count;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const double x = values[i]; !std::isnan(x)) ++count[x == 0 ? 0 : x];  // -0 is 0
  std::vector<Counted> out;
  for (const auto& [value, rows] : count) out.push_back({value, rows});
  std::sort(out.begin(), out.end(), [](const Counted& a, const Counted& b) { return a.value < b.value; });
  return out;
}

// Where each range begins among the different values; ranges of about the same number of rows, equal values together.
std::vector<std::size_t> range_starts(const std::vector<Counted>& values, std::size_t bins) {
  std::size_t all = 0, before = 0;
  for (const Counted& c : values) all += c.rows;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // the middle row of the value decides
    const std::size_t bin = (2 * before + values[i].rows) * bins / (2 * all);
    if (out.empty() || bin > (2 * (before - values[i - 1].rows) + values[i - 1].rows) * bins / (2 * all))
      out.push_back(i);
    before += values[i].rows;
  }
  return out;
}

// A column of texts that are these numbers.
std::vector<double> values_of(const Array& column, const std::vector<double>& number) {
  std::vector<double> out(column.rows(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int32_t code = column.code(i);
    if (code >= 0) out[i] = number[static_cast<std::size_t>(code)];
  }
  return out;
}

// Too many to be groups, unless they are whole.
Result<void> check_groups(const std::vector<double>& found, const Array& column, const std::string& name) {
  const bool whole = std::all_of(found.begin(), found.end(), [](double x) { return x == std::floor(x); });
  if (whole || found.size() <= most_groups_of_numbers) return {};
  return bad_file(column.name, read::quoted(name) + " holds " + std::to_string(found.size()) + " different numbers",
                  "pass `group-bins` 5 for five ranges with as many rows each");
}

Grouping of_numbers(const Reals& values, const std::vector<Counted>& found, int bins, const std::string& name) {
  std::vector<std::size_t> starts(found.size());
  std::iota(starts.begin(), starts.end(), std::size_t{0});
  if (bins > 0) starts = range_starts(found, static_cast<std::size_t>(bins));
  Grouping out{.column = name};
  std::unordered_map<double, std::uint32_t> group_of;
  for (std::size_t g = 0; g < starts.size(); ++g) {
    const std::size_t end = g + 1 < starts.size() ? starts[g + 1] : found.size();
    for (std::size_t i = starts[g]; i < end; ++i) group_of[found[i].value] = static_cast<std::uint32_t>(g);
    const double low = found[starts[g]].value, high = found[end - 1].value;
    out.names.push_back(low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high));
  }
  const auto last = static_cast<std::uint32_t>(out.names.size());
  out.of_row.resize(values.size());
  bool any_missing = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool none = std::isnan(values[i]);
    any_missing = any_missing || none;
    out.of_row[i] = none ? last : group_of[values[i]];
  }
  if (any_missing) out.names.emplace_back(missing_group);
  return out;
}

}  // namespace

Result<Grouping> grouping(const Array& column, std::size_t rows, int bins) {
  const std::string& name = column.columns.empty() ? column.name : column.columns.front();
  if (column.shape.size() != 1 || column.rows() != rows)
    return bad_file(
        column.name,
        "has shape " + column.shape_text() + ", not one group for each of " + std::to_string(rows) + " rows",
        "`group` names one column with a value for each prediction");
  if (column.dtype == DType::word) {
    const std::vector<double> numbers = numbers_of(*column.words);
    if (bins == 0)
      if (const auto fine = check_groups(numbers, column, name); !fine) return fine.error();
    if (bins == 0 || numbers.empty()) return of_words(column, name);  // words have no ranges
    const std::vector<double> values = values_of(column, numbers);
    const Reals all{std::span<const double>(values)};
    return of_numbers(all, different(all), bins, name);
  }
  const auto matrix = to_matrix(column);
  if (!matrix) return matrix.error();
  const auto found = different(matrix->values);
  std::vector<double> each;
  for (const Counted& c : found) each.push_back(c.value);
  if (bins == 0)
    if (const auto fine = check_groups(each, column, name); !fine) return fine.error();
  return of_numbers(matrix->values, found, bins, name);
}

}  // namespace tare::detail::read
