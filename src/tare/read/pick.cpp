#include "tare/read/pick.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

// In `file.npz:array` the place of the colon; npos where the text is a file, or no file stands before a colon.
std::size_t member_colon(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  return colon != std::string::npos && !is_file(text) && is_file(text.substr(0, colon)) ? colon : std::string::npos;
}

class Resolver {
 public:
  Resolver(const Fold& names, Files& files, bool hints) : names_(names), files_(files), hints_(hints) {}

  Result<bool> run(const std::string& path, LabelRule rule) {
    if (!names_.split.empty() && part_named(names_.split) != names_.split)
      return bad_option("split", in_quotes(names_.split), "not test, val or train", "test is the default");
    rule_ = rule;
    if (!path.empty())
      if (auto fine = open_file(path); !fine) return fine;
    for (const Role r : all_roles)
      if (is_given(names_, r)) {
        auto p = explicitly(r);
        if (!p) return p.error();
        picks_[r] = *std::move(p);
      }
    if (auto fine = choose_split_column(); !fine) return fine;
    if (auto fine = choose_main(); !fine) return fine;
    for (const std::string& text : names_.groups) {
      auto p = group(text);
      if (!p) return p.error();
      picks_.groups.push_back(*std::move(p));
    }
    note_unused();
    const bool declared = picks_[Role::labels] || picks_[Role::correct] || picks_[Role::predictions];
    if (rule == LabelRule::needed || (rule == LabelRule::optional && declared)) return complete();
    return rule == LabelRule::optional ? complete_where_there() : Result<bool>(true);
  }

  Picks picks() && { return std::move(picks_); }

 private:
  Result<bool> open_file(const std::string& path) {
    const auto opened = files_.open(path, names_.reading);
    if (!opened) return opened.error();
    file_ = *opened;
    if (file_->is_npy())
      return bad_file(path, "a .npy file does not say what it holds",
                      "pass it with `logits`, `probs` or `confidences`, and `labels` FILE", Errc::bad_option);
    if (file_->state() != nullptr)
      return bad_file(path, "a state has no arrays to name, and no halves", "give the .state file alone",
                      Errc::bad_option);
    return true;
  }

  // A file, `file:member`, or a member of the one file given.
  Result<Pick> explicitly(Role role) {
    if (const auto members = names_.members.find(role); members != names_.members.end() && file_)
      return named_members(*file_, members->second, role);
    const std::string& text = given(names_, role);
    const bool member = file_ && !named(file_->names(), text).members.empty();
    if (member && is_file(text))
      return Error{.code = Errc::bad_option,
                   .what = read::quoted(text) + " is the name of a file, and in " + foreign(file_->name()) + ", too",
                   .place = {.array = std::string(role_name(role))},
                   .remedy = option(role) + " './" + shown(text) + "' is the file, " + option(role) + " '" +
                             foreign(file_->name()) + ":" + shown(text) + "' is what the other holds"};
    if (const std::size_t colon = member_colon(text); !member && colon != std::string::npos) {
      const auto s = files_.open(text.substr(0, colon), names_.reading);
      if (!s) return s.error();
      return named_member(**s, text.substr(colon + 1), role);
    }
    if (member || (!is_file(text) && file_)) return named_member(*file_, text, role);
    const auto s = files_.open(text, names_.reading);
    if (!s) return s.error();
    return whole_file(**s, role, names_.split);
  }

  // Rows of one part, where a column says which; arrays named test_* come first.
  Result<bool> choose_split_column() {
    if (!file_) return true;
    const auto column = split_column(*file_);
    const bool by_name = std::any_of(mains.begin(), mains.end(), [&](Role r) {
      return plays(file_->names(), r, "test_", true) || plays(file_->names(), r, "val_", true);
    });
    if (!column || by_name) return true;
    const auto parts = files_.parts_of(*file_);
    if (!parts || parts->empty()) return true;
    const std::string about = "column " + read::quoted(file_->names()[*column]) + " (" + listed(*parts) + ")";
    if (names_.split.empty()) {
      if (parts->size() > 1)
        picks_.notes.push_back(about + " was not used, and all rows are judged together: `split` " + parts->back() +
                               " takes one part");
      return true;
    }
    if (std::find(parts->begin(), parts->end(), names_.split) == parts->end())
      return bad_file(file_->name(), about + " has no row of " + read::quoted(names_.split),
                      "choose one of these: `split` " + foreign(parts->front()));
    picks_.split = column;
    picks_.part = names_.split;
    return true;
  }

  // By names that begin with test_ or val_; a column that says it has been asked already.
  [[nodiscard]] std::string split_of_names() const { return picks_.split ? std::string() : names_.split; }

  void note_unused() {
    if (!file_ || picks_[Role::weights]) return;
    for (const std::size_t i : unasked_weights(file_->names()))
      picks_.notes.push_back((file_->is_table() ? "column " : "array ") + read::quoted(file_->names()[i]) +
                             " was not used: weights are taken only where `weights` names them");
  }

  // A column of groups: of the one file, of the file of the predictions, or of another.
  Result<Pick> group(const std::string& text) {
    const Source* source = file_;
    std::string split, name = text;
    for (const Role r : mains)
      if (picks_[r]) {
        split = picks_[r]->split;
        if (!source && !picks_[r]->source->is_npy()) source = picks_[r]->source;
      }
    const auto has = [&](const std::string& member) {
      return source && std::find(source->names().begin(), source->names().end(), member) != source->names().end();
    };
    if (!has(text) && has(split + text)) name = split + text;
    if (!has(name)) {
      const std::size_t colon = member_colon(text);
      const bool elsewhere = colon != std::string::npos || is_file(text);
      if (!elsewhere && !source) return Error{.code = Errc::io, .what = "no such file", .place = file_place(text)};
      if (elsewhere) {
        const auto opened = files_.open(file_of(text), names_.reading);
        if (!opened) return opened.error();
        source = *opened;
        name = colon == std::string::npos ? "" : text.substr(colon + 1);
      }
    }
    if (source->is_npy() && name.empty()) return Pick{source, Match{.members = {0}, .spelled = source->name()}, ""};
    if (name.empty() && source->names().size() == 1) name = source->names()[0];
    const auto at = std::find(source->names().begin(), source->names().end(), name);
    if (at == source->names().end())
      return bad_file(
          source->name(),
          (name.empty() ? "which column holds the groups?" : "holds nothing named " + read::quoted(name) + ";") +
              " it holds " + listed(source->names()),
          meant(name, source->names(), "pass `group` with one of these names"));
    return Pick{source, Match{.members = {static_cast<std::size_t>(at - source->names().begin())}, .spelled = name},
                ""};
  }

  // Exactly one of the mains: from the options, else from the file's names.
  Result<bool> choose_main() {
    std::vector<std::string> have;
    for (const Role r : mains)
      if (picks_[r]) have.push_back(option(r));
    if (have.size() > 1)
      return bad_option(have[0] + " and " + have[1] + " were both given",
                        "give one of `logits`, `probs`, `log_probs` and `confidences`");
    if (have.size() == 1) return true;
    if (!file_)
      return bad_option("no predictions were given",
                        "pass `logits` F `labels` F, `probs` F `labels` F, `confidences` F `correct` F, or one .npz or "
                        ".csv file");
    std::vector<Role> found;
    for (const Known known : all_known)
      for (const Role r : mains) {
        if (!found.empty() && known_ != known) break;
        if (known == Known::counted && r != Role::probs) continue;  // pandas' columns: probabilities, unless declared
        auto p = by_role(*file_, {mains.begin(), mains.end()}, r, split_of_names(), known);
        if (!p) return better(p.error());
        if (!*p) continue;
        known_ = known;
        found.push_back(r);
        picks_[r] = **std::move(p);
      }
    if (found.empty()) return choose_by_labels();
    if (found.size() == 1) return true;
    return bad_file(file_->name(),
                    "holds both " + shown(picks_[found[0]]->match.spelled) + " and " +
                        shown(picks_[found[1]]->match.spelled) + "; which to measure?",
                    suggestion("say which: `logits` NAME, `probs` NAME or `confidences` NAME"));
  }

  // Columns headed by the classes, which the labels name.
  Result<bool> choose_by_labels() {
    auto found = names_.labels.empty() ? by_role(*file_, {Role::labels}, Role::labels, split_of_names())
                                       : Result<std::optional<Pick>>(picks_[Role::labels]);
    if (!found) return found.error();
    if (*found && (*found)->source == file_ && file_->is_table()) {
      auto columns = columns_of_classes(*file_, (*found)->match.members.at(0));
      if (!columns) return columns.error();
      if (!columns->members.empty()) {
        picks_[Role::probs] = Pick{file_, *std::move(columns), ""};
        return true;
      }
    }
    return bad_file(file_->name(), "no name says what it holds: " + listed(file_->names()),
                    suggestion("say it: `logits` NAME, `probs` NAME or `confidences` NAME, and `labels` NAME"));
  }

  // What the columns suggest, as far as it works; else `otherwise`.
  [[nodiscard]] std::string suggestion(const std::string& otherwise) const {
    if (!hints_) return otherwise;
    const std::string ways = ways_to_type(names_, suggested_ways(names_, *file_), file_->path(), rule_, files_);
    return ways.empty() ? otherwise : "say it, for example " + ways;
  }

  [[nodiscard]] Error better(Error error) const {
    error.remedy = suggestion(error.remedy);
    return error;
  }

  // What the predictions are to be compared with.
  Result<bool> complete() {
    const bool hits = picks_[Role::confidences] || picks_[Role::log_probs];
    for (const Role r : {Role::correct, Role::predictions})
      if (!hits && picks_[r])
        return bad_option(option(r) + " goes with `confidences` only", "logits and probs need `labels`");
    if (picks_[Role::correct] && (picks_[Role::predictions] || picks_[Role::labels]))
      return bad_option("`correct` already says which predictions are hits", "leave out `predictions` and `labels`");
    if (picks_[Role::correct]) return true;
    if (!picks_[Role::confidences]) return need(Role::labels);
    if (!picks_[Role::predictions] && !picks_[Role::labels])
      if (auto r = fill(Role::correct); !r) return r;
    if (picks_[Role::correct]) return true;
    if (auto r = need(Role::labels); !r) return r;
    return need(Role::predictions);
  }

  // The same, as far as the one file has it.
  Result<bool> complete_where_there() {
    const bool confidences = picks_[Role::confidences].has_value();
    if (auto r = fill(confidences ? Role::correct : Role::labels); !r) return r;
    if (!confidences || picks_[Role::correct]) return true;
    if (auto r = fill(Role::labels); !r) return r;
    if (auto r = fill(Role::predictions); !r) return r;
    if (picks_[Role::labels] && picks_[Role::predictions]) return true;
    picks_[Role::labels].reset();  // one of the two says nothing
    picks_[Role::predictions].reset();
    return true;
  }

  Result<bool> fill(Role role) {
    if (picks_[role] || !file_) return true;
    auto p =
        by_role(*file_, {Role::logits, Role::probs, Role::log_probs, Role::confidences, role}, role, split_of_names());
    if (!p) return better(p.error());
    picks_[role] = *std::move(p);
    return true;
  }

  Result<bool> need(Role role) {
    if (auto r = fill(role); !r) return r;
    if (picks_[role]) return true;
    const std::string name(role_name(role));
    if (file_ && file_->records() && !file_->records()->where_labels_are.empty())
      return bad_file(file_->name(), "has no " + name, file_->records()->where_labels_are, Errc::bad_option);
    if (file_)
      return bad_file(file_->name(), "has no " + name + "; it holds " + listed(file_->names()),
                      suggestion("say where they are: " + option(role) + " NAME or " + option(role) + " FILE"));
    const bool bare = picks_[Role::confidences] && !picks_[Role::predictions] && !picks_[Role::labels];
    return bad_option(
        bare ? "`confidences` alone do not say which predictions were right" : "the " + name + " are missing",
        bare ? "pass `correct` FILE (1 for a hit, 0 for a miss), or `predictions` FILE and `labels` FILE"
             : "pass " + option(role) + " FILE: one class index per row");
  }

  const Fold& names_;
  Files& files_;
  Picks picks_;
  const Source* file_ = nullptr;
  bool hints_;
  LabelRule rule_ = LabelRule::needed;
  Known known_ = Known::well;  // how the predictions were found
};

}  // namespace

bool is_file(const std::string& path) {
  struct stat status {};
  return path == "-" || (::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode));
}

std::vector<const Source*> sources_of(const Picks& picks) {
  std::vector<const Source*> out;
  for (const Role r : all_roles)
    if (picks[r] && std::find(out.begin(), out.end(), picks[r]->source) == out.end()) out.push_back(picks[r]->source);
  return out;
}

std::optional<Role> Picks::main() const {
  for (const Role r : mains)
    if ((*this)[r]) return r;
  return std::nullopt;
}

Result<Picks> pick(const Fold& names, const std::string& file, LabelRule rule, Files& files, bool hints) {
  Resolver resolver(names, files, hints);
  if (const auto fine = resolver.run(file, rule); !fine) return fine.error();
  Picks out = std::move(resolver).picks();
  if (!hints) return out;
  if (auto question = question_about(names, out, rule, files)) return *std::move(question);
  return out;
}

std::string& given(Fold& fold, Role role) {
  static constexpr std::string Fold::*names[role_count] = {&Fold::logits,      &Fold::probs,   &Fold::log_probs,
                                                           &Fold::confidences, &Fold::correct, &Fold::predictions,
                                                           &Fold::labels,      &Fold::weights};
  return fold.*names[static_cast<std::size_t>(role)];
}

const std::string& given(const Fold& fold, Role role) { return given(const_cast<Fold&>(fold), role); }

bool is_given(const Fold& fold, Role role) { return !given(fold, role).empty() || fold.members.contains(role); }

std::string file_of(const std::string& text) { return text.substr(0, member_colon(text)); }

std::string option(Role role) { return "`" + std::string(role_name(role)) + "`"; }

std::string spelled(const Pick& pick) {
  const auto& names = pick.source->names();
  if (names.empty()) return pick.source->name();
  const std::string members = shortened(typed(names, pick.match.members));
  if (!pick.source->is_table()) return "array " + members;
  return (pick.match.members.size() == 1 ? "column " : "columns ") + members;
}

}  // namespace tare::detail::read
