// Three steps: pick which member of which file plays which role, read every file once, and hand the arrays to
// assemble().
#include "tare/read/fold.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/missing.hpp"
#include "tare/read/pick.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

// Before anything is unpacked: a small archive may hold very long arrays.
Result<bool> check_rows(const Picks& picks) {
  if (std::none_of(picks.sources.begin(), picks.sources.end(), [](const Source& s) { return s.is_archive(); }))
    return true;
  std::optional<std::size_t> rows;
  std::string first;
  for (const Role r : all_roles) {
    if (!picks[r]) continue;
    const Source& s = *picks[r]->source;
    const std::size_t member = picks[r]->match.members.at(0);
    const auto has = s.rows(member);
    if (!has) return has.error();
    if (!*has) continue;
    const std::string name = s.is_npy() ? s.name() : s.name() + ":" + s.names().at(member);
    if (rows && *rows != **has)
      return Error{.code = Errc::bad_input,
                   .what = foreign(name) + " has " + std::to_string(**has) + " rows, but " + foreign(first) + " has " +
                           std::to_string(*rows) + " rows",
                   .remedy = "every array must have one entry per prediction"};
    if (!rows) first = name;
    rows = **has;
  }
  return true;
}

Result<bool> check_overlap(const Picks& picks, const Source& s, const std::vector<Role>& roles) {
  if (s.names().empty()) return true;
  std::vector<std::optional<Role>> used(s.names().size());
  for (const Role r : roles)
    for (const std::size_t c : picks[r]->match.members) {
      if (used[c])
        return Error{
            .code = Errc::bad_option,
            .what = read::quoted(s.names()[c]) + " is named for both " + option(*used[c]) + " and " + option(r),
            .place = file_place(s.name()),
            .remedy = "each column plays one part"};
      used[c] = r;
    }
  return true;
}

// The columns of groups, which may play another part, too: a pass of their own over a table.
Result<std::vector<Array>> read_groups(const Picks& picks) {
  std::vector<Array> out;
  for (const Pick& p : picks.groups) {
    auto array = p.source->read(std::vector{CsvGroup{p.match.members, true}}, true);
    if (!array) return array.error();
    out.push_back(std::move(array->front()));
    out.back().columns = {p.match.spelled};
  }
  return out;
}

// Reads every file once; a table in one pass.
Result<Parts> read_picks(const Picks& picks, const Reading& reading) {
  if (const auto fine = check_rows(picks); !fine) return fine.error();
  Parts parts{.reading = reading};
  for (const Source& s : picks.sources) {
    std::vector<Role> roles;
    std::vector<CsvGroup> groups;
    for (const Role r : all_roles) {
      if (!picks[r] || picks[r]->source != &s) continue;
      const bool words = r == Role::labels || r == Role::predictions || r == Role::correct;
      roles.push_back(r);
      groups.push_back(CsvGroup{picks[r]->match.members, words && picks[r]->match.members.size() == 1});
    }
    if (roles.empty()) continue;
    if (auto fine = check_overlap(picks, s, roles); !fine) return fine.error();
    auto arrays = s.read(groups, reading.drop_missing);
    if (!arrays) return arrays.error();
    std::string split;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      parts[roles[i]] = std::move((*arrays)[i]);
      split = std::max(split, picks[roles[i]]->split);
    }
    parts.source += (parts.source.empty() ? "" : ", ") + s.name();
    if (!split.empty()) parts.source += " (" + split.substr(0, split.size() - 1) + ")";
  }
  for (const Role r : mains)
    if (picks[r]) parts.class_names = parts[r]->classes.empty() ? picks[r]->match.class_names : parts[r]->classes;
  auto groups_of_rows = read_groups(picks);
  if (!groups_of_rows) return groups_of_rows.error();
  parts.groups = *std::move(groups_of_rows);
  if (reading.drop_missing)
    if (const auto done = drop_missing(parts); !done) return done.error();
  return parts;
}

Error out_of_memory() {
  return {.code = Errc::out_of_memory,
          .what = "there is not enough memory to read the predictions",
          .remedy = "save float32 arrays with np.save: .npy files are mapped, not loaded"};
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

bool has_words(const Parts& parts) {
  return std::any_of(parts.arrays.begin(), parts.arrays.end(),
                     [](const auto& array) { return array && array->dtype == DType::word; });
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

Result<void> each_slice(const Parts& parts, std::size_t rows, int threads,
                        const std::function<Result<void>(const Predictions&)>& each) {
  std::size_t n = 0;
  bool can_be_cut = true;
  for (const auto& array : parts.arrays) {
    if (!array) continue;
    can_be_cut = can_be_cut && !array->fortran && (n == 0 || n == array->rows());
    n = array->rows();
  }
  for (const Array& group : parts.groups) can_be_cut = can_be_cut && group.shape.size() == 1 && group.rows() == n;
  if (!can_be_cut || n == 0) rows = std::max<std::size_t>(n, 1);
  for (std::size_t from = 0; from < std::max<std::size_t>(n, 1); from += rows) {
    const auto predictions = assemble(rows >= n ? parts : slice(parts, from, std::min(rows, n - from)), threads);
    if (!predictions) return predictions.error();
    if (const auto done = each(*predictions); !done) return done;
  }
  return {};
}

}  // namespace

Result<void> fold_pieces(const Fold& names, const std::function<Result<void>(const Predictions&)>& each, int threads,
                         const Pieces& pieces) try {
  auto picks = pick(names, LabelRule::needed);
  if (!picks) return picks.error();
  if (picks->sources.size() != 1 || !picks->sources.front().is_table()) {
    const auto parts = read_picks(*picks, names.reading);
    return parts ? each_slice(*parts, pieces.rows, threads, each) : parts.error();
  }
  const Source whole = picks->sources.front();
  Source rest = whole;
  do {
    picks->sources.front() = rest.take_front(pieces.bytes);
    auto parts = read_picks(*picks, names.reading);
    if (!parts) return parts.error();
    const bool all = has_words(*parts);
    if (all) {
      picks->sources.front() = whole;
      parts = read_picks(*picks, names.reading);
      if (!parts) return parts.error();
    }
    const auto predictions = assemble(*parts, threads);
    if (!predictions) return predictions.error();
    if (const auto done = each(*predictions); !done || all) return done;
  } while (rest.table_bytes() > 0);
  return {};
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<double> memory_needed(const Fold& names) {
  const auto picks = pick(names, LabelRule::needed);
  if (!picks) return picks.error();
  constexpr double per_row = 48;  // score, label, weight, and their order
  double out = 0;
  for (const Role r : all_roles) {
    if (!(*picks)[r] || (*picks)[r]->source->is_table()) continue;
    const auto rows = (*picks)[r]->source->rows((*picks)[r]->match.members.at(0));
    if (rows && *rows) out = std::max(out, per_row * static_cast<double>(**rows));
  }
  for (const Source& source : picks->sources) out += source.table_bytes();
  return out;
}

Result<Predictions> fold(const Fold& names, int threads) try {
  const auto picks = pick(names, LabelRule::needed);
  if (!picks) return picks.error();
  auto parts = read_picks(*picks, names.reading);
  if (!parts) return parts.error();
  parts->group_bins = names.group_bins;
  return assemble(*parts, threads);
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<Predictions> unlabelled(const Fold& names, int threads) try {
  for (const Role r : {Role::correct, Role::predictions, Role::labels, Role::weights})
    if (!given(names, r).empty())
      return Error{.code = Errc::bad_option,
                   .what = option(r) + " is not needed here",
                   .remedy = "the predictions alone are enough"};
  const auto picks = pick(names, LabelRule::unwanted);
  if (!picks) return picks.error();
  auto parts = read_picks(*picks, names.reading);
  if (!parts) return parts.error();
  const std::vector<std::string> class_names = parts->class_names;
  add_stand_ins(*parts);
  auto out = assemble(*parts, threads);
  if (out && out->k == class_names.size()) out->class_names = class_names;
  return out;
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<PerhapsLabelled> perhaps_labelled(const Fold& names, int threads) try {
  const auto picks = pick(names, LabelRule::optional);
  if (!picks) return picks.error();
  auto parts = read_picks(*picks, names.reading);
  if (!parts) return parts.error();
  const bool labelled = (*parts)[Role::labels] || (*parts)[Role::correct];
  if (!labelled) add_stand_ins(*parts);
  auto predictions = assemble(*parts, threads);
  if (!predictions) return predictions.error();
  return PerhapsLabelled{*std::move(predictions), labelled};
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

std::vector<std::string> files(const Fold& names) {
  std::vector<std::string> out;
  if (!names.file.empty()) out.push_back(names.file);
  for (const Role r : all_roles) {
    const std::string& text = given(names, r);
    if (text.empty()) continue;
    std::string file = file_of(text);
    std::error_code ignored;
    const bool member = !names.file.empty() && file != "-" && !std::filesystem::exists(file, ignored);  // of the file
    if (!member) out.push_back(std::move(file));
  }
  return out;
}

bool has_split(const std::string& file, const std::string& split) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;  // a pipe is read once
  const auto source = Source::open(file);
  return source && std::any_of(mains.begin(), mains.end(),
                               [&](Role r) { return plays(source->names(), r, split + "_", source->is_table()); });
}

}  // namespace tare::inner::read
