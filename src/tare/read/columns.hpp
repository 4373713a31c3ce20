// Which columns or arrays a text names: "label", "p_*", "p_[0-9]*", "p0,p1,p7", "0-9".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tare::detail::read {

// The members of one file that play one role: one array or column, or several columns of a table.
struct Match {
  std::vector<std::size_t> members;           // in the order of the classes
  std::vector<std::string> class_names = {};  // one per member where there are several: "p_cat" is about cat
  std::string spelled = {};                   // "labels" or "p_*"
};

// A name as it is; else a list with commas, each part a name, a pattern of *, ? and [0-9], or a range FIRST-LAST of
// names as they stand in the file. A whole number that is nobody's name is a place, counted from 0. No members: nothing
// is named so, and `spelled` is the part that is not.
Match named(const std::vector<std::string>& names, std::string_view text);
Match named(const std::vector<std::string>& names,
            const std::vector<std::string>& texts);  // all of them, in this order

// What names say after their common beginning: "p_cat", "p_dog" are about cat and dog; "p1", "p10" about 1 and 10.
std::vector<std::string> class_names_of(const std::vector<std::string>& names, const std::vector<std::size_t>& members);

bool is_count(std::string_view text);  // digits, and not too many

// Columns that stand beside the data: without a name, "Unnamed: 0", "id" or "index".
bool is_index_column(std::string_view name);

// How to type these columns: "p0", "p0-p9" or "p0,p7".
std::string typed(const std::vector<std::string>& names, const std::vector<std::size_t>& members);

}  // namespace tare::detail::read
