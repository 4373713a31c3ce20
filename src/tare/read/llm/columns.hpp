// Columns that grow row by row and become arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tare/read/array.hpp"
#include "tare/read/word_column.hpp"

namespace tare::detail::read::llm {

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

}  // namespace tare::detail::read::llm
