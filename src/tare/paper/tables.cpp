// Tables of a data file: columns of the rows, a pivot, or sentences with numbers in them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "tare/paper/item.hpp"
#include "tare/paper/rule.hpp"

namespace tare::detail::paper {
namespace {

// "ece:2": a column and its decimals
struct Column {
  std::string name;
  int digits = -1;  // as it is
  std::string title;
};

Column column_of(const std::string& text) {
  // NAME:DIGITS=TITLE, the latter two optional
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string left = text.substr(0, equals);
  const std::size_t colon = std::min(left.find(':'), left.size());
  Column out{left.substr(0, colon), -1, equals < text.size() ? text.substr(equals + 1) : left.substr(0, colon)};
  if (colon < left.size()) std::from_chars(left.data() + colon + 1, left.data() + left.size(), out.digits);
  return out;
}

std::string shown(const Cell& cell, int digits) {
  const auto* x = std::get_if<double>(&cell);
  if (!x || digits < 0) return text_of(cell);
  const std::string out = fmt::format("{:.{}f}", *x, digits);
  return out.starts_with("-") && out.find_first_not_of("-0.") == std::string::npos ? out.substr(1) : out;
}

TextTable plain_table(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  TextTable out;
  std::vector<Column> columns;
  for (const std::string& text : s.texts("columns")) columns.push_back(column_of(text));
  for (const Column& c : columns) out.head.push_back(c.title);
  for (const std::size_t r : rows) {
    out.rows.emplace_back();
    for (const Column& c : columns) out.rows.back().push_back(shown(frame.at(r, c.name), c.digits));
  }
  return out;
}

// Values of one column by two others; a second value stands behind the first in parentheses.
TextTable pivot_table(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  TextTable out;
  std::vector<Column> keys;
  for (const std::string& text : s.texts("rows")) keys.push_back(column_of(text));
  const std::string across = s.text("across");
  const Column value = column_of(s.text("value")), beside = column_of(s.text("beside", ""));
  const auto heads = values_of(frame, across, rows);
  for (const Column& key : keys) out.head.push_back(key.title);
  for (const Cell& head : heads) out.head.push_back(text_of(head));
  std::map<std::vector<std::string>, std::size_t> place;
  for (const std::size_t r : rows) {
    std::vector<std::string> key;
    for (const Column& k : keys) key.push_back(text_of(frame.at(r, k.name)));
    const auto [at, fresh] = place.try_emplace(key, out.rows.size());
    if (fresh) {
      out.rows.push_back(key);
      out.rows.back().resize(key.size() + heads.size());
    }
    const auto column = std::ranges::find(heads, frame.at(r, across)) - heads.begin();
    if (column == static_cast<std::ptrdiff_t>(heads.size())) continue;
    std::string text = shown(frame.at(r, value.name), value.digits);
    const std::string second = beside.name.empty() ? "" : shown(frame.at(r, beside.name), beside.digits);
    if (!second.empty()) text += (text.empty() ? "(" : " (") + second + ")";
    out.rows[at->second][key.size() + static_cast<std::size_t>(column)] = text;
  }
  return out;
}

Result<TextTable> formula_table(const Frame& frame, const Settings& s) {
  TextTable out;
  out.head = s.texts("head");
  const Value* cells = s.value().find("cells");
  const auto* rows = cells ? std::get_if<std::vector<Value>>(&cells->is) : nullptr;
  for (std::size_t r = 0; rows && r < rows->size(); ++r) {
    out.rows.emplace_back();
    const auto* row = std::get_if<std::vector<Value>>(&(*rows)[r].is);
    for (std::size_t c = 0; row && c < row->size(); ++c) {
      const auto* text = std::get_if<std::string>(&(*row)[c].is);
      const auto words = filled(frame, text ? *text : "");
      if (!words) return words.error();
      out.rows.back().push_back(*words);
    }
  }
  return out;
}

}  // namespace

Result<std::vector<TextTable>> tables(const Frame& frame, const Item& item) {
  std::vector<TextTable> out;
  const Settings file(item.file, item.name);
  for (const Settings& s : file.list("tables")) {
    const auto where = Where::parse(s.text("where", ""));
    if (!where) return where.error();
    const auto rows = where->rows(frame);
    if (s.has("cells")) {
      auto table = formula_table(frame, s);
      if (!table) return table.error();
      out.push_back(*std::move(table));
    } else {
      out.push_back(s.has("across") ? pivot_table(frame, s, rows) : plain_table(frame, s, rows));
    }
    out.back().title = s.text("title", "");
  }
  if (!file.problem().empty()) return file.error();
  return out;
}

}  // namespace tare::detail::paper
