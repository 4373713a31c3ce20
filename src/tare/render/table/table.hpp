// The table of a result, described once: columns with a name for programs, a unit, headings for people, and a value for
// each row. CSV, JSON, the terminal and the page walk it.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/models.hpp"
#include "tare/core/report.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/test_report.hpp"
#include "tare/core/watch.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/json/json_text.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {

struct Absent {};  // the row has no such key in JSON

// What a cell holds. Nothing is an empty cell, and null.
class Value {
 public:
  using Any = std::variant<std::monostate, bool, std::int64_t, double, std::string, Json, Absent>;
  // NOLINTBEGIN(google-explicit-constructor): numbers and words are values
  Value() = default;
  Value(bool x) : any_(x) {}
  Value(double x) : any_(x) {}
  template <std::integral T>
  Value(T x) : any_(static_cast<std::int64_t>(x)) {}
  Value(std::string words) : any_(std::move(words)) {}
  Value(std::string_view words) : any_(std::string(words)) {}
  Value(const char* words) : any_(std::string(words)) {}
  Value(Json json) : any_(std::move(json)) {}  // only for JSON
  Value(Absent none) : any_(none) {}
  template <class T>
  Value(const std::optional<T>& x) {
    if (x) *this = Value(*x);
  }
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] const Any& any() const { return any_; }
  [[nodiscard]] std::optional<double> number() const;

 private:
  Any any_;
};
inline Value words_or_nothing(std::string_view words) { return words.empty() ? Value() : Value(words); }

enum class Unit { words, count, percent, points, plain };  // percent and points: of fractions

// A column where people read it.
struct Heading {
  std::string title = {};
  int digits = 2;
  std::string_view sign = {};           // behind the number
  bool spare = false;                   // left out of a narrow terminal
  std::vector<std::string> parts = {};  // on the page, of a range: the headings of both ends in its CSV
  std::string_view between = {};        // the ends of a range
};

// A cell whose words are not just its number.
struct Shown {
  std::string text = {};
  Ink ink = Ink::plain;
  std::string html = {};  // empty: the text
  std::vector<double> numbers = {};
};

struct Column {
  std::string name = {};  // in CSV and JSON; empty: only for people
  Unit unit = Unit::words;
  bool csv = true, json = true;
  std::optional<Heading> text = {}, page = {};  // in the terminal and on the page; none: not there
  Ink ink = Ink::plain;
  std::vector<Value> values = {};
  std::vector<Value> upper = {};  // of a range, the other ends; only for people
  std::vector<Shown> shown = {};  // instead of the values; only for people
};

struct ColumnTable {
  std::vector<Column> columns = {};
  std::size_t rows = 0;
};

// Pointers to all of them.
template <class Row>
std::vector<const Row*> all_rows(const std::vector<Row>& rows) {
  std::vector<const Row*> out;
  for (const Row& row : rows) out.push_back(&row);
  return out;
}

enum class Reader { csv, json, terminal, page };

// Describes the columns of a table one by one, in the order of all readers:
//   columns.add("gap", &Line::gap).points().text("gap", 1).page("gap")
// A value is a member or a function of the row. What a reader does not see is not made.
template <class Rows>
class Columns {
 public:
  explicit Columns(const Rows& rows, std::optional<Reader> reader = {}) : rows_(&rows), reader_(reader) {
    table_.rows = rows.size();
  }

  class Added {
   public:
    Added(const Columns& of, Column& column) : of_(&of), column_(&column) {}
    Added& unit(Unit unit) { return set(&Column::unit, unit); }
    Added& count() { return unit(Unit::count); }
    Added& percent() { return unit(Unit::percent); }
    Added& points() { return unit(Unit::points); }
    Added& plain() { return unit(Unit::plain); }
    Added& ink(Ink ink) { return set(&Column::ink, ink); }
    Added& text(std::string title, int digits = 2, std::string_view sign = {}, std::string_view between = "–") {
      return set(&Column::text, Heading{.title = std::move(title), .digits = digits, .sign = sign, .between = between});
    }
    Added& spare() {  // in a narrow terminal
      column_->text->spare = true;
      return *this;
    }
    Added& page(std::string title, std::vector<std::string> parts = {}, std::string_view between = " – ") {
      return set(&Column::page, Heading{.title = std::move(title), .parts = std::move(parts), .between = between});
    }
    template <class F>
    Added& shown(F&& of) {
      if (!of_->reader_ || *of_->reader_ >= Reader::terminal) column_->shown = of_->template each<Shown>(of);
      return *this;
    }

   private:
    template <class Member, class T>
    Added& set(Member Column::*member, T value) {
      column_->*member = std::move(value);
      return *this;
    }
    const Columns* of_;
    Column* column_;
  };

  template <class F>
  Added add(std::string name, F&& value) {
    return push({.name = std::move(name), .values = each<Value>(value)});
  }
  template <class F>
  Added csv(std::string name, F&& value) {  // not in JSON
    return push({.name = std::move(name), .json = false, .values = each<Value>(value)});
  }
  template <class F>
  Added json(std::string name, F&& value) {  // not in CSV
    const bool made = !reader_ || *reader_ == Reader::json;
    return push({.name = std::move(name), .csv = false, .values = made ? each<Value>(value) : std::vector<Value>()});
  }
  // Only for people.
  template <class F>
  Added shown(F&& cell) {
    return push({}).shown(cell);
  }
  template <class F, class G>
  Added range(F&& low, G&& high) {
    return push({.values = each<Value>(low), .upper = each<Value>(high)});
  }

  ColumnTable take() { return std::move(table_); }

 private:
  Added push(Column column) { return Added(*this, table_.columns.emplace_back(std::move(column))); }
  template <class T, class F>
  std::vector<T> each(F& of) const {
    std::vector<T> out;
    out.reserve(rows_->size());
    for (const auto& row : *rows_) out.emplace_back(std::invoke(of, row));
    return out;
  }
  const Rows* rows_;
  std::optional<Reader> reader_;
  ColumnTable table_;
};

std::string csv(const ColumnTable& table);
Json json_rows(const ColumnTable& table);
std::string json_lines(const ColumnTable& table);  // "[", a row on each line, "]"
Table text_table(const ColumnTable& table);
// `best`: which row stands out.
HtmlTable page_table(const std::string& id, const std::string& caption, const ColumnTable& table,
                     const std::function<bool(std::size_t)>& best = {});
// The columns of the page with all rows, in the units shown there.
std::string page_csv(const ColumnTable& table);

// Every estimator. bias: what simulation says about the same data; null: nothing.
ColumnTable estimates_table(const std::vector<const Measured*>& rows, Reader reader,
                            const std::vector<std::string>& class_names = {}, const BiasReport* bias = nullptr);

// Classes against the rest, in this order, of at least one; `classes` holds all that was measured of them. title: of
// the column of their names in the terminal.
ColumnTable classes_table(const Survey& classes, const std::vector<const Measured*>& rows,
                          std::string_view title = "class");
std::optional<double> class_size(const Survey& classes, const Measured& m);  // how many rows have it as their label

// width: of the terminal, which has no room for all columns.
ColumnTable groups_table(const GroupReport& report, const std::vector<const GroupLine*>& rows, Reader reader,
                         int width = 1000);
std::string group_mark(const GroupReport& report, const GroupLine& line);  // "!", "!!" or nothing
// For the terminal, at most so many columns wide.
std::string short_group_name(const GroupReport& report, const GroupLine& line, std::size_t most);

// Every calibrator. all: in the terminal every estimator, not only what people quote.
ColumnTable methods_table(const Comparison& comparison, Reader reader, bool all = true);
// What differs from the method `against`, by these criteria.
ColumnTable changes_table(const std::vector<const MethodResult*>& rows, const std::string& against,
                          std::span<const CriterionInfo> by);

ColumnTable tests_table(const TestReport& report, Reader reader);
ColumnTable simulation_table(const SimTable& table, Reader reader);  // one row for each estimator and size
ColumnTable corrections_table(const std::vector<Correction>& rows, Reader reader);  // the measured values, corrected
ColumnTable days_table(const WatchReport& report, const std::vector<const WatchDay*>& days, Reader reader);
ColumnTable models_table(const ModelTable& models, Reader reader);

}  // namespace tare::detail::render
