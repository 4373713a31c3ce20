// The arrays of one file, or of a piece of it: every source once, a table in one pass.
#include <algorithm>
#include <utility>

#include "tare/read/assemble.hpp"
#include "tare/read/dataset.hpp"
#include "tare/read/source.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

// Before anything is unpacked: a small archive may hold very long arrays.
Result<void> check_rows(const Picks& picks) {
  if (std::none_of(std::begin(all_roles), std::end(all_roles),
                   [&](Role r) { return picks[r] && picks[r]->source->is_archive(); }))
    return {};
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
      return bad_input(foreign(name) + " has " + std::to_string(**has) + " rows, but " + foreign(first) + " has " +
                           std::to_string(*rows) + " rows",
                       "every array must have one entry per prediction");
    if (!rows) first = name;
    rows = **has;
  }
  return {};
}

Result<void> check_overlap(const Picks& picks, const Source& s, const std::vector<Role>& roles) {
  if (s.names().empty()) return {};
  std::vector<std::optional<Role>> used(s.names().size());
  for (const Role r : roles)
    for (const std::size_t c : picks[r]->match.members) {
      if (used[c])
        return bad_file(s.name(),
                        read::quoted(s.names()[c]) + " is named for both " + option(*used[c]) + " and " + option(r),
                        "each column plays one part", Errc::bad_option);
      used[c] = r;
    }
  return {};
}

// What is read of one source, and where it goes.
struct Wanted {
  std::vector<Role> roles = {};
  std::vector<CsvGroup> groups = {};  // first those of the roles, then the columns of groups, then that of the split
  std::vector<std::size_t> group_columns = {};  // which of picks.groups
  std::vector<std::size_t> apart = {};          // the others: these columns play a role, too
  bool split = false;
};

Wanted wanted_of(const Picks& picks, const Source& s) {
  Wanted out;
  for (const Role r : all_roles) {
    if (!picks[r] || picks[r]->source != &s) continue;
    const bool words = r == Role::labels || r == Role::predictions || r == Role::correct;
    out.roles.push_back(r);
    out.groups.push_back({.columns = picks[r]->match.members, .words = words && picks[r]->match.members.size() == 1});
  }
  const auto used = [&](std::size_t c) {
    return std::any_of(out.groups.begin(), out.groups.end(), [&](const CsvGroup& g) {
      return std::find(g.columns.begin(), g.columns.end(), c) != g.columns.end();
    });
  };
  for (std::size_t i = 0; i < picks.groups.size(); ++i) {
    if (picks.groups[i].source != &s) continue;
    const std::size_t c = picks.groups[i].match.members.at(0);
    if (used(c)) {
      out.apart.push_back(i);
      continue;
    }
    out.group_columns.push_back(i);
    out.groups.push_back({.columns = {c}, .words = true, .may_miss = true});
  }
  out.split = picks.split && s.is_table() && !used(*picks.split);
  if (out.split) out.groups.push_back({.columns = {*picks.split}, .words = true, .may_miss = true});
  return out;
}

void name_group(Array& array, const Pick& pick) { array.columns = {pick.match.spelled}; }

// The rows that a column says belong to the part.
std::vector<std::size_t> rows_of_part(const Array& column, const std::string& part) {
  std::vector<char> wanted;
  for (const std::string& word : *column.words) wanted.push_back(part_named(word) == part);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < column.rows(); ++i)
    if (column.code(i) >= 0 && wanted[static_cast<std::size_t>(column.code(i))]) out.push_back(i);
  return out;
}

// Reads one source. `at`: a piece of a table of about so many bytes, from there on.
Result<void> read_source(const Picks& picks, const Source& s, const CellRules& rules, TablePlace* at, std::size_t bytes,
                         Parts& parts, std::optional<Array>& split) {
  const Wanted wanted = wanted_of(picks, s);
  if (const auto fine = check_overlap(picks, s, wanted.roles); !fine) return fine;
  const TablePlace from = at ? *at : TablePlace{};
  auto arrays = at ? s.table()->read(wanted.groups, rules, *at, bytes) : s.read(wanted.groups, rules);
  if (!arrays) return arrays.error();
  std::size_t next = 0;
  for (const Role r : wanted.roles) parts[r] = std::move((*arrays)[next++]);
  for (const std::size_t i : wanted.group_columns) {
    parts.groups[i] = std::move((*arrays)[next++]);
    name_group(parts.groups[i], picks.groups[i]);
  }
  if (wanted.split) split = std::move((*arrays)[next]);
  for (const std::size_t i : wanted.apart) {
    const CsvGroup one{.columns = picks.groups[i].match.members, .words = true, .may_miss = true};
    TablePlace again = from;
    auto array = at ? s.table()->read(std::span(&one, 1), rules, again, static_cast<std::size_t>(at->at - from.at))
                    : s.read(std::span(&one, 1), rules);
    if (!array) return array.error();
    parts.groups[i] = std::move(array->front());
    name_group(parts.groups[i], picks.groups[i]);
  }
  return {};
}

}  // namespace

const TextTable* only_table(const Picks& picks) {
  const auto sources = sources_of(picks);
  if (sources.size() != 1) return nullptr;
  for (const Pick& group : picks.groups)
    if (group.source != sources[0]) return nullptr;
  return sources[0]->table();
}

Result<Parts> Dataset::parts_of(const Picks& picks, TablePlace* at, std::size_t bytes, ReadLog& log) const {
  if (const auto fine = check_rows(picks); !fine) return fine.error();
  const CellRules rules{.missing = names_.reading.drop_missing, .percent = names_.reading.percent};
  Parts parts{.reading = names_.reading};
  parts.groups.resize(picks.groups.size());
  std::optional<Array> split;
  const auto sources = sources_of(picks);
  for (const Source* s : sources)
    if (const auto done = read_source(picks, *s, rules, at, bytes, parts, split); !done) return done.error();
  for (std::size_t i = 0; i < picks.groups.size(); ++i) {  // of files that hold nothing else
    const Pick& p = picks.groups[i];
    if (std::find(sources.begin(), sources.end(), p.source) != sources.end()) continue;
    auto array = p.source->read(std::vector{CsvGroup{.columns = p.match.members, .words = true, .may_miss = true}});
    if (!array) return array.error();
    parts.groups[i] = std::move(array->front());
    name_group(parts.groups[i], p);
  }
  const Role main = *picks.main();
  parts.source = picks[main]->source->name();
  parts.class_names = parts[main]->classes.empty() ? picks[main]->match.class_names : parts[main]->classes;
  if (split) {
    const auto rows = rows_of_part(*split, picks.part);
    log.elsewhere += split->rows() - rows.size();
    if (rows.size() < split->rows()) keep_rows(parts, rows);
  }
  if (names_.reading.drop_missing) {
    const auto dropped = drop_missing(parts);
    if (!dropped) return dropped.error();
    log.dropped += *dropped;
    if (at == nullptr && *dropped > 0 && parts[main]->rows() == 0) return no_row_left(parts[main]->name);
  }
  return parts;
}

}  // namespace tare::detail::read
