// JSON lines: an object in each line, such as {"label": 2, "probs": [0.2, 0.3, 0.5]} or {"confidence": 0.9, "correct":
// true}; or an array of such objects. A member of the objects is a column, or n rows of numbers where its value is a
// list or an object of numbers.
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

inline constexpr const char* one_object_per_line =
    "write one object per line: {\"label\": 2, \"probs\": [0.2, 0.3, 0.5]}";

// What the first object that has the member says about it.
struct JsonMember {
  bool scalar = true;                     // false: a list or an object of numbers
  std::vector<std::string> classes = {};  // of an object of numbers: its names, in order; numbers by their value
};

class Jsonl {
 public:
  // `bytes` stay where they are, kept alive by `owner`; only the first objects are read.
  static Result<Jsonl> open(std::span<const std::byte> bytes, const std::string& name,
                            std::shared_ptr<const void> owner = {});

  // For what comes piece by piece (see HeadCheck): does it begin like JSON?
  static Result<bool> check_head(std::span<const std::byte> head, bool all, const std::string& name);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  // of the first object's members
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end_ - body_); }

  [[nodiscard]] TablePlace begin() const { return {body_, body_line_}; }
  [[nodiscard]] bool is_end(const TablePlace& place) const;  // no object follows

  // As Csv::read. A group of one member may be rows of numbers.
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules = {}) const;
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules,
                                                TablePlace& at, std::size_t bytes) const;

 private:
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::vector<std::string> names_;
  std::vector<JsonMember> members_;  // one per name
  const char* body_ = nullptr;       // of an array: behind its bracket
  const char* end_ = nullptr;
  std::size_t body_line_ = 1;
  bool array_ = false;
};

}  // namespace tare::detail::read
