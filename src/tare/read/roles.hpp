// What the names of arrays and columns say about their contents: "test_logits", "p_cat", "label".
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::detail::read {

// Which columns or arrays a text names: "label", "p_*", "p_[0-9]*", "p0,p1,p7", "0-9".

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

enum class Role { logits, probs, log_probs, confidences, correct, predictions, labels, weights };
inline constexpr std::size_t role_count = 8;
inline constexpr Role all_roles[role_count] = {Role::logits,  Role::probs,       Role::log_probs, Role::confidences,
                                               Role::correct, Role::predictions, Role::labels,    Role::weights};

inline constexpr std::array mains = {Role::logits, Role::probs, Role::log_probs, Role::confidences};  // the scores

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
