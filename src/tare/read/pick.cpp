#include "tare/read/pick.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tare/read/guess.hpp"
#include "tare/read/pick_member.hpp"
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

class Resolver {
 public:
  explicit Resolver(const Fold& names) : names_(names) {}

  Result<bool> run(LabelRule rule) {
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
        picks_[r] = *std::move(p);
      }
    if (auto fine = choose_main(); !fine) return fine;
    for (const std::string& text : names_.groups) {
      auto p = group(text);
      if (!p) return p.error();
      picks_.groups.push_back(*std::move(p));
    }
    const bool declared = picks_[Role::labels] || picks_[Role::correct] || picks_[Role::predictions];
    if (rule == LabelRule::needed || (rule == LabelRule::optional && declared)) return complete();
    return rule == LabelRule::optional ? complete_where_there() : Result<bool>(true);
  }

  Picks picks() && { return std::move(picks_); }

 private:
  Result<const Source*> open(const std::string& path) {
    for (std::size_t i = 0; i < paths_.size(); ++i)
      if (paths_[i] == path) return &picks_.sources[i];
    auto s = Source::open(path, names_.reading.format);
    if (!s) return s.error();
    paths_.push_back(path);
    picks_.sources.push_back(*std::move(s));
    return &picks_.sources.back();
  }

  // A file, `file:member`, or a member of the one file given.
  Result<Pick> explicitly(Role role) {
    const std::string& text = given(names_, role);
    if (const std::size_t colon = member_colon(text); colon != std::string::npos) {
      const auto s = open(text.substr(0, colon));
      if (!s) return s.error();
      return named_member(**s, text.substr(colon + 1), role);
    }
    if (!exists(text) && file_) return named_member(*file_, text, role);
    const auto s = open(text);
    if (!s) return s.error();
    return whole_file(**s, role, names_.split);
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
      const bool elsewhere = colon != std::string::npos || exists(text);
      if (!elsewhere && !source) return Error{.code = Errc::io, .what = "no such file", .place = file_place(text)};
      if (elsewhere) {
        const auto opened = open(file_of(text));
        if (!opened) return opened.error();
        source = *opened;
        name = colon == std::string::npos ? "" : text.substr(colon + 1);
      }
    }
    if (source->is_npy() && name.empty()) return Pick{source, Match{.members = {0}, .spelled = source->name()}, ""};
    if (name.empty() && source->names().size() == 1) name = source->names()[0];
    const auto at = std::find(source->names().begin(), source->names().end(), name);
    if (at == source->names().end())
      return Error{.code = Errc::bad_input,
                   .what = (name.empty() ? "which column holds the groups?"
                                         : "holds nothing named " + read::quoted(name) + ";") +
                           " it holds " + listed(source->names()),
                   .place = file_place(source->name()),
                   .remedy = "pass `group` with one of these names"};
    return Pick{source, Match{.members = {static_cast<std::size_t>(at - source->names().begin())}, .spelled = name},
                ""};
  }

  // Exactly one of logits, probs, confidences: from the options, else from the file's names.
  Result<bool> choose_main() {
    std::vector<std::string> have;
    for (const Role r : mains)
      if (picks_[r]) have.push_back(option(r));
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
    for (const Known known : all_known)
      for (const Role r : mains) {
        if (!found.empty() && known_ != known) break;
        if (known == Known::counted && r != Role::probs) continue;  // pandas' columns: probabilities, unless declared
        auto p = by_role(*file_, {mains.begin(), mains.end()}, r, names_.split, known);
        if (!p) return p.error();
        if (!*p) continue;
        known_ = known;
        found.push_back((*p)->match.spelled);
        picks_[r] = **std::move(p);
      }
    if (found.empty()) return choose_by_labels();
    if (found.size() > 1)
      return Error{.code = Errc::bad_input,
                   .what = "holds both " + shown(found[0]) + " and " + shown(found[1]) + "; which to measure?",
                   .place = file_place(file_->name()),
                   .remedy = "say which: `logits` NAME, `probs` NAME or `confidences` NAME"};
    return true;
  }

  // Columns headed by the classes, which the labels name.
  Result<bool> choose_by_labels() {
    const auto& names = file_->names();
    auto found = names_.labels.empty() ? by_role(*file_, {Role::labels}, Role::labels, names_.split)
                                       : Result<std::optional<Pick>>(picks_[Role::labels]);
    if (!found) return found.error();
    const bool here = *found && (*found)->source == file_;
    const std::size_t label = here ? (*found)->match.members.at(0) : names.size() - 1;
    if (here && file_->is_table()) {
      const auto labels = file_->read(std::vector{CsvGroup{{label}, true}});
      if (!labels) return labels.error();
      Match m = labels->at(0).words ? columns_of_classes(names, *labels->at(0).words, label) : Match{};
      if (!m.members.empty()) {
        picks_[Role::probs] = Pick{file_, std::move(m), ""};
        return true;
      }
    }
    return Error{.code = Errc::bad_input,
                 .what = "no name says what it holds: " + listed(names),
                 .place = file_place(file_->name()),
                 .remedy = names.size() == 2 || (file_->is_table() && names.size() > 1)
                               ? "say it, for example " + options_to_type(names, label)
                               : "say it: `logits` NAME, `probs` NAME or `confidences` NAME, and `labels` NAME"};
  }

  // What the predictions are to be compared with.
  Result<bool> complete() {
    const bool confidences = picks_[Role::confidences].has_value();
    for (const Role r : {Role::correct, Role::predictions})
      if (!confidences && picks_[r])
        return Error{.code = Errc::bad_option,
                     .what = option(r) + " goes with `confidences` only",
                     .remedy = "logits and probs need `labels`"};
    if (picks_[Role::correct] && (picks_[Role::predictions] || picks_[Role::labels]))
      return Error{.code = Errc::bad_option,
                   .what = "`correct` already says which predictions are hits",
                   .remedy = "leave out `predictions` and `labels`"};
    if (auto r = fill(Role::weights); !r) return r;
    if (!confidences) return need(Role::labels);
    if (!picks_[Role::predictions] && !picks_[Role::labels])
      if (auto r = fill(Role::correct); !r) return r;
    if (picks_[Role::correct]) return true;
    if (auto r = need(Role::labels); !r) return r;
    return need(Role::predictions);
  }

  // The same, as far as the one file has it.
  Result<bool> complete_where_there() {
    const bool confidences = picks_[Role::confidences].has_value();
    if (auto r = fill(Role::weights); !r) return r;
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
    auto p = by_role(*file_, {Role::logits, Role::probs, Role::confidences, role}, role, names_.split);
    if (!p) return p.error();
    picks_[role] = *std::move(p);
    return true;
  }

  Result<bool> need(Role role) {
    if (auto r = fill(role); !r) return r;
    if (picks_[role]) return true;
    const std::string name(role_name(role));
    if (file_)
      return Error{
          .code = Errc::bad_input,
          .what = "has no " + name + "; it holds " + listed(file_->names()),
          .place = file_place(file_->name()),
          .remedy = "say where they are: " + option(role) + " " + unused_column() + " or " + option(role) + " FILE"};
    const bool bare = picks_[Role::confidences] && !picks_[Role::predictions] && !picks_[Role::labels];
    return Error{
        .code = Errc::bad_option,
        .what = bare ? "`confidences` alone do not say which predictions were right" : "the " + name + " are missing",
        .remedy = bare ? "pass `correct` FILE (1 for a hit, 0 for a miss), or `predictions` FILE and `labels` FILE"
                       : "pass " + option(role) + " FILE: one class index per row"};
  }

  // The last column that plays no part yet, as it would be typed.
  std::string unused_column() const {
    const auto& names = file_->names();
    for (std::size_t i = names.size(); i-- > 0;) {
      const bool used = std::any_of(picks_.picks.begin(), picks_.picks.end(), [&](const auto& p) {
        return p && p->source == file_ && std::count(p->match.members.begin(), p->match.members.end(), i) > 0;
      });
      if (!used && !is_index_column(names[i])) return "'" + shown(names[i]) + "'";
    }
    return "NAME";
  }

  const Fold& names_;
  Picks picks_;
  std::vector<std::string> paths_;  // of its sources
  const Source* file_ = nullptr;
  Known known_ = Known::well;  // how the predictions were found
};

}  // namespace

Result<Picks> pick(const Fold& names, LabelRule rule) {
  Resolver resolver(names);
  if (const auto fine = resolver.run(rule); !fine) return fine.error();
  return std::move(resolver).picks();
}

const std::string& given(const Fold& fold, Role role) {
  switch (role) {
    case Role::logits:
      return fold.logits;
    case Role::probs:
      return fold.probs;
    case Role::confidences:
      return fold.confidences;
    case Role::correct:
      return fold.correct;
    case Role::predictions:
      return fold.predictions;
    case Role::labels:
      return fold.labels;
    case Role::weights:
      break;
  }
  return fold.weights;
}

std::string file_of(const std::string& text) { return text.substr(0, member_colon(text)); }

std::string option(Role role) { return "`" + std::string(role_name(role)) + "`"; }

}  // namespace tare::inner::read
