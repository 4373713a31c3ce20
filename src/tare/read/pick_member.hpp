// One member of one file: by its name, or by the role that its name says it plays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tare/read/pick.hpp"

namespace tare::detail::read {

// "did you mean label?", else `otherwise`.
std::string meant(const std::string& typed, const std::vector<std::string>& names, const std::string& otherwise);

Result<Pick> named_member(const Source& s, const std::string& name, Role role);
Result<Pick> named_members(const Source& s, const std::vector<std::string>& names, Role role);  // of several: a list

// A file given for one role: its only member, the one so named, or a table as a whole.
Result<Pick> whole_file(const Source& s, Role role, const std::string& split);

// The member whose name says that it plays the role, if there is one. `group` decides the split, unless one is asked
// for; the first searches by all that is known, the other by names that are known so well.
Result<std::optional<Pick>> by_role(const Source& s, const std::vector<Role>& group, Role role,
                                    const std::string& split);
Result<std::optional<Pick>> by_role(const Source& s, const std::vector<Role>& group, Role role,
                                    const std::string& split, Known known);

}  // namespace tare::detail::read
