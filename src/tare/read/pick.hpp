// Which member of which file plays which role.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tare/read/fold.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/source.hpp"

namespace tare::detail::read {

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

// One member of one file: by its name, or by the role that its name says it plays.

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

// The columns of numbers beside the labels, where every label is the name of one of them. None where a label is
// nobody's name. The header and the first row decide which, so that all parts of a table agree.
Result<Match> columns_of_classes(const Source& table, std::size_t label_column);

// Where a file can be read in two ways, or its names say nothing: what to type. Every way is tried on the file before
// it is shown.

// One way to read a file: the fold that says it, and what it would mean.
struct Way {
  Fold fold;
  std::string means = {};
  std::string against = {};  // what the rows say against it
};

// The ways that work, as options to type, with "or" between: "`probs` 'score' `labels` 'y' (score is ...)". Empty:
// none.
std::string ways_to_type(const Fold& base, const std::vector<Way>& ways, const std::string& file, LabelRule rule,
                         Files& files);

// Ways that names and first rows suggest, the likeliest first.
std::vector<Way> suggested_ways(const Fold& base, const Source& source);

// Two readings: a single column of probabilities beside one of predictions (the probability of class 1, or the
// confidence of the prediction?), and a label that may be a prediction beside one that is the truth. Nothing where the
// user said it, or where there is one reading.
std::optional<Error> question_about(const Fold& names, const Picks& picks, LabelRule rule, Files& files);

}  // namespace tare::detail::read
