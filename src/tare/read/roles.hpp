// What the names of arrays and columns say about their contents: "test_logits", "p_cat", "label".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::inner::read {

enum class Role { logits, probs, confidences, correct, predictions, labels, weights };
inline constexpr std::size_t role_count = 7;
inline constexpr Role all_roles[role_count] = {Role::logits,      Role::probs,  Role::confidences, Role::correct,
                                               Role::predictions, Role::labels, Role::weights};

std::string_view role_name(Role role);  // as the option spells it, without --

// The members of one file that play one role: one array or column, or several columns of a table.
struct Match {
  std::vector<std::size_t> members;           // ascending
  std::vector<std::string> class_names = {};  // what the star of "p_*" stood for, one per member
  std::string spelled = {};                   // "labels" or "p_*"
};

// Everything in `names` that could play the role. `split` is "", "val_" or "test_" and must lead
// the name. Only tables have several columns for one role.
std::vector<Match> matches(const std::vector<std::string>& names, Role role, std::string_view split, bool table);

// Which of "", "val_" and "test_" to read: `asked` ("val", "test" or empty: test, if there is such)
// must have a match for one of the roles.
Result<std::string> choose_split(const std::vector<std::string>& names, const std::vector<Role>& roles,
                                 const std::string& asked, bool table, const std::string& file);

// The members that `pattern` names: exactly, or with stars.
Match named(const std::vector<std::string>& names, std::string_view pattern);

}  // namespace tare::inner::read
