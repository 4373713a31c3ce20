// A file of predictions, opened: which format it has and which names it holds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/csv.hpp"
#include "tare/read/jsonl.hpp"
#include "tare/read/npz.hpp"
#include "tare/read/safetensors.hpp"

namespace tare::inner::read {

class Source {
 public:
  // The ending decides the format; `format` ("csv", "jsonl.gz", ...) where there is none that is known. Without it a
  // pipe holds CSV, and so does "-", standard input.
  static Result<Source> open(const std::string& path, const std::string& format = {});

  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  [[nodiscard]] bool is_npy() const { return std::holds_alternative<Array>(content_); }
  [[nodiscard]] bool is_archive() const {
    return std::holds_alternative<Npz>(content_) || std::holds_alternative<Tensors>(content_);
  }
  [[nodiscard]] bool is_table() const {
    return std::holds_alternative<Csv>(content_) || std::holds_alternative<Jsonl>(content_);
  }
  [[nodiscard]] const std::vector<std::string>& names() const;  // none for .npy

  // How many rows the member says it has, before it is unpacked; nothing for a table, which is not counted yet.
  [[nodiscard]] Result<std::optional<std::size_t>> rows(std::size_t member) const;

  [[nodiscard]] double table_bytes() const;  // about what its numbers take in memory; 0 where it is no table

  // Of a table: the first rows as a source of their own; the others stay (Csv::take_front, Jsonl::take_front).
  [[nodiscard]] Source take_front(std::size_t bytes);

  // One array per group of members: one member each, except in a table.
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, bool missing = false) const;

 private:
  std::string name_;
  std::variant<Array, Npz, Csv, Jsonl, Tensors> content_;

  Result<bool> parse(const std::string& kind, std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
};

}  // namespace tare::inner::read
