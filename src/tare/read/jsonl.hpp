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
#include "tare/read/csv.hpp"

namespace tare::inner::read {

class Jsonl {
 public:
  // `bytes` stay where they are, kept alive by `owner`; only the first object is read.
  static Result<Jsonl> open(std::span<const std::byte> bytes, const std::string& name,
                            std::shared_ptr<const void> owner = {});

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  // of the first object's members
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end_ - body_); }

  // The first lines, of about so many bytes, as a table of their own; the others stay. An array stays whole.
  [[nodiscard]] Jsonl take_front(std::size_t bytes);

  // As Csv::read. A group of one member may be rows of numbers.
  [[nodiscard]] Result<std::vector<Array>> read(std::span<const CsvGroup> groups, bool missing = false) const;

 private:
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::vector<std::string> names_;
  const char* body_ = nullptr;
  const char* end_ = nullptr;
  std::size_t body_line_ = 1;
  bool array_ = false;
};

}  // namespace tare::inner::read
