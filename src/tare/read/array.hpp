// An array as a file holds it: element type, shape and a pointer into the file (or into what
// was unpacked from it). Nothing is converted here; see convert.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::detail::read {

// word: int32 codes into Array::words (cells that are not numbers); -1: missing.
// bf2: bfloat16, the upper half of a float32.
// bytes, utf32: texts as NumPy stores them, Array::width bytes each; words_of makes them words.
enum class DType : std::uint8_t { boolean, i1, i2, i4, i8, u1, u2, u4, u8, f2, bf2, f4, f8, word, bytes, utf32 };

constexpr std::size_t size_of(DType t) {
  constexpr std::size_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 4, 1, 4};  // in the order of the types
  return sizes[static_cast<std::size_t>(t)];
}

// Which line of a text file a row came from: row + constant, except after a quoted line break.
class Lines {
 public:
  void add(std::size_t row, std::size_t line) {
    if (starts_.empty() || line - starts_.back().second != row - starts_.back().first) starts_.push_back({row, line});
  }
  [[nodiscard]] std::size_t of(std::size_t row) const {
    const auto after =
        std::upper_bound(starts_.begin(), starts_.end(), row, [](std::size_t r, const auto& s) { return r < s.first; });
    return after == starts_.begin() ? row : std::prev(after)->second + (row - std::prev(after)->first);
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> starts_;  // (row, line), ascending
};

struct Array {
  DType dtype = DType::f8;
  bool swapped = false;  // the other byte order
  bool fortran = false;  // the first index runs fastest
  std::vector<std::size_t> shape = {};
  const std::byte* data = nullptr;  // items() * size_of(dtype) bytes, of any alignment
  std::shared_ptr<const void> owner = {};
  std::string name = {};  // for messages: "probs.npy", "net.npz:logits", "preds.csv"
  std::size_t width = 0;  // letters of one text: of bytes and utf32 alone
  std::size_t first = 0;  // the number of the first row, for messages: of a part of a longer table

  std::shared_ptr<const Lines> kept = {};  // the row in the file, where rows were dropped

  // tables of text only
  std::vector<std::string> columns = {};
  std::shared_ptr<const Lines> lines = {};
  std::shared_ptr<const std::vector<std::string>> words = {};
  std::vector<std::string> classes = {};  // what a JSON object calls the numbers of a row

  // The product cannot overflow: the parsers have checked that so many items are there.
  [[nodiscard]] std::size_t items() const {
    std::size_t n = 1;
    for (const std::size_t s : shape) n *= s;
    return n;
  }
  [[nodiscard]] std::size_t rows() const { return shape.empty() ? 1 : shape[0]; }

  // Of words: which of them a row has; -1: none.
  [[nodiscard]] std::int32_t code(std::size_t row) const {
    std::int32_t out = 0;
    std::memcpy(&out, data + row * sizeof out, sizeof out);
    return out;
  }

  // Rows of no numbers, such as (2^64 - 1, 0): a claim that takes no bytes.
  [[nodiscard]] bool has_empty_rows() const {
    return !shape.empty() && shape[0] != 0 && std::find(shape.begin() + 1, shape.end(), 0U) != shape.end();
  }

  // "(100, 10)", as NumPy writes it.
  [[nodiscard]] std::string shape_text() const {
    std::string out = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + std::to_string(shape[i]);
    return out + (shape.size() == 1 ? ",)" : ")");
  }

  // Rows count from 0, as in NumPy; in a text file the line counts, from 1, as in editors.
  [[nodiscard]] std::string place(std::size_t row, std::optional<std::size_t> column = std::nullopt) const {
    if (kept) row = kept->of(row);
    if (lines) {
      const std::size_t c = column.value_or(0);
      return "line " + std::to_string(lines->of(row)) +
             (c < columns.size() && (column || columns.size() == 1) ? ", column '" + columns[c] + "'" : "");
    }
    return "row " + std::to_string(first + row) + (column ? ", column " + std::to_string(*column) : "");
  }

  // The same as the place of an error: "net.npz:probs: row 17, column 2: probability". The noun may be empty.
  [[nodiscard]] Place place_of(std::size_t row, std::optional<std::size_t> column, const std::string& noun) const {
    return {.array = name,
            .row = row,
            .column = column,
            .spelled = name + ": " + place(row, column) + (noun.empty() ? "" : ": " + noun)};
  }
};

// A file that was turned into named arrays as a whole: the logs of programs that evaluate language models (read/llm).
struct Records {
  std::vector<std::string> names = {};
  std::vector<Array> arrays = {};       // one per name, of as many rows
  std::vector<std::string> notes = {};  // what was decided on the way
  std::string format = {};              // "lm-evaluation-harness", "Inspect", "batch"
  std::string where_labels_are = {};    // the remedy where labels are wanted and not there
};

}  // namespace tare::detail::read
