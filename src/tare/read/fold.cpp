// Three steps: decide which member of which file plays which role, read every file once, and
// hand the arrays to assemble().
#include "tare/read/fold.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <deque>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/source.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

bool exists(const std::string& path) {
  struct stat status {};
  return path == "-" || ::stat(path.c_str(), &status) == 0;
}

// In `file.npz:array` the place of the colon; npos where the text is a file, or no file stands before a colon.
std::size_t member_colon(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  return colon != std::string::npos && !exists(text) && exists(text.substr(0, colon)) ? colon : std::string::npos;
}

const std::string& given(const Fold& f, Role role) {
  switch (role) {
    case Role::logits:
      return f.logits;
    case Role::probs:
      return f.probs;
    case Role::confidences:
      return f.confidences;
    case Role::correct:
      return f.correct;
    case Role::predictions:
      return f.predictions;
    case Role::labels:
      return f.labels;
    case Role::weights:
      break;
  }
  return f.weights;
}

std::string option(Role role) { return "`" + std::string(role_name(role)) + "`"; }

constexpr std::array mains = {Role::logits, Role::probs, Role::confidences};

struct Pick {
  const Source* source = nullptr;
  Match match = {};
  std::string split = {};  // "", "val_" or "test_"
};

class Resolver {
 public:
  explicit Resolver(const Fold& names) : names_(names) {}

  Result<bool> run(bool labelled) {
    if (!names_.split.empty() && names_.split != "test" && names_.split != "val")
      return Error{.code = Errc::bad_option,
                   .what = "not test or val",
                   .place = {.array = "split"},
                   .value = in_quotes(names_.split),
                   .remedy = "test is the default"};
    if (!names_.file.empty()) {
      auto opened = open(names_.file);
      if (!opened) return opened.error();
      file_ = *opened;
      if (file_->is_npy())
        return Error{.code = Errc::bad_option,
                     .what = "a .npy file does not say what it holds",
                     .place = file_place(names_.file),
                     .remedy = "pass it with `logits`, `probs` or `confidences`, and `labels` FILE"};
    }
    for (const Role r : all_roles)
      if (!given(names_, r).empty()) {
        auto p = explicitly(r);
        if (!p) return p.error();
        pick(r) = *std::move(p);
      }
    if (auto fine = choose_main(); !fine) return fine;
    return labelled ? complete() : Result<bool>(true);
  }

  // Reads every file once; a table in one pass.
  Result<Parts> read() const {
    if (const auto fine = check_rows(); !fine) return fine.error();
    Parts parts;
    for (const Source& s : sources_) {
      std::vector<Role> roles;
      std::vector<CsvGroup> groups;
      for (const Role r : all_roles) {
        if (!pick(r) || pick(r)->source != &s) continue;
        const bool words = r == Role::labels || r == Role::predictions || r == Role::correct;
        roles.push_back(r);
        groups.push_back(CsvGroup{pick(r)->match.members, words && pick(r)->match.members.size() == 1});
      }
      if (roles.empty()) continue;
      if (auto fine = check_overlap(s, roles); !fine) return fine.error();
      auto arrays = s.read(groups);
      if (!arrays) return arrays.error();
      std::string split;
      for (std::size_t i = 0; i < roles.size(); ++i) {
        parts[roles[i]] = std::move((*arrays)[i]);
        split = std::max(split, pick(roles[i])->split);
      }
      parts.source += (parts.source.empty() ? "" : ", ") + s.name();
      if (!split.empty()) parts.source += " (" + split.substr(0, split.size() - 1) + ")";
    }
    for (const Role r : mains)
      if (pick(r)) parts.class_names = pick(r)->match.class_names;
    return parts;
  }

 private:
  std::optional<Pick>& pick(Role r) { return picks_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] const std::optional<Pick>& pick(Role r) const { return picks_[static_cast<std::size_t>(r)]; }

  Result<const Source*> open(const std::string& path) {
    for (std::size_t i = 0; i < paths_.size(); ++i)
      if (paths_[i] == path) return &sources_[i];
    auto s = Source::open(path);
    if (!s) return s.error();
    paths_.push_back(path);
    sources_.push_back(*std::move(s));
    return &sources_.back();
  }

  // A file, `file:member`, or a member of the one file given.
  Result<Pick> explicitly(Role role) {
    const std::string& text = given(names_, role);
    if (const std::size_t colon = member_colon(text); colon != std::string::npos) {
      const auto s = open(text.substr(0, colon));
      if (!s) return s.error();
      return member(**s, text.substr(colon + 1), role);
    }
    if (!exists(text) && file_) return member(*file_, text, role);
    const auto s = open(text);
    if (!s) return s.error();
    return whole(**s, role);
  }

  static Result<Pick> member(const Source& s, const std::string& name, Role role) {
    if (s.is_npy())
      return Error{.code = Errc::bad_option,
                   .what = "a .npy file holds one array without a name",
                   .place = file_place(s.name()),
                   .remedy = "leave out ':" + shown(name) + "'"};
    Match m = named(s.names(), name);
    if (m.members.empty())
      return Error{.code = Errc::bad_input,
                   .what = "holds nothing named " + quoted(name) + "; it holds " + listed(s.names()),
                   .place = file_place(s.name()),
                   .remedy = option(role) + " takes a file, or one of these names"};
    if (m.members.size() > 1 && !s.is_table())
      return Error{.code = Errc::bad_input,
                   .what = quoted(name) + " fits several arrays: " + listed(s.names()),
                   .place = file_place(s.name()),
                   .remedy = "name one of them"};
    return Pick{&s, std::move(m), ""};
  }

  // A file given for one role: its only member, the one so named, or a table as a whole.
  Result<Pick> whole(const Source& s, Role role) const {
    if (s.is_npy()) return Pick{&s, Match{.members = {0}}, ""};
    if (s.names().size() == 1) return Pick{&s, Match{.members = {0}, .spelled = s.names()[0]}, ""};
    auto p = by_role(s, {role}, role);
    if (!p) return p.error();
    if (*p) return **std::move(p);
    const bool nothing_known = std::none_of(std::begin(all_roles), std::end(all_roles),
                                            [&](Role r) { return !matches(s.names(), r, "", s.is_table()).empty(); });
    if (s.is_table() && (role == Role::logits || role == Role::probs) && nothing_known) {
      Match m = named(s.names(), "*");  // one column per class, headed by the classes
      return Pick{&s, std::move(m), ""};
    }
    return Error{.code = Errc::bad_input,
                 .what = "which is it for " + option(role) + "? it holds " + listed(s.names()),
                 .place = file_place(s.name()),
                 .remedy = "name one: " + option(role) + " '" + foreign(s.name()) + ":" + shown(s.names()[0]) + "'"};
  }

  // The member whose name says that it plays the role, if there is one. `group` decides the split.
  Result<std::optional<Pick>> by_role(const Source& s, const std::vector<Role>& group, Role role) const {
    const auto split = choose_split(s.names(), group, names_.split, s.is_table(), s.name());
    if (!split) return split.error();
    auto found = matches(s.names(), role, *split, s.is_table());
    if (found.empty()) return std::optional<Pick>();
    if (found.size() > 1) {
      std::vector<std::string> spelled;
      for (const Match& m : found) spelled.push_back(m.spelled);
      return Error{.code = Errc::bad_input,
                   .what = "several could be the " + std::string(role_name(role)) + ": " + listed(spelled),
                   .place = file_place(s.name()),
                   .remedy = "say which: " + option(role) + " '" + foreign(spelled[0]) + "'"};
    }
    return std::optional(Pick{&s, std::move(found[0]), *split});
  }

  // Exactly one of logits, probs, confidences: from the options, else from the file's names.
  Result<bool> choose_main() {
    std::vector<std::string> have;
    for (const Role r : mains)
      if (pick(r)) have.push_back(option(r));
    if (have.size() > 1)
      return Error{.code = Errc::bad_option,
                   .what = have[0] + " and " + have[1] + " were both given",
                   .remedy = "give one of `logits`, `probs` and `confidences`"};
    if (have.size() == 1) return true;
    if (!file_)
      return Error{.code = Errc::bad_option,
                   .what = "no predictions were given",
                   .remedy =
                       "pass `logits` F `labels` F, `probs` F `labels` F, `confidences` F `correct` F, or one .npz or "
                       ".csv file"};
    std::vector<std::string> found;
    for (const Role r : mains) {
      auto p = by_role(*file_, {mains.begin(), mains.end()}, r);
      if (!p) return p.error();
      if (!*p) continue;
      found.push_back((*p)->match.spelled);
      pick(r) = **std::move(p);
    }
    if (found.empty())
      return Error{.code = Errc::bad_input,
                   .what = "no name says what it holds: " + listed(file_->names()),
                   .place = file_place(file_->name()),
                   .remedy = "say it: `logits` NAME, `probs` NAME or `confidences` NAME, and `labels` NAME"};
    if (found.size() > 1)
      return Error{.code = Errc::bad_input,
                   .what = "holds both " + shown(found[0]) + " and " + shown(found[1]) + "; which to measure?",
                   .place = file_place(file_->name()),
                   .remedy = "say which: `logits` NAME, `probs` NAME or `confidences` NAME"};
    return true;
  }

  // What the predictions are to be compared with.
  Result<bool> complete() {
    const bool confidences = pick(Role::confidences).has_value();
    for (const Role r : {Role::correct, Role::predictions})
      if (!confidences && pick(r))
        return Error{.code = Errc::bad_option,
                     .what = option(r) + " goes with `confidences` only",
                     .remedy = "logits and probs need `labels`"};
    if (pick(Role::correct) && (pick(Role::predictions) || pick(Role::labels)))
      return Error{.code = Errc::bad_option,
                   .what = "`correct` already says which predictions are hits",
                   .remedy = "leave out `predictions` and `labels`"};
    if (auto r = fill(Role::weights); !r) return r;
    if (!confidences) return need(Role::labels);
    if (!pick(Role::predictions) && !pick(Role::labels))
      if (auto r = fill(Role::correct); !r) return r;
    if (pick(Role::correct)) return true;
    if (auto r = need(Role::labels); !r) return r;
    return need(Role::predictions);
  }

  Result<bool> fill(Role role) {
    if (pick(role) || !file_) return true;
    auto p = by_role(*file_, {Role::logits, Role::probs, Role::confidences, role}, role);
    if (!p) return p.error();
    pick(role) = *std::move(p);
    return true;
  }

  Result<bool> need(Role role) {
    if (auto r = fill(role); !r) return r;
    if (pick(role)) return true;
    const std::string name(role_name(role));
    if (file_)
      return Error{.code = Errc::bad_input,
                   .what = "has no " + name + "; it holds " + listed(file_->names()),
                   .place = file_place(file_->name()),
                   .remedy = "say where they are: " + option(role) + " NAME or " + option(role) + " FILE"};
    const bool bare = pick(Role::confidences) && !pick(Role::predictions) && !pick(Role::labels);
    return Error{
        .code = Errc::bad_option,
        .what = bare ? "`confidences` alone do not say which predictions were right" : "the " + name + " are missing",
        .remedy = bare ? "pass `correct` FILE (1 for a hit, 0 for a miss), or `predictions` FILE and `labels` FILE"
                       : "pass " + option(role) + " FILE: one class index per row"};
  }

  // Before anything is unpacked: a small archive may hold very long arrays.
  Result<bool> check_rows() const {
    if (std::none_of(sources_.begin(), sources_.end(), [](const Source& s) { return s.is_archive(); })) return true;
    std::optional<std::size_t> rows;
    std::string first;
    for (const Role r : all_roles) {
      if (!pick(r)) continue;
      const Source& s = *pick(r)->source;
      const std::size_t member = pick(r)->match.members.at(0);
      const auto has = s.rows(member);
      if (!has) return has.error();
      if (!*has) continue;
      const std::string name = s.is_npy() ? s.name() : s.name() + ":" + s.names().at(member);
      if (rows && *rows != **has)
        return Error{.code = Errc::bad_input,
                     .what = foreign(name) + " has " + std::to_string(**has) + " rows, but " + foreign(first) +
                             " has " + std::to_string(*rows) + " rows",
                     .remedy = "every array must have one entry per prediction"};
      if (!rows) first = name;
      rows = **has;
    }
    return true;
  }

  Result<bool> check_overlap(const Source& s, const std::vector<Role>& roles) const {
    if (s.names().empty()) return true;
    std::vector<std::optional<Role>> used(s.names().size());
    for (const Role r : roles)
      for (const std::size_t c : pick(r)->match.members) {
        if (used[c])
          return Error{.code = Errc::bad_option,
                       .what = quoted(s.names()[c]) + " is named for both " + option(*used[c]) + " and " + option(r),
                       .place = file_place(s.name()),
                       .remedy = "each column plays one part"};
        used[c] = r;
      }
    return true;
  }

  const Fold& names_;
  std::deque<Source> sources_;  // pointers to its elements stay valid
  std::vector<std::string> paths_;
  const Source* file_ = nullptr;
  std::array<std::optional<Pick>, role_count> picks_;
};

Error out_of_memory() {
  return {.code = Errc::out_of_memory,
          .what = "there is not enough memory to read the predictions",
          .remedy = "save float32 arrays with np.save: .npy files are mapped, not loaded"};
}

}  // namespace

Result<Predictions> fold(const Fold& names, int threads) try {
  Resolver resolver(names);
  if (const auto fine = resolver.run(true); !fine) return fine.error();
  const auto parts = resolver.read();
  if (!parts) return parts.error();
  return assemble(*parts, threads);
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

// The checks are those of labelled predictions, so these get labels: zeros.
Result<Predictions> unlabelled(const Fold& names, int threads) try {
  for (const Role r : {Role::correct, Role::predictions, Role::labels, Role::weights})
    if (!given(names, r).empty())
      return Error{.code = Errc::bad_option,
                   .what = option(r) + " is not needed here",
                   .remedy = "the predictions alone are enough"};
  Resolver resolver(names);
  if (const auto fine = resolver.run(false); !fine) return fine.error();
  auto parts = resolver.read();
  if (!parts) return parts.error();
  if (parts->class_names.size() > 1) parts->class_names.clear();
  for (const Role main : mains) {
    if (!(*parts)[main]) continue;
    const auto zeros = std::make_shared<const std::vector<std::uint8_t>>((*parts)[main]->rows());
    (*parts)[main == Role::confidences ? Role::correct : Role::labels] =
        Array{.dtype = DType::u1,
              .shape = {zeros->size()},
              .data = reinterpret_cast<const std::byte*>(zeros->data()),
              .owner = zeros,
              .name = "labels"};
  }
  return assemble(*parts, threads);
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

std::vector<std::string> files(const Fold& names) {
  std::vector<std::string> out;
  if (!names.file.empty()) out.push_back(names.file);
  for (const Role r : all_roles) {
    const std::string& text = given(names, r);
    if (!text.empty()) out.push_back(text.substr(0, member_colon(text)));
  }
  return out;
}

bool has_split(const std::string& file, const std::string& split) {
  const auto source = Source::open(file);
  return source && std::any_of(mains.begin(), mains.end(), [&](Role r) {
           return !matches(source->names(), r, split + "_", source->is_table()).empty();
         });
}

}  // namespace tare::inner::read
