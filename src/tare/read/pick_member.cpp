// One member of one file, by its name or by its role.
#include <algorithm>
#include <utility>

#include "tare/core/suggest.hpp"
#include "tare/read/pick.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

Match all_columns(const Source& s) {
  Match out{.members = {}, .spelled = "*"};
  for (std::size_t i = 0; i < s.names().size(); ++i)
    if (!is_index_column(s.names()[i])) out.members.push_back(i);
  if (out.members.size() > 1) out.class_names = class_names_of(s.names(), out.members);
  return out.members.empty() ? named(s.names(), "*") : out;
}

}  // namespace

std::string meant(const std::string& typed, const std::vector<std::string>& names, const std::string& otherwise) {
  std::vector<std::string> clean;
  for (const std::string& name : names) clean.push_back(shown(name));
  return did_you_mean(typed, clean, otherwise);
}

Result<Pick> named_member(const Source& s, const std::string& name, Role role) {
  return named_members(s, {name}, role);
}

Result<Pick> named_members(const Source& s, const std::vector<std::string>& names, Role role) {
  const std::string& name = names.at(0);
  if (s.is_npy())
    return bad_file(s.name(), "a .npy file holds one array without a name", "leave out ':" + shown(name) + "'",
                    Errc::bad_option);
  Match m = named(s.names(), names);
  if (m.members.empty())
    return bad_file(s.name(), "holds nothing named " + read::quoted(m.spelled) + "; it holds " + listed(s.names()),
                    meant(m.spelled, s.names(),
                          option(role) + " takes a file, or names of these: one, 'FIRST-LAST', 'A,B,C' "
                                         "or 'p_*'"));
  if (m.members.size() > 1 && !s.is_table())
    return bad_file(s.name(), read::quoted(name) + " fits several arrays: " + listed(s.names()), "name one of them");
  return Pick{&s, std::move(m), ""};
}

Result<std::optional<Pick>> by_role(const Source& s, const std::vector<Role>& group, Role role,
                                    const std::string& split) {
  for (const Known known : all_known) {
    auto found = by_role(s, group, role, split, known);
    if (!found || *found) return found;
  }
  return std::optional<Pick>();
}

Result<std::optional<Pick>> by_role(const Source& s, const std::vector<Role>& group, Role role,
                                    const std::string& asked, Known known) {
  const auto split = choose_split(s.names(), group, asked, s.is_table(), s.name());
  if (!split) return split.error();
  auto found = matches(s.names(), role, *split, s.is_table(), known);
  if (found.empty()) return std::optional<Pick>();
  if (found.size() > 1) {
    std::vector<std::string> spelled;
    for (const Match& m : found) spelled.push_back(m.spelled);
    return bad_file(s.name(), "several could be the " + std::string(role_name(role)) + ": " + listed(spelled),
                    "say which: " + option(role) + " '" + foreign(spelled[0]) + "'");
  }
  return std::optional(Pick{&s, std::move(found[0]), *split});
}

Result<Pick> whole_file(const Source& s, Role role, const std::string& split) {
  if (s.is_npy()) return Pick{&s, Match{.members = {0}}, ""};
  if (s.names().size() == 1) return Pick{&s, Match{.members = {0}, .spelled = s.names()[0]}, ""};
  auto p = by_role(s, {role}, role, split);
  if (!p) return p.error();
  if (*p) return **std::move(p);
  const bool nothing_known = std::none_of(std::begin(all_roles), std::end(all_roles),
                                          [&](Role r) { return plays(s.names(), r, "", s.is_table()); });
  if (s.is_table() && (role == Role::logits || role == Role::probs) && nothing_known)
    return Pick{&s, all_columns(s), ""};  // one column per class, headed by the classes
  return bad_file(s.name(), "which is it for " + option(role) + "? it holds " + listed(s.names()),
                  "name one: " + option(role) + " '" + foreign(s.name()) + ":" + shown(s.names()[0]) + "'");
}

}  // namespace tare::detail::read
