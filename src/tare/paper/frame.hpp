// The numbers of a study: rows with named cells. Everything shown is taken from it: charts, tables and claims are
// questions to it, and it is what is saved, as CSV.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/paper/value.hpp"

namespace tare::detail::paper {

using Cell = std::variant<std::monostate, double, std::string>;

using Cells = std::vector<std::pair<std::string, Cell>>;

// The numbers and texts among the members of an object, but for these keys.
Cells cells_of(const Settings& object, std::span<const std::string_view> but = {});
Cells joined(Cells a, const Cells& b);

// Text of a cell: numbers to the last digit, nothing for an empty one.
std::string text_of(const Cell& cell);

class Frame {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void add(const Cells& cells);  // a row; new names become columns
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::size_t column(std::string_view name) const;               // none if there is none
  [[nodiscard]] const Cell& at(std::size_t row, std::string_view name) const;  // empty where there is none
  [[nodiscard]] const double* number(std::size_t row, std::string_view name) const;
  void set(std::size_t row, const std::string& name, Cell cell);

  [[nodiscard]] std::string to_csv() const;
  static Result<Frame> from_csv(std::string_view text, const std::string& source);

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;  // may be shorter than columns_
};

// Which rows: "estimator=sweep_em|debias_em, n<=1000, model!=lenet5". All must hold; an empty text takes every row.
// Equality is of the text of a cell, order of its number.
class Where {
 public:
  Where() = default;
  static Result<Where> parse(std::string_view text);
  void also(const std::string& column, const Cell& equals);
  [[nodiscard]] bool holds(const Frame& frame, std::size_t row) const;
  [[nodiscard]] std::vector<std::size_t> rows(const Frame& frame) const;

 private:
  struct Condition {
    std::string column;
    std::string sign;
    std::vector<std::string> words;
    double number = 0;
  };
  std::vector<Condition> all_;
};

// The different values of a column in the rows, in order of appearance.
std::vector<Cell> values_of(const Frame& frame, std::string_view column, const std::vector<std::size_t>& rows);

}  // namespace tare::detail::paper
