#include "tare/paper/drawing_parts.hpp"

#include <algorithm>
#include <iterator>

#include "tare/core/looks.hpp"

namespace tare::inner::paper {

render::Axis axis_of(const Settings& s, const std::string& which) {
  render::Axis out{.title = s.text(which + "_title", s.text(which, "")), .log = s.flag("log_" + which)};
  if (s.has(which + "_low")) out.low = s.number(which + "_low");
  if (s.has(which + "_high")) out.high = s.number(which + "_high");
  return out;
}

std::vector<Cell> divided(const Frame& frame, const std::string& column, const std::vector<std::size_t>& rows) {
  return column.empty() ? std::vector<Cell>{Cell()} : values_of(frame, column, rows);
}

std::vector<std::size_t> part(const Frame& frame, const std::vector<std::size_t>& rows, const std::string& column,
                              const Cell& value) {
  if (column.empty()) return rows;
  std::vector<std::size_t> out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out),
               [&](std::size_t r) { return frame.at(r, column) == value; });
  return out;
}

std::optional<Look> look_of_series(const std::string& name) {
  const Look* found = find_look(name);
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace tare::inner::paper
