#include "tare/paper/item.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "tare/core/suggest.hpp"
#include "tare/paper/rule.hpp"
#include "tare/paper/study.hpp"

namespace tare::detail::paper {
namespace {

namespace fs = std::filesystem;

Result<Item> load_item(const fs::path& path) {
  const auto text = read_file(path.string());
  if (!text)
    return Error{.code = Errc::io, .what = "cannot read " + foreign(path.string()), .remedy = "may you read it?"};
  auto value = parse_json(*text, path.string());
  if (!value) return value.error();
  Item out{.name = path.stem().string(), .group = {}, .title = {}, .file = *std::move(value), .study = {}, .quick = {}};
  const Settings s(out.file, path.filename().string());
  out.group = s.text("group");
  out.title = s.text("title");
  out.order = s.number("order");
  const Value* study = out.file.find("study");
  if (!study) s.wrong("'study' is missing");
  if (!s.problem().empty()) return s.error();
  out.study = *study;
  const Value* quick = out.file.find("quick");
  out.quick = quick ? merged(out.study, *quick) : out.study;
  if (const std::string kind = Settings(out.study, s.place() + ".study").text("kind", ""); !find_kind(kind)) {
    std::string known;
    for (const StudyKind& k : kinds()) known += (known.empty() ? "" : " ") + std::string(k.name);
    return Error{.code = Errc::bad_input,
                 .what = fmt::format("{}: there is no kind of study '{}'", foreign(path.string()), foreign(kind)),
                 .remedy = "there are: " + known};
  }
  return out;
}

ClaimVerdict verdict(const Frame& frame, Claim& claim) {
  const auto holds = evaluate(frame, claim.rule);
  if (!holds) {
    claim.found = sentence(holds.error());
    return ClaimVerdict::not_evaluated;
  }
  if (*holds != 0) return ClaimVerdict::reproduced;
  if (claim.direction.empty()) return ClaimVerdict::not_reproduced;
  const auto direction = evaluate(frame, claim.direction);
  if (!direction) {
    claim.found = sentence(direction.error());
    return ClaimVerdict::not_evaluated;
  }
  return *direction != 0 ? ClaimVerdict::in_direction : ClaimVerdict::not_reproduced;
}

// "ece:2": a column and its decimals
struct Column {
  std::string name;
  int digits = -1;  // as it is
  std::string title;
};

Column column_of(const std::string& text) {
  // NAME:DIGITS=TITLE, the latter two optional
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string left = text.substr(0, equals);
  const std::size_t colon = std::min(left.find(':'), left.size());
  Column out{left.substr(0, colon), -1, equals < text.size() ? text.substr(equals + 1) : left.substr(0, colon)};
  if (colon < left.size()) std::from_chars(left.data() + colon + 1, left.data() + left.size(), out.digits);
  return out;
}

std::string shown(const Cell& cell, int digits) {
  const auto* x = std::get_if<double>(&cell);
  if (!x || digits < 0) return text_of(cell);
  const std::string out = fmt::format("{:.{}f}", *x, digits);
  return out.starts_with("-") && out.find_first_not_of("-0.") == std::string::npos ? out.substr(1) : out;
}

TextTable plain_table(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  TextTable out;
  std::vector<Column> columns;
  for (const std::string& text : s.texts("columns")) columns.push_back(column_of(text));
  for (const Column& c : columns) out.head.push_back(c.title);
  for (const std::size_t r : rows) {
    out.rows.emplace_back();
    for (const Column& c : columns) out.rows.back().push_back(shown(frame.at(r, c.name), c.digits));
  }
  return out;
}

// Values of one column by two others; a second value stands behind the first in parentheses.
TextTable pivot_table(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  TextTable out;
  std::vector<Column> keys;
  for (const std::string& text : s.texts("rows")) keys.push_back(column_of(text));
  const std::string across = s.text("across");
  const Column value = column_of(s.text("value")), beside = column_of(s.text("beside", ""));
  const auto heads = values_of(frame, across, rows);
  for (const Column& key : keys) out.head.push_back(key.title);
  for (const Cell& head : heads) out.head.push_back(text_of(head));
  std::map<std::vector<std::string>, std::size_t> place;
  for (const std::size_t r : rows) {
    std::vector<std::string> key;
    for (const Column& k : keys) key.push_back(text_of(frame.at(r, k.name)));
    const auto [at, fresh] = place.try_emplace(key, out.rows.size());
    if (fresh) {
      out.rows.push_back(key);
      out.rows.back().resize(key.size() + heads.size());
    }
    const auto column = std::ranges::find(heads, frame.at(r, across)) - heads.begin();
    if (column == static_cast<std::ptrdiff_t>(heads.size())) continue;
    std::string text = shown(frame.at(r, value.name), value.digits);
    const std::string second = beside.name.empty() ? "" : shown(frame.at(r, beside.name), beside.digits);
    if (!second.empty()) text += (text.empty() ? "(" : " (") + second + ")";
    out.rows[at->second][key.size() + static_cast<std::size_t>(column)] = text;
  }
  return out;
}

Result<TextTable> formula_table(const Frame& frame, const Settings& s) {
  TextTable out;
  out.head = s.texts("head");
  const Value* cells = s.value().find("cells");
  const auto* rows = cells ? std::get_if<std::vector<Value>>(&cells->is) : nullptr;
  for (std::size_t r = 0; rows && r < rows->size(); ++r) {
    out.rows.emplace_back();
    const auto* row = std::get_if<std::vector<Value>>(&(*rows)[r].is);
    for (std::size_t c = 0; row && c < row->size(); ++c) {
      const auto* text = std::get_if<std::string>(&(*row)[c].is);
      const auto words = filled(frame, text ? *text : "");
      if (!words) return words.error();
      out.rows.back().push_back(*words);
    }
  }
  return out;
}

}  // namespace

Result<std::vector<Item>> load_items(const std::string& folder) {
  std::vector<Item> out;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (entry.path().extension() != ".json") continue;
    auto item = load_item(entry.path());
    if (!item) return item.error();
    out.push_back(*std::move(item));
  }
  if (failure || out.empty())
    return Error{.code = Errc::io,
                 .what = "there are no data files in " + foreign(folder),
                 .remedy = "set TARE_PAPER to the folder paper/ of the project"};
  std::ranges::sort(
      out, [](const Item& a, const Item& b) { return std::pair(a.order, a.name) < std::pair(b.order, b.name); });
  return out;
}

Result<std::vector<const Item*>> chosen(const std::vector<Item>& items, const std::vector<std::string>& names) {
  std::vector<const Item*> out;
  std::vector<std::string> known;
  for (const Item& item : items) known.push_back(item.name);
  for (const std::string& name : names) {
    const bool any = std::ranges::any_of(items, [&](const Item& i) { return i.name == name || i.group == name; });
    if (!any && name != "all")
      return Error{.code = Errc::bad_option,
                   .what = "there is no figure or table '" + foreign(name) + "'",
                   .remedy = did_you_mean(name, known, "`tare paper --list` names them all")};
  }
  for (const Item& item : items) {
    const bool named = std::ranges::any_of(
        names, [&](const std::string& n) { return n == item.name || n == item.group || n == "all"; });
    if (names.empty() ? item.group != "beyond" : named) out.push_back(&item);
  }
  return out;
}

Result<Frame> with_published(Frame frame, const Item& item) {
  const Value* published = item.file.find("published");
  if (!published) return frame;
  const Settings s(*published, item.name + ".published");
  const auto keys = s.texts("key");
  const auto where = Where::parse(s.text("where", ""));
  if (!where) s.wrong(sentence(where.error()));
  const auto rows = s.list("rows");
  if (!s.problem().empty()) return s.error();
  const auto ours = where->rows(frame);
  for (const Settings& row : rows) {
    Cells cells = cells_of(row);
    bool found = false;
    for (const std::size_t r : ours) {
      const bool same = std::ranges::all_of(cells, [&](const auto& cell) {
        return std::ranges::find(keys, cell.first) == keys.end() ||
               text_of(frame.at(r, cell.first)) == text_of(cell.second);
      });
      if (!same) continue;
      found = true;
      for (const auto& [name, cell] : cells)
        if (std::ranges::find(keys, name) == keys.end()) frame.set(r, name, cell);
    }
    if (!found) {
      cells.emplace_back("ours", "published only");
      frame.add(cells);
    }
  }
  return frame;
}

std::vector<Claim> judged(const Frame& frame, const Item& item) {
  std::vector<Claim> out;
  const Settings file(item.file, item.name);
  for (const Settings& s : file.list("claims")) {
    Claim claim{.id = s.text("id"),
                .text = s.text("text"),
                .place = s.text("place", ""),
                .rule = s.text("reproduced"),
                .direction = s.text("direction", "")};
    claim.verdict = verdict(frame, claim);
    if (claim.verdict != ClaimVerdict::not_evaluated) {
      const auto words = filled(frame, s.text("found", ""));
      claim.found = words ? *words : sentence(words.error());
      if (claim.verdict != ClaimVerdict::reproduced) claim.why = s.text("why", "");
    }
    if (!file.problem().empty()) {
      claim.found = file.problem();
      claim.verdict = ClaimVerdict::not_evaluated;
    }
    out.push_back(std::move(claim));
  }
  return out;
}

// Tables of a data file: columns of the rows, a pivot, or sentences with numbers in them.

Result<std::vector<TextTable>> tables(const Frame& frame, const Item& item) {
  std::vector<TextTable> out;
  const Settings file(item.file, item.name);
  for (const Settings& s : file.list("tables")) {
    const auto where = Where::parse(s.text("where", ""));
    if (!where) return where.error();
    const auto rows = where->rows(frame);
    if (s.has("cells")) {
      auto table = formula_table(frame, s);
      if (!table) return table.error();
      out.push_back(*std::move(table));
    } else {
      out.push_back(s.has("across") ? pivot_table(frame, s, rows) : plain_table(frame, s, rows));
    }
    out.back().title = s.text("title", "");
  }
  if (!file.problem().empty()) return file.error();
  return out;
}

}  // namespace tare::detail::paper
