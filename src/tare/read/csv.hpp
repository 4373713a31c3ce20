// Tables in text: .csv, .tsv, and whatever else separates by comma, tab, semicolon, bar or blanks.
// The first line names the columns; RFC 4180 quotes; \n, \r\n or \r; a UTF-8 byte order mark.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"
#include "tare/read/table.hpp"

namespace tare::detail::read {

class Csv {
 public:
  // `bytes` stay where they are, kept alive by `owner`; only the header is read. R writes the names of rows in a first
  // column without a name: that one is named "".
  static Result<Csv> open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner = {}, const TableRules& rules = {});

  // For what comes piece by piece (see HeadCheck): is the first line the names of columns?
  static Result<bool> check_head(std::span<const std::byte> head, bool all, const std::string& name,
                                 const TableRules& rules = {});

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] char delimiter() const { return delimiter_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end_ - body_); }  // without the header

  [[nodiscard]] TablePlace begin() const { return {body_, body_line_}; }
  [[nodiscard]] bool is_end(const TablePlace& place) const;  // no row follows

  // One array per group, in one pass. No column may be in two groups. The second reads rows from `at` on, of about so
  // many bytes and at least one, and moves `at` behind them.
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules = {}) const;
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules,
                                                TablePlace& at, std::size_t bytes) const;

 private:
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::vector<std::string> names_;
  char delimiter_ = ',';
  const char* body_ = nullptr;  // the first byte after the header
  const char* end_ = nullptr;
  std::size_t body_line_ = 2;
};

}  // namespace tare::detail::read
