// JSON lines: an object in each line, such as {"label": 2, "probs": [0.2, 0.3, 0.5]} or {"confidence": 0.9, "correct":
// true}; or an array of such objects. A member of the objects is a column, or n rows of numbers where its value is a
// list or an object of numbers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/read/csv.hpp"

namespace tare::detail::read {

inline constexpr const char* one_object_per_line =
    "write one object per line: {\"label\": 2, \"probs\": [0.2, 0.3, 0.5]}";

// What the first object that has the member says about it.
struct JsonMember {
  bool scalar = true;                     // false: a list or an object of numbers
  std::vector<std::string> classes = {};  // of an object of numbers: its names, in order; numbers by their value
};

class Jsonl : public TextTable {
 public:
  // `bytes` stay where they are, kept alive by `owner`; only the first objects are read.
  static Result<Jsonl> open(std::span<const std::byte> bytes, const std::string& name,
                            std::shared_ptr<const void> owner = {});

  // For what comes piece by piece (see HeadCheck): does it begin like JSON?
  static Result<bool> check_head(std::span<const std::byte> head, bool all, const std::string& name);

  [[nodiscard]] bool is_end(const TablePlace& place) const override;
  // A group of one member may be rows of numbers.
  using TextTable::read;
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, const CellRules& rules,
                                                TablePlace& at, std::size_t bytes) const override;

 private:
  std::vector<JsonMember> members_;  // one per name
  bool array_ = false;
};

}  // namespace tare::detail::read
