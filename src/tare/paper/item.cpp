#include "tare/paper/item.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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

}  // namespace tare::detail::paper
