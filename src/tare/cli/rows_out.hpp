// Rows of numbers as a .npy array, as the one array of an .npz archive, or as a table in text; block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tare/cli/output.hpp"

namespace tare::inner::cli {

// By the ending of the name; .npy where it has none.
Format rows_format(const std::string& path);

struct RowsShape {
  std::size_t n = 0;
  std::size_t columns = 1;
  std::string name = "probs";              // of the array in an archive
  std::vector<std::string> headings = {};  // of the columns of a table
};

class RowsOut {
 public:
  RowsOut(Output& file, Format format, RowsShape shape);
  Result<bool> begin();
  Result<bool> add(std::span<const double> rows);
  Result<bool> end();

 private:
  Result<bool> put(std::string_view bytes);  // of the array itself
  [[nodiscard]] std::string member() const { return shape_.name + ".npy"; }

  Output& file_;
  Format format_;
  RowsShape shape_;
  std::uint32_t crc_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace tare::inner::cli
