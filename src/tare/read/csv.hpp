// Tables in text: .csv, .tsv, and whatever else separates by comma, tab, semicolon, bar or blanks.
// The first line names the columns; RFC 4180 quotes; \n, \r\n or \r; a UTF-8 byte order mark.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"

namespace tare::detail::read {

// What readers of tables share: which columns become which array, and where a reader stands.

// Columns that become one array: n numbers, n x k of them, or n texts.
struct CsvGroup {
  std::vector<std::size_t> columns;  // of the array, in its order
  bool words = false;                // one column of texts, whatever they look like: labels, groups
  bool may_miss = false;             // a cell may be empty: NaN, or the word -1
};

struct CellRules {
  bool missing = false;  // any cell may be empty, NA and the like
  bool percent = false;  // all numbers will be divided by 100, also those without a percent sign
};

// How a table in text is written, where that does not show.
struct TableRules {
  char delimiter = 0;  // 0: what separates the names of the first line
  bool header = true;  // false: the first line is data, and columns are named 0, 1, 2, ...
};

// Between two rows of a table: pieces begin and end there.
struct TablePlace {
  const char* at = nullptr;
  std::size_t line = 1;
};

// A table as it was opened: its columns by their names, and rows one after the other.
class TextTable {
 public:
  virtual ~TextTable() = default;

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end_ - body_); }  // without a header

  [[nodiscard]] TablePlace begin() const { return {body_, body_line_}; }
  [[nodiscard]] virtual bool is_end(const TablePlace& place) const = 0;  // no row follows

  // One array per group, in one pass. No column may be in two groups. The second reads rows from `at` on, of about so
  // many bytes and at least one, and moves `at` behind them.
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules = {}) const {
    TablePlace at = begin();
    return read(groups, rules, at, bytes());
  }
  [[nodiscard]] virtual Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules,
                                                        TablePlace& at, std::size_t bytes) const = 0;

 protected:
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::vector<std::string> names_;
  const char* body_ = nullptr;  // the first byte of the rows
  const char* end_ = nullptr;
  std::size_t body_line_ = 1;
};

class Csv : public TextTable {
 public:
  // `bytes` stay where they are, kept alive by `owner`; only the header is read. R writes the names of rows in a first
  // column without a name: that one is named "".
  static Result<Csv> open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner = {}, const TableRules& rules = {});

  // For what comes piece by piece (see HeadCheck): is the first line the names of columns?
  static Result<bool> check_head(std::span<const std::byte> head, bool all, const std::string& name,
                                 const TableRules& rules = {});

  [[nodiscard]] char delimiter() const { return delimiter_; }
  [[nodiscard]] bool is_end(const TablePlace& place) const override;
  using TextTable::read;
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules,
                                                TablePlace& at, std::size_t bytes) const override;

 private:
  char delimiter_ = ',';
};

// Files that this program does not read and the Python package does: Parquet, Feather, Arrow, Excel, HDF5.

// What reads the file at this path, by its ending; empty: it is none of these.
std::string reader_of(const std::string& path);

// What a file is that begins so, and what to do about it; empty: none of these. `name` is a path, or standard input.
struct OtherFormat {
  std::string what = {};
  std::string remedy = {};
};
OtherFormat other_format(std::string_view start, const std::string& name);

}  // namespace tare::detail::read
