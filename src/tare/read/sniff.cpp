#include "tare/read/sniff.hpp"

#include <algorithm>
#include <cstring>

#include "tare/read/columns.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

constexpr std::size_t most_different = 12;

void look_at(Sniffed& column) {
  column.numbers = !column.cells.empty();
  column.in_unit = true;
  for (const std::string& cell : column.cells) {
    double value = 0;
    if (is_missing(cell)) continue;
    if (std::find(column.different.begin(), column.different.end(), cell) == column.different.end() &&
        column.different.size() < most_different)
      column.different.push_back(cell);
    if (parse_spelled(cell, ';', false, value) != Parsed::number) {
      column.numbers = false;
      break;
    }
    column.values.push_back(value);
    column.in_unit = column.in_unit && value >= 0 && value <= 1;
  }
  column.in_unit = column.in_unit && column.numbers;
}

// Texts of a column of words; numbers as the shortest text.
std::vector<std::string> cells_of(const Array& a, std::size_t rows) {
  std::vector<std::string> out;
  if (a.shape.size() != 1 || a.rows() == 0) return out;
  const std::size_t count = std::min(rows, a.rows());
  if (a.dtype == DType::word) {
    for (std::size_t i = 0; i < count; ++i) {
      std::int32_t code = 0;
      std::memcpy(&code, a.data + i * sizeof code, sizeof code);
      out.push_back(code < 0 ? std::string() : (*a.words)[static_cast<std::size_t>(code)]);
    }
    return out;
  }
  const auto m = to_matrix(a);
  for (std::size_t i = 0; m && i < count; ++i) out.push_back(shown(m->values[i]));
  return out;
}

}  // namespace

std::vector<Sniffed> sniffed(const Source& source, std::size_t rows) {
  constexpr std::size_t bytes_of_a_cell = 24, most_columns = 4096;
  std::vector<Sniffed> out(source.names().size());
  if (out.size() > most_columns) return out;
  std::vector<CsvGroup> groups;
  for (std::size_t i = 0; i < out.size(); ++i)
    groups.push_back(CsvGroup{.columns = {i}, .words = true, .may_miss = true});
  if (source.is_table()) {
    TablePlace at = source.begin();
    if (source.is_end(at)) return out;
    const auto arrays = source.read(groups, {}, at, rows == 1 ? 1 : rows * out.size() * bytes_of_a_cell);
    for (std::size_t i = 0; arrays && i < out.size(); ++i) out[i].cells = cells_of((*arrays)[i], rows);
  } else {
    for (std::size_t i = 0; i < out.size(); ++i)
      if (const auto array = source.read(std::span(groups).subspan(i, 1)))
        out[i].cells = cells_of(array->front(), rows);
  }
  for (Sniffed& column : out) look_at(column);
  return out;
}

Result<Match> columns_of_classes(const Source& table, std::size_t label_column) {
  const auto& names = table.names();
  const auto labels = table.read(std::vector{CsvGroup{.columns = {label_column}, .words = true, .may_miss = true}});
  if (!labels) return labels.error();
  if (!labels->front().words) return Match{};
  Match out;
  const std::vector<Sniffed> columns = sniffed(table, 1);
  for (std::size_t i = 0; i < names.size() && i < columns.size(); ++i)
    if (i != label_column && !is_index_column(names[i]) && columns[i].numbers) out.members.push_back(i);
  for (const std::string& word : *labels->front().words) {
    const auto at = std::find(names.begin(), names.end(), word);
    const auto place = static_cast<std::size_t>(at - names.begin());
    if (std::find(out.members.begin(), out.members.end(), place) == out.members.end()) return Match{};
  }
  if (out.members.size() < 2) return Match{};
  for (const std::size_t i : out.members) out.class_names.push_back(names[i]);
  out.spelled = typed(names, out.members);
  return out;
}

}  // namespace tare::detail::read
