// What the names of arrays and columns say about their contents: "test_logits", "p_cat", "label".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/columns.hpp"

namespace tare::detail::read {

enum class Role { logits, probs, log_probs, confidences, correct, predictions, labels, weights };
inline constexpr std::size_t role_count = 8;
inline constexpr Role all_roles[role_count] = {Role::logits,  Role::probs,       Role::log_probs, Role::confidences,
                                               Role::correct, Role::predictions, Role::labels,    Role::weights};

std::string_view role_name(Role role);  // as the option spells it, without --

// How far a file is searched for names: by those that mean one thing everywhere; if there is none, by further ones that
// are often used so; if there is none either, by columns 0, 1, 2, ... of a table, as pandas names them.
enum class Known { well, often, counted };
inline constexpr Known all_known[] = {Known::well, Known::often, Known::counted};

// Everything in `names` that could play the role. `split` is "", "val_" or "test_" and must lead
// the name. Only tables have several columns for one role.
std::vector<Match> matches(const std::vector<std::string>& names, Role role, std::string_view split, bool table,
                           Known known);

// Weights by their usual names: they are never used unasked, and that is said.
std::vector<std::size_t> unasked_weights(const std::vector<std::string>& names);

// A name for labels that may as well be that of a prediction ("label"), and one that can only be the truth ("gold").
bool may_be_predicted(const std::string& name);
bool is_truth(const std::string& name);

// Is there any, however little known?
bool plays(const std::vector<std::string>& names, Role role, std::string_view split, bool table);

// Which of "", "val_" and "test_" to read: `asked` ("val", "test" or empty: test, if there is such)
// must have a match for one of the roles.
Result<std::string> choose_split(const std::vector<std::string>& names, const std::vector<Role>& roles,
                                 const std::string& asked, bool table, const std::string& file);

// The table of names, for people: the option and what an array or column for it may be called.
std::vector<std::pair<std::string, std::string>> known_names();

}  // namespace tare::detail::read
