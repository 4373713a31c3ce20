// What the first rows of a file look like, column by column: for questions and hints, never for an answer.
#pragma once

#include <string>
#include <vector>

#include "tare/read/source.hpp"

namespace tare::detail::read {

struct Sniffed {
  std::vector<std::string> cells = {};      // of a column of single values
  bool numbers = false;                     // every cell is one
  bool in_unit = false;                     // and lies in [0, 1]
  std::vector<double> values = {};          // where they are numbers
  std::vector<std::string> different = {};  // up to a dozen
};

// The first rows, as many as `rows`; one entry per name, empty where a member is not one value per row.
std::vector<Sniffed> sniffed(const Source& source, std::size_t rows = 2000);

// The columns of numbers beside the labels, where every label is the name of one of them. None where a label is
// nobody's name. The header and the first row decide which, so that all parts of a table agree.
Result<Match> columns_of_classes(const Source& table, std::size_t label_column);

}  // namespace tare::detail::read
