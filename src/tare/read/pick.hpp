// Which member of which file plays which role.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>

#include "tare/read/fold.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/source.hpp"

namespace tare::inner::read {

inline constexpr std::array mains = {Role::logits, Role::probs, Role::confidences};

struct Pick {
  const Source* source = nullptr;
  Match match = {};
  std::string split = {};  // "", "val_" or "test_"
};

struct Picks {
  std::deque<Source> sources = {};  // each file once; pointers to its elements stay valid
  std::array<std::optional<Pick>, role_count> picks = {};
  std::vector<Pick> groups = {};  // one column each

  Picks() = default;
  Picks(Picks&&) = default;  // not copied: picks point to sources
  Picks& operator=(Picks&&) = default;

  [[nodiscard]] const std::optional<Pick>& operator[](Role r) const { return picks[static_cast<std::size_t>(r)]; }
  std::optional<Pick>& operator[](Role r) { return picks[static_cast<std::size_t>(r)]; }
};

// What the predictions are to be compared with: it must be there, is taken where it is (with weights), or is not
// wanted.
enum class LabelRule { needed, optional, unwanted };

// From the options, else from the names inside the one file. One of logits, probs and confidences is there.
Result<Picks> pick(const Fold& names, LabelRule rule);

// What the fold names for a role; empty: nothing.
const std::string& given(const Fold& fold, Role role);

// The file of `file.npz:array`; the text itself where that is a file, or where no file stands before a colon.
std::string file_of(const std::string& text);

std::string option(Role role);  // its name, as messages spell it

}  // namespace tare::inner::read
