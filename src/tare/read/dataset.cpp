#include "tare/read/dataset.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/pick.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

// "scores: column y_prob · labels: column y_true · weights: none"
std::string used_of(const Picks& picks) {
  std::string out = "scores: " + spelled(*picks[*picks.main()]);
  const auto add = [&](const char* what, const std::string& which) { out += std::string(" · ") + what + ": " + which; };
  if (picks[Role::predictions]) add("predictions", spelled(*picks[Role::predictions]));
  if (picks[Role::correct]) add("correct", spelled(*picks[Role::correct]));
  if (!picks[Role::correct]) add("labels", picks[Role::labels] ? spelled(*picks[Role::labels]) : "none");
  add("weights", picks[Role::weights] ? spelled(*picks[Role::weights]) : "none");
  if (picks.split) add("rows", picks.part + " alone");
  return out;
}

// "net.npz (test)", or "z.npy" and "y.npy"
std::vector<std::string> names_of_sources(const Picks& picks) {
  std::vector<std::string> out;
  for (const Source* source : sources_of(picks)) {
    std::string split = picks.part;
    for (const Role r : all_roles)
      if (picks[r] && picks[r]->source == source && !picks[r]->split.empty())
        split = picks[r]->split.substr(0, picks[r]->split.size() - 1);
    out.push_back(source->name() + (split.empty() ? "" : " (" + split + ")"));
  }
  return out;
}

// "z.npy, y.npy"; only `some` of many: "1.csv, 2.csv, 3.csv and 54 more"
std::string told(const std::vector<std::string>& names, bool some) {
  constexpr std::size_t most = 3;
  const std::size_t shown = some ? std::min(names.size(), most) : names.size();
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += (i ? ", " : "") + names[i];
  return shown < names.size() ? out + " and " + std::to_string(names.size() - shown) + " more" : out;
}

// About how much memory the rows take to be read and measured.
double bytes_of(const Picks& picks) {
  constexpr double per_row = 48;    // score, label, weight, and their order
  constexpr double per_byte = 1.5;  // a number is about as long in text
  double rows = 0, text = 0;
  for (const Role r : all_roles) {
    if (!picks[r]) continue;
    const auto has = picks[r]->source->rows(picks[r]->match.members.at(0));
    if (has && *has) rows = std::max(rows, static_cast<double>(**has));
  }
  for (const Source* source : sources_of(picks))
    if (const TextTable* table = source->table()) text += static_cast<double>(table->bytes());
  return per_row * rows + per_byte * text;
}

Error out_of_memory() {
  return failure(Errc::out_of_memory, "there is not enough memory to read the predictions",
                 "save float32 arrays with np.save: .npy files are mapped, not loaded");
}

// The checks are those of labelled predictions, so those without get labels: zeros.
void add_stand_ins(Parts& parts) {
  if (parts.class_names.size() > 1 && parts.reading.positive.empty()) parts.class_names.clear();
  parts.labelled = false;
  for (const Role main : mains) {
    if (!parts[main]) continue;
    const auto zeros = std::make_shared<const std::vector<std::uint8_t>>(parts[main]->rows());
    parts[main == Role::confidences ? Role::correct : Role::labels] =
        Array{.dtype = DType::u1,
              .shape = {zeros->size()},
              .data = reinterpret_cast<const std::byte*>(zeros->data()),
              .owner = zeros,
              .name = "labels"};
  }
}

// Rows from .. from + count - 1 of each array.
Parts slice(const Parts& all, std::size_t from, std::size_t count) {
  Parts out = all;
  const auto cut = [&](Array& array) {
    array.data += from * (array.items() / array.rows()) * size_of(array.dtype);
    array.shape[0] = count;
    array.first += from;
  };
  for (auto& array : out.arrays)
    if (array) cut(*array);
  for (Array& group : out.groups) cut(group);
  return out;
}

// How many rows the arrays have, where they can be cut at any; 0: they cannot.
std::size_t rows_to_cut(const Parts& parts) {
  std::size_t n = 0;
  bool fine = true;
  for (const auto& array : parts.arrays) {
    if (!array) continue;
    fine = fine && !array->fortran && !array->shape.empty() && (n == 0 || n == array->rows());
    n = array->shape.empty() ? 0 : array->rows();
  }
  for (const Array& group : parts.groups) fine = fine && group.shape.size() == 1 && group.rows() == n;
  return fine ? n : 0;
}

}  // namespace

Result<Dataset> Dataset::open(const Fold& names, LabelRule rule, std::shared_ptr<Files> files) try {
  Dataset out;
  out.names_ = names;
  out.files_ = std::move(files);
  if (rule == LabelRule::unwanted)
    for (const Role r : {Role::correct, Role::predictions, Role::labels, Role::weights})
      if (is_given(names, r)) return bad_option(option(r) + " is not needed here", "the predictions alone are enough");
  out.inputs_ = inputs_of(names);
  if (names.files.size() == 1 && names == Fold{.files = names.files, .reading = {.format = names.reading.format}}) {
    const auto opened = out.files_->open(names.files[0], names.reading);
    if (!opened) return opened.error();
    if ((*opened)->state() != nullptr || (*opened)->is_table_of_cells()) {
      out.alone_ = *opened;
      out.source_ = (*opened)->name();
      return out;
    }
  }
  out.rule_ = rule;
  const std::vector<std::string> none = {""};
  std::vector<std::string> sources;
  for (const std::string& file : names.files.empty() ? none : names.files) {
    const bool again = !out.members_.empty() && file.ends_with(".gz");
    auto one = out.member(file, again ? std::make_shared<Files>() : out.files_);
    if (!one) return one.error();
    for (std::string& source : names_of_sources(one->picks)) sources.push_back(std::move(source));
    if (const Records* log = one->picks[*one->picks.main()]->source->records())
      one->picks.notes.insert(one->picks.notes.begin(), log->notes.begin(), log->notes.end());
    for (const std::string& note : one->picks.notes)
      if (std::find(out.notes_.begin(), out.notes_.end(), note) == out.notes_.end()) out.notes_.push_back(note);
    out.bytes_needed_ += bytes_of(one->picks);
    if (again) *one = Member{.file = file};
    out.members_.push_back(*std::move(one));
  }
  const Picks& first = out.members_.front().picks;
  out.labelled_ = rule != LabelRule::unwanted && (first[Role::labels] || first[Role::correct]);
  out.source_ = told(sources, out.members_.size() > 1);
  out.used_ = used_of(first);
  return out;
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<Predictions> Dataset::sample(const Fold& names, LabelRule rule, Files& files, std::size_t bytes) {
  Dataset one;
  one.names_ = names;
  auto picks = pick(names, names.files.at(0), rule, files, false);
  if (!picks) return picks.error();
  one.labelled_ = (*picks)[Role::labels] || (*picks)[Role::correct];
  const TextTable* table = only_table(*picks);
  TablePlace at = table ? table->begin() : TablePlace{};
  ReadLog log;
  const auto parts = one.parts_of(*picks, table ? &at : nullptr, bytes, log);
  if (!parts) return parts.error();
  return one.made(*parts, 1, log);
}

std::vector<std::string> inputs_of(const Fold& names) {
  std::vector<std::string> out = names.files;
  const auto add = [&](const std::string& text) {
    const std::string file = file_of(text);
    if (!text.empty() && is_file(file)) out.push_back(file);
  };
  for (const Role r : all_roles) add(given(names, r));
  for (const std::string& group : names.groups) add(group);
  add(names.reading.answers);
  if (is_file(names.reading.class_names)) out.push_back(names.reading.class_names);
  return out;
}

Result<Dataset::Member> Dataset::member(const std::string& file, const std::shared_ptr<Files>& files) const {
  auto picks = pick(names_, file, rule_, *files);
  if (!picks) return picks.error();
  if (!members_.empty())
    if (const auto fine = align(*picks); !fine) return fine.error();
  return Member{.file = file, .files = files, .picks = *std::move(picks)};
}

// All files say the same about their rows; classes are in the order of the first.
Result<void> Dataset::align(Picks& other) const {
  const Picks& first = members_.front().picks;
  const std::string& name = first[*first.main()]->source->name();
  const auto differs = [&](const std::string& what) {
    return bad_file(other[*other.main()]->source->name(), what,
                    "files of one data set hold the same columns; measure them one by one, or name the columns");
  };
  for (const Role r : all_roles)
    if (first[r].has_value() != other[r].has_value())
      return differs(std::string(other[r] ? "has " : "has no ") + std::string(role_name(r)) + ", but " + foreign(name) +
                     (other[r] ? " has none" : " has some"));
  const Match& wanted = first[*first.main()]->match;
  Match& have = other[*other.main()]->match;
  if (wanted.class_names == have.class_names) return {};
  Match ordered{.members = {}, .class_names = wanted.class_names, .spelled = have.spelled};
  for (const std::string& one : wanted.class_names) {
    const auto at = std::find(have.class_names.begin(), have.class_names.end(), one);
    if (at == have.class_names.end() || wanted.class_names.size() != have.class_names.size())
      return differs("has columns for " + listed(have.class_names) + ", but those of " + foreign(name) + " are for " +
                     listed(wanted.class_names));
    ordered.members.push_back(have.members[static_cast<std::size_t>(at - have.class_names.begin())]);
  }
  have = std::move(ordered);
  return {};
}

Result<void> Dataset::for_each_file(const std::function<Result<void>(const Picks&)>& body) const {
  for (const Member& one : members_) {
    if (one.files) {
      if (const auto done = body(one.picks); !done) return done;
      continue;
    }
    const auto again = member(one.file, std::make_shared<Files>());
    if (!again) return again.error();
    if (const auto done = body(again->picks); !done) return done;
  }
  return {};
}

Result<Predictions> Dataset::made(const Parts& given, int threads, ReadLog& log) const {
  if (labelled_) return assemble(given, threads, &log);
  Parts parts = given;
  const std::vector<std::string> class_names = parts.class_names;
  add_stand_ins(parts);
  auto out = assemble(parts, threads, &log);
  if (out && out->k == class_names.size()) out->class_names = class_names;
  return out;
}

Result<Predictions> Dataset::read(int threads) const try {
  ReadLog log;
  std::vector<Predictions> parts;
  std::vector<std::vector<Array>> groups;
  const auto done = for_each_file([&](const Picks& picks) -> Result<void> {
    auto read = parts_of(picks, nullptr, 0, log);
    if (!read) return read.error();
    if (members_.size() > 1) groups.push_back(std::exchange(read->groups, {}));
    read->group_bins = names_.group_bins;
    auto one = made(*read, threads, log);
    if (!one) return one.error();
    parts.push_back(*std::move(one));
    return {};
  });
  if (!done) return done.error();
  auto all = concatenated(std::move(parts));
  if (!all) return all;
  if (members_.size() > 1)
    if (const auto added = add_groups(*all, groups, names_.group_bins); !added) return added.error();
  auto about = about_of(log);
  if (!about) return about.error();
  all->source = source_;
  all->used = used_;
  all->notes = std::move(about->notes);
  all->dropped = about->dropped;
  return all;
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<Predictions> all_rows(const Fold& names, int threads) {
  const auto data = Dataset::open(names);
  return data ? data->read(threads) : data.error();
}

Result<Dataset::About> Dataset::about_of(const ReadLog& log) const {
  if (const auto fine = check_end(log); !fine) return fine.error();
  About out{.notes = notes_, .dropped = log.dropped};
  for (std::string& note : notes_of(log)) out.notes.push_back(std::move(note));
  return out;
}

Result<Dataset::About> Dataset::read_pieces(const EachPiece& each, int threads, const PieceSize& size) const try {
  ReadLog log;
  const auto done = for_each_file([&](const Picks& picks) { return pieces_of(picks, each, threads, size, log); });
  if (!done) return done.error();
  if (log.rows == 0) return no_row_left(source_);
  return about_of(log);
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<void> Dataset::pieces_of(const Picks& picks, const EachPiece& each, int threads, const PieceSize& size,
                                ReadLog& log) const {
  const auto use = [&](const Parts& parts) -> Result<void> {
    const auto rows = made(parts, threads, log);
    if (!rows) return rows.error();
    return each(*rows);
  };
  const TextTable* table = only_table(picks);
  if (table == nullptr) {
    const auto parts = parts_of(picks, nullptr, 0, log);
    if (!parts) return parts.error();
    const std::size_t n = rows_to_cut(*parts);
    if (n <= size.rows) return use(*parts);
    for (std::size_t from = 0; from < n; from += size.rows)
      if (const auto done = use(slice(*parts, from, std::min(size.rows, n - from))); !done) return done;
    return {};
  }
  TablePlace at = table->begin();
  do {
    const auto parts = parts_of(picks, &at, size.bytes, log);
    if (!parts) return parts.error();
    const bool none_left = (*parts)[*picks.main()]->rows() == 0 && log.dropped + log.elsewhere > 0;
    if (none_left) continue;
    if (const auto done = use(*parts); !done) return done;
  } while (!table->is_end(at));
  return {};
}

}  // namespace tare::detail::read
