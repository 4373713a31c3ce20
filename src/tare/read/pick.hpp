// Which member of which file plays which role.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tare/read/files.hpp"
#include "tare/read/fold.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/source.hpp"

namespace tare::detail::read {

inline constexpr std::array mains = {Role::logits, Role::probs, Role::log_probs, Role::confidences};

struct Pick {
  const Source* source = nullptr;
  Match match = {};
  std::string split = {};  // "", "val_" or "test_"
};

struct Picks {
  std::array<std::optional<Pick>, role_count> picks = {};
  std::vector<Pick> groups = {};          // one column each
  std::optional<std::size_t> split = {};  // a column of the one file: only rows of `part` are taken
  std::string part = {};
  std::vector<std::string> notes = {};  // what was not used

  [[nodiscard]] const std::optional<Pick>& operator[](Role r) const { return picks[static_cast<std::size_t>(r)]; }
  std::optional<Pick>& operator[](Role r) { return picks[static_cast<std::size_t>(r)]; }
  [[nodiscard]] std::optional<Role> main() const;
};

// From the options, else from the names inside the one file, which may be empty: none. Exactly one of the mains is
// there. Where the names allow two readings, the error asks which, and tells what the rows say about each.
// `hints`: false where this is a way that is tried before it is shown, which asks nothing itself.
Result<Picks> pick(const Fold& names, const std::string& file, LabelRule rule, Files& files, bool hints = true);

// What the fold names for a role; empty: nothing.
const std::string& given(const Fold& fold, Role role);
std::string& given(Fold& fold, Role role);
bool is_given(const Fold& fold, Role role);  // so, or by the names of members

// The files that play a part, each once.
std::vector<const Source*> sources_of(const Picks& picks);

// Is it a file, a pipe, or "-", standard input? A folder is none.
bool is_file(const std::string& path);

// The file of `file.npz:array`; the text itself where that is a file, or where no file stands before a colon.
std::string file_of(const std::string& text);

std::string option(Role role);  // its name, as messages spell it

// "column y_prob", "columns p_0-p_9", "array test_logits", "z.npy"
std::string spelled(const Pick& pick);

}  // namespace tare::detail::read
