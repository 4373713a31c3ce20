// What programs that evaluate language models write, as arrays: EleutherAI's lm-evaluation-harness, Inspect, and the
// batch results of OpenAI's interface, which vLLM writes, too.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"
#include "tare/read/fold.hpp"
#include "tare/read/json.hpp"
#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::detail::read::llm {

enum class LogKind { harness, inspect, batch };

// By the members of the first object of JSON, or JSON lines; nothing where it is another table.
std::optional<LogKind> recognised(std::span<const std::byte> bytes);

// logits (log-likelihoods of the options), labels, task, filter, subject, category, doc_id.
Result<Records> harness(std::span<const std::byte> bytes, const std::string& file, const Reading& reading);

// confidences, correct, task, model, id, epoch, subject, metadata.NAME. `zip`: an .eval file, else .json.
Result<Records> inspect(std::span<const std::byte> bytes, bool zip, const std::string& file, const Reading& reading);

// probs of the options, labels where answers are given, id, model.
Result<Records> batch(std::span<const std::byte> bytes, const std::string& file, const Reading& reading);

Result<Records> open(LogKind kind, std::span<const std::byte> bytes, const std::string& file, const Reading& reading);

// Columns that grow row by row and become arrays.

template <class T>
Array array_of(std::vector<T> values, DType dtype, std::vector<std::size_t> shape) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  return {.dtype = dtype,
          .shape = std::move(shape),
          .data = reinterpret_cast<const std::byte*>(kept->data()),
          .owner = kept};
}

inline Array numbers_of(std::vector<double> values) {
  const std::size_t n = values.size();
  return array_of(std::move(values), DType::f8, {n});
}

// Words of groups. The empty word is one that is not there.
class LogWords : public WordColumn {
 public:
  void add(const std::string& word) { add_code(word.empty() ? -1 : code(word)); }
  [[nodiscard]] bool any() const { return !words().empty(); }
  Array array() && {
    const std::size_t n = size();
    return std::move(*this).put_into({.shape = {n}});
  }
};

// Puts arrays under names, each with the file's name and the lines of its rows.
struct Filling {
  Records& out;
  const std::string& file;
  std::shared_ptr<const Lines> lines = {};

  void add(const std::string& name, Array array) const {
    array.name = file;
    array.lines = lines;
    if (array.shape.size() == 1) array.columns = {name};
    out.names.push_back(name);
    out.arrays.push_back(std::move(array));
  }
  void add_words(const std::string& name, LogWords column) const {
    if (column.any()) add(name, std::move(column).array());
  }
};

// Calls table.add(object, line) for each object of JSON lines, then table.finish(). What is wrong with an object has no
// place before.
template <class Table>
Result<Records> read_lines(std::span<const std::byte> bytes, const std::string& file, Table table) {
  JsonObjects lines(text_of(bytes), file, "the file is cut short or damaged; copy or write it again");
  const auto done = lines.read(bytes.size(), [&](JsonReader& reader, std::size_t line) -> Result<void> {
    const auto added = table.add(reader.document(), line);
    if (added) return {};
    Error error = added.error();
    error.place = line_place(file, line);
    return error;
  });
  if (!done) return done.error();
  return std::move(table).finish();
}

}  // namespace tare::detail::read::llm
