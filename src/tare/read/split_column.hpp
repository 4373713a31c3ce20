// A column that says which part of the data each row belongs to: split, fold, set or the like, with train, val and
// test.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/read/source.hpp"

namespace tare::detail::read {

// By its name alone.
std::optional<std::size_t> split_column(const Source& source);

// "train", "val" or "test" for each way to write it; empty for anything else.
std::string_view part_named(std::string_view text);

// Its parts, in the order in which they first appear; nothing where a cell is something else.
std::optional<std::vector<std::string>> parts_of_column(const Source& source, std::size_t column);

}  // namespace tare::detail::read
