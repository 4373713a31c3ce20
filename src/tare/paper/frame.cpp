#include "tare/paper/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tare::detail::paper {
namespace {

bool to_number(std::string_view word, double& out) {
  const auto [rest, code] = std::from_chars(word.data(), word.data() + word.size(), out);
  return code == std::errc{} && rest == word.data() + word.size() && std::isfinite(out);
}

// RFC 4180
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// The cells of the next line, which is removed from the text.
std::vector<std::string> next_line(std::string_view& text) {
  std::vector<std::string> out(1);
  bool inside = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      out.back() += '"';
      ++i;
    } else if (c == '"') {
      inside = !inside;
    } else if (c == ',' && !inside) {
      out.emplace_back();
    } else if (c == '\n' && !inside) {
      ++i;
      break;
    } else if (c != '\r' || inside) {
      out.back() += c;
    }
  }
  text.remove_prefix(i);
  return out;
}

}  // namespace

Cells cells_of(const Settings& object, std::span<const std::string_view> but) {
  Cells out;
  if (const auto* members = std::get_if<std::vector<Member>>(&object.value().is))
    for (const Member& m : *members) {
      if (std::ranges::find(but, m.key) != but.end()) continue;
      if (const auto* x = std::get_if<double>(&m.value.is)) out.emplace_back(m.key, *x);
      if (const auto* text = std::get_if<std::string>(&m.value.is)) out.emplace_back(m.key, *text);
    }
  return out;
}

Cells joined(Cells a, const Cells& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string text_of(const Cell& cell) {
  if (const auto* x = std::get_if<double>(&cell)) return fmt::format("{}", *x + 0.0);
  if (const auto* s = std::get_if<std::string>(&cell)) return *s;
  return {};
}

std::size_t Frame::column(std::string_view name) const {
  const auto at = std::ranges::find(columns_, name);
  return at == columns_.end() ? none : static_cast<std::size_t>(at - columns_.begin());
}

void Frame::add(const Cells& cells) {
  rows_.emplace_back();
  for (const auto& [name, cell] : cells) set(rows_.size() - 1, name, cell);
}

void Frame::set(std::size_t row, const std::string& name, Cell cell) {
  std::size_t c = column(name);
  if (c == none) {
    c = columns_.size();
    columns_.push_back(name);
  }
  auto& cells = rows_[row];
  if (cells.size() <= c) cells.resize(c + 1);
  cells[c] = std::move(cell);
}

const Cell& Frame::at(std::size_t row, std::string_view name) const {
  static const Cell empty;
  const std::size_t c = column(name);
  return c == none || c >= rows_[row].size() ? empty : rows_[row][c];
}

const double* Frame::number(std::size_t row, std::string_view name) const {
  return std::get_if<double>(&at(row, name));
}

std::string Frame::to_csv() const {
  std::string out;
  for (std::size_t c = 0; c < columns_.size(); ++c) out += (c == 0 ? "" : ",") + quoted(columns_[c]);
  out += '\n';
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) out += ',';
      if (c < row.size()) out += quoted(text_of(row[c]));
    }
    out += '\n';
  }
  return out;
}

Result<Frame> Frame::from_csv(std::string_view text, const std::string& source) {
  Frame out;
  if (text.empty()) return Error{Errc::bad_input, foreign(source) + " is empty"};
  out.columns_ = next_line(text);
  while (!text.empty()) {
    const auto cells = next_line(text);
    if (cells.size() != out.columns_.size())
      return Error{Errc::bad_input, fmt::format("{}: row {} has {} cells, not {}", foreign(source), out.size() + 1,
                                                cells.size(), out.columns_.size())};
    std::vector<Cell> row;
    for (const std::string& cell : cells) {
      double x = 0;
      row.push_back(cell.empty() ? Cell() : to_number(cell, x) ? Cell(x) : Cell(cell));
    }
    out.rows_.push_back(std::move(row));
  }
  return out;
}

Result<Where> Where::parse(std::string_view text) {
  Where out;
  while (!trimmed(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    const Error no_condition{.code = Errc::bad_input,
                             .what = fmt::format("'{}' is no condition", foreign(word)),
                             .remedy = "write column=value, column!=value, or column<number"};
    const std::size_t at = word.find_first_of("=!<>");
    if (at == std::string_view::npos || at == 0) return no_condition;
    const std::size_t end = word.find_first_not_of("=!<>", at);
    Condition c{.column = std::string(trimmed(word.substr(0, at))),
                .sign = std::string(word.substr(at, std::min(end, word.size()) - at)),
                .words = {}};
    std::string_view value = end == std::string_view::npos ? std::string_view() : trimmed(word.substr(end));
    if (c.sign == "=" || c.sign == "!=") {
      while (true) {
        const std::size_t bar = std::min(value.find('|'), value.size());
        c.words.emplace_back(trimmed(value.substr(0, bar)));
        if (bar == value.size()) break;
        value.remove_prefix(bar + 1);
      }
    } else if ((c.sign != "<" && c.sign != "<=" && c.sign != ">" && c.sign != ">=") || !to_number(value, c.number)) {
      return no_condition;
    }
    out.all_.push_back(std::move(c));
  }
  return out;
}

void Where::also(const std::string& column, const Cell& equals) {
  all_.push_back({.column = column, .sign = "=", .words = {text_of(equals)}});
}

bool Where::holds(const Frame& frame, std::size_t row) const {
  return std::ranges::all_of(all_, [&](const Condition& c) {
    const Cell& cell = frame.at(row, c.column);
    const auto* x = std::get_if<double>(&cell);
    // 0.00001 and 1e-05 are the same number
    const auto equals = [&](const std::string& word) {
      double y = 0;
      return x && to_number(word, y) ? *x == y : word == text_of(cell);
    };
    if (!c.words.empty()) return std::ranges::any_of(c.words, equals) == (c.sign == "=");
    if (!x) return false;
    return c.sign == "<"    ? *x < c.number
           : c.sign == "<=" ? *x <= c.number
           : c.sign == ">"  ? *x > c.number
                            : *x >= c.number;
  });
}

std::vector<std::size_t> Where::rows(const Frame& frame) const {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < frame.size(); ++r)
    if (holds(frame, r)) out.push_back(r);
  return out;
}

std::vector<Cell> values_of(const Frame& frame, std::string_view column, const std::vector<std::size_t>& rows) {
  std::vector<Cell> out;
  for (const std::size_t r : rows) {
    const Cell& cell = frame.at(r, column);
    if (!std::holds_alternative<std::monostate>(cell) && std::ranges::find(out, cell) == out.end()) out.push_back(cell);
  }
  return out;
}

}  // namespace tare::detail::paper
