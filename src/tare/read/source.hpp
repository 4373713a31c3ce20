// A file of predictions, opened: which format it has and which names it holds.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"
#include "tare/read/csv.hpp"
#include "tare/read/fold.hpp"
#include "tare/read/jsonl.hpp"
#include "tare/read/npy.hpp"
#include "tare/read/safetensors.hpp"

namespace tare::detail::read {

// The bytes of a saved state, which the room of states understands.
struct StateBytes {
  std::shared_ptr<const void> owner;
  std::string_view bytes;
};

inline constexpr std::string_view cell_column = "tare_cell";  // what tables of cells are known by

class Source {
 public:
  using Content = std::variant<Array, Npz, Csv, Jsonl, Tensors, Records, StateBytes>;

  // The ending decides the format; `reading.format` ("csv", "jsonl.gz", ...) where there is none that is known. Without
  // it a pipe holds CSV, and so does "-", standard input.
  static Result<Source> open(const std::string& path, const Reading& reading = {});

  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  [[nodiscard]] const std::string& path() const { return path_; }  // as it was opened
  [[nodiscard]] bool is_npy() const { return std::holds_alternative<Array>(content_); }
  [[nodiscard]] bool is_archive() const {
    return std::holds_alternative<Npz>(content_) || std::holds_alternative<Tensors>(content_) || records();
  }
  [[nodiscard]] const TextTable* table() const;  // null where it is no table
  [[nodiscard]] bool is_table() const { return table() != nullptr; }
  [[nodiscard]] bool is_table_of_cells() const;  // that a query of the room of states returned
  [[nodiscard]] const StateBytes* state() const { return std::get_if<StateBytes>(&content_); }
  [[nodiscard]] const std::vector<std::string>& names() const;  // none for .npy

  // What a program that evaluates language models wrote, as arrays; null where it is another file.
  [[nodiscard]] const Records* records() const { return std::get_if<Records>(&content_); }

  // How many rows the member says it has, before it is unpacked; nothing for a table, which is not counted yet.
  [[nodiscard]] Result<std::optional<std::size_t>> rows(std::size_t member) const;

  // One array per group of members: one member each, except in a table.
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules = {}) const;

 private:
  std::string name_, path_;
  Content content_;
};

// The files of one call: each is opened, mapped and unpacked once, however often it is asked for.
class Files {
 public:
  // Stays where it is as long as this object.
  Result<const Source*> open(const std::string& path, const Reading& reading);

  // The parts that a column of this file says its rows belong to; nothing where it has none.
  const std::optional<std::vector<std::string>>& parts_of(const Source& source);

  // Does the file hold predictions named val_* or test_*, or rows that a column of it says belong there?
  bool has_split(const std::string& path, const std::string& split, const Reading& reading);

 private:
  std::deque<std::pair<std::string, Result<Source>>> opened_;               // or why not: a pipe is read once
  std::map<const Source*, std::optional<std::vector<std::string>>> parts_;  // a pass over a table each
};

// A column that says which part of the data each row belongs to, split, fold, set or the like, with train, val and
// test: by its name alone.
std::optional<std::size_t> split_column(const Source& source);

// "train", "val" or "test" for each way to write it; empty for anything else.
std::string_view part_named(std::string_view text);

// Its parts, in the order in which they first appear; nothing where a cell is something else.
std::optional<std::vector<std::string>> parts_of_column(const Source& source, std::size_t column);

}  // namespace tare::detail::read
