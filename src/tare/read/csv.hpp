// Tables in text: .csv, .tsv, and whatever else separates by comma, tab, semicolon or bar.
// The first line names the columns; RFC 4180 quotes; \n, \r\n or \r; a UTF-8 byte order mark.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"

namespace tare::inner::read {

// Columns that become one array: n numbers, or n x k of them.
struct CsvGroup {
  std::vector<std::size_t> columns;  // of the array, in its order
  bool words = false;                // one column whose cells may be words (class names, true/false)
};

class Csv {
 public:
  // `bytes` stay where they are, kept alive by `owner`; only the header is read.
  static Result<Csv> open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner = {});

  // For what comes piece by piece (see HeadCheck): is the first line the names of columns?
  static Result<bool> check_head(std::span<const std::byte> head, bool all, const std::string& name);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] char delimiter() const { return delimiter_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end_ - body_); }  // without the header

  // The first rows, of about so many bytes, as a table of their own; the others stay.
  [[nodiscard]] Csv take_front(std::size_t bytes);

  // One array per group, in one pass over the file. No column may be in two groups. `missing`: empty cells and the like
  // are NaN, or the word -1; else they are an error.
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, bool missing = false) const;

 private:
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::vector<std::string> names_;
  char delimiter_ = ',';
  const char* body_ = nullptr;  // the first byte after the header
  const char* end_ = nullptr;
  std::size_t body_line_ = 2;
};

}  // namespace tare::inner::read
