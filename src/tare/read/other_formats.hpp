// Files that this program does not read and the Python package does: Parquet, Feather, Arrow, Excel, HDF5.
#pragma once

#include <string>
#include <string_view>

namespace tare::detail::read {

// What reads the file at this path, by its ending; empty: it is none of these.
std::string reader_of(const std::string& path);

// What a file is that begins so, and what to do about it; empty: none of these. `name` is a path, or standard input.
struct OtherFormat {
  std::string what = {};
  std::string remedy = {};
};
OtherFormat other_format(std::string_view start, const std::string& name);

}  // namespace tare::detail::read
