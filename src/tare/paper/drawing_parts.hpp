// What the charts of a data file share, and those that have a file of their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tare/paper/frame.hpp"
#include "tare/paper/value.hpp"
#include "tare/render/svg/chart.hpp"

namespace tare::detail::paper {

render::Axis axis_of(const Settings& s, const std::string& which);

// The different values of the column, or one nameless one where the chart does not divide by it.
std::vector<Cell> divided(const Frame& frame, const std::string& column, const std::vector<std::size_t>& rows);

// The rows with this value in the column; all of them where the chart does not divide by it.
std::vector<std::size_t> part(const Frame& frame, const std::vector<std::size_t>& rows, const std::string& column,
                              const Cell& value);

std::optional<Style> style_of_series(const std::string& name);  // of an estimator; empty: it is none

std::string lines_svg(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows);
std::string dumbbells_svg(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows);

}  // namespace tare::detail::paper
