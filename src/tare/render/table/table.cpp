#include "tare/render/table/table.hpp"

#include <fmt/format.h>

#include "tare/render/csv/csv.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {
namespace {

std::string csv_cell(const Value& value) {
  const Value::Any& any = value.any();
  if (const auto* yes = std::get_if<bool>(&any)) return *yes ? "true" : "false";
  if (const auto* x = std::get_if<double>(&any)) return csv_number(*x);
  if (const auto* n = std::get_if<std::int64_t>(&any)) return std::to_string(*n);
  const auto* words = std::get_if<std::string>(&any);
  return words ? *words : "";
}

Json json_cell(const Value& value) {
  return std::visit(
      [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x)>;
        if constexpr (std::same_as<T, std::monostate> || std::same_as<T, Absent>)
          return Json();
        else
          return Json(x);
      },
      value.any());
}

// In the unit that people see.
double in_unit(Unit unit, double x) { return unit == Unit::percent || unit == Unit::points ? 100 * x : x; }

std::string number_words(Unit unit, double x, int digits) {
  if (unit == Unit::percent) return percent(x, digits);
  if (unit == Unit::points) return signed_percent(x, digits);
  return unit == Unit::plain ? visible(x, digits) : grouped(x);
}

std::string value_words(const Column& column, const Value& value, const Heading& heading) {
  if (const auto* words = std::get_if<std::string>(&value.any())) return *words;
  const auto number = value.number();
  return number ? number_words(column.unit, *number, heading.digits) : "";
}

// The words of a cell, and the numbers behind them.
Shown shown_cell(const Column& column, std::size_t row, const Heading& heading) {
  if (!column.shown.empty()) return column.shown[row];
  Shown out{.text = value_words(column, column.values[row], heading), .ink = column.ink};
  if (out.text.empty()) return out;
  if (const auto low = column.values[row].number()) out.numbers.push_back(in_unit(column.unit, *low));
  if (!column.upper.empty()) {
    const auto high = column.upper[row].number();
    if (!high) return {};
    out.numbers.push_back(in_unit(column.unit, *high));
    out.text += std::string(heading.between) + number_words(column.unit, *high, heading.digits);
  }
  out.text += heading.sign;
  return out;
}

Json json_row(const ColumnTable& table, std::size_t row) {
  Json out = Json::object();
  for (const Column& c : table.columns)
    if (!c.name.empty() && c.json && !std::holds_alternative<Absent>(c.values[row].any()))
      out.set(c.name, json_cell(c.values[row]));
  return out;
}

Cell text_cell(const Column& column, std::size_t row) {
  const Shown cell = shown_cell(column, row, *column.text);
  return {column.shown.empty() ? printable(cell.text) : cell.text, cell.ink};
}

}  // namespace

std::optional<double> Value::number() const {
  if (const auto* x = std::get_if<double>(&any_)) return *x;
  if (const auto* n = std::get_if<std::int64_t>(&any_)) return static_cast<double>(*n);
  return {};
}

std::string csv(const ColumnTable& table) {
  std::vector<std::string> head;
  std::vector<const Column*> columns;
  for (const Column& c : table.columns)
    if (!c.name.empty() && c.csv) {
      head.push_back(c.name);
      columns.push_back(&c);
    }
  std::string out = csv_line(head);
  for (std::size_t i = 0; i < table.rows; ++i) {
    std::vector<std::string> cells;
    for (const Column* c : columns) cells.push_back(csv_cell(c->values[i]));
    out += csv_line(cells);
  }
  return out;
}

Json json_rows(const ColumnTable& table) {
  Json out = Json::array();
  for (std::size_t i = 0; i < table.rows; ++i) out.push_back(json_row(table, i));
  return out;
}

std::string json_lines(const ColumnTable& table) {
  std::string out = "[";
  for (std::size_t i = 0; i < table.rows; ++i) out += (i == 0 ? "\n" : ",\n") + json_row(table, i).text();
  return out + "\n]";
}

Table text_table(const ColumnTable& table) {
  std::vector<Table::Column> titles;
  for (const Column& c : table.columns)
    if (c.text) titles.push_back({c.text->title, c.unit != Unit::words, c.text->spare});
  Table out(titles);
  for (std::size_t i = 0; i < table.rows; ++i) {
    std::vector<Cell> cells;
    for (const Column& c : table.columns)
      if (c.text) cells.push_back(text_cell(c, i));
    out.add(std::move(cells));
  }
  return out;
}

HtmlTable page_table(const std::string& id, const std::string& caption, const ColumnTable& table,
                     const std::function<bool(std::size_t)>& best) {
  std::vector<HtmlTable::Column> titles;
  for (const Column& c : table.columns)
    if (c.page) titles.push_back({c.page->title, c.unit != Unit::words, c.page->parts});
  HtmlTable out(id, caption, titles);
  for (std::size_t i = 0; i < table.rows; ++i) {
    std::vector<HtmlCell> cells;
    for (const Column& c : table.columns) {
      if (!c.page) continue;
      Shown cell = shown_cell(c, i, *c.page);
      cells.emplace_back(cell.html.empty() ? xml(cell.text) : std::move(cell.html), std::move(cell.numbers));
    }
    out.add(std::move(cells), best && best(i) ? "best" : "");
  }
  return out;
}

std::string page_csv(const ColumnTable& table) {
  std::vector<const Column*> columns;
  std::string out;
  for (const Column& c : table.columns) {
    if (!c.page) continue;
    columns.push_back(&c);
    const auto& heads = c.page->parts.empty() ? std::vector{c.page->title} : c.page->parts;
    for (const std::string& head : heads) out += (out.empty() ? "" : ",") + head;
  }
  out += "\n";
  for (std::size_t i = 0; i < table.rows; ++i) {
    std::string line;
    for (const Column* c : columns)
      for (const auto* ends : {&c->values, &c->upper}) {
        if (ends->empty()) continue;
        const auto number = (*ends)[i].number();
        line += (line.empty() ? "" : ",") +
                (number ? fmt::format("{:.8g}", in_unit(c->unit, *number)) : csv_cell((*ends)[i]));
      }
    out += line + "\n";
  }
  return out;
}

}  // namespace tare::detail::render
