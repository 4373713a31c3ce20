// What a header for C++ says about one fitted map.
#pragma once

#include <string>

#include "tare/core/recipe.hpp"

namespace tare::inner::render {

// What was fitted as tables, and the statements of map_row(row, out), which maps `columns` numbers.
struct HeaderBody {
  std::string tables, statements;
};

HeaderBody header_body(const Recipe& recipe);

}  // namespace tare::inner::render
