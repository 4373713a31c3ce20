#include "tare/paper/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <tare/version.hpp>
#include "tare/paper/study.hpp"
#include "tare/render/json/json_text.hpp"
#include "tare/write/whole_file.hpp"

namespace tare::detail::paper {
namespace {

namespace fs = std::filesystem;

Result<bool> saved(const RunOptions& options, const std::string& name, const std::string& text) {
  return write::write_file((fs::path(options.out) / name).string(), text);
}

std::string key_of(const Value& study, const RunOptions& options) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  const std::string words = fmt::format("{} {} {}", TARE_VERSION, options.seed, to_json(study));
  for (const char c : words) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("{:016x}", hash);
}

const Value& study_of(const Item& item, const RunOptions& options) { return options.quick ? item.quick : item.study; }

fs::path kept(const Item& item, const RunOptions& options) {
  return fs::path(options.out) / ".finished" / (key_of(study_of(item, options), options) + ".csv");
}

std::optional<Frame> finished(const Item& item, const RunOptions& options) {
  const fs::path path = kept(item, options);
  const auto text = read_file(path.string());
  if (!text) return std::nullopt;
  auto frame = Frame::from_csv(*text, path.string());
  return frame ? std::optional<Frame>(*std::move(frame)) : std::nullopt;
}

Result<Frame> studied(const Item& item, const RunOptions& options, const std::string& stage) {
  if (auto frame = finished(item, options)) return *std::move(frame);
  const fs::path path = kept(item, options);
  const Settings settings(study_of(item, options), item.name + ".study");
  Context context{.data = options.data,
                  .seed = options.seed,
                  .threads = options.threads,
                  .cancel = options.cancel,
                  .scratch = path.string() + ".going"};
  if (options.progress)
    context.progress = [&](std::string_view, std::size_t done, std::size_t total) {
      options.progress(stage, done, total);
    };
  const auto frame = find_kind(settings.text("kind"))->run(settings, context);
  if (!frame) return frame.error();
  if (const auto written = write::write_file(path.string(), frame->to_csv()); !written) return written.error();
  std::error_code ignored;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(path.parent_path(), ignored))
    if (entry.path().filename().string().starts_with(path.filename().string() + ".going")) old.push_back(entry.path());
  for (const fs::path& p : old) fs::remove(p, ignored);
  // what was kept is what is shown, also the first time
  return Frame::from_csv(frame->to_csv(), path.string());
}

// Everything that is shown of an item, and its files written.
Result<Exhibit> exhibit(const Item& item, Frame frame, const RunOptions& options) {
  auto all = with_published(std::move(frame), item);
  if (!all) return all.error();
  const Settings s(item.file, item.name);
  Exhibit out{.name = item.name,
              .group = item.group,
              .title = item.title,
              .what = s.text("what", ""),
              .choices = s.texts("choices"),
              .data = item.name + ".csv"};
  if (const auto w = saved(options, out.data, all->to_csv()); !w) return w.error();
  auto pictures = drawings(*all, item);
  if (!pictures) return pictures.error();
  out.pictures = *std::move(pictures);
  for (const Picture& p : out.pictures)
    if (const auto w = saved(options, p.file, p.svg); !w) return w.error();
  auto shown = tables(*all, item);
  if (!shown) return shown.error();
  out.tables = *std::move(shown);
  if (!out.tables.empty())
    if (const auto w = saved(options, item.name + ".md", markdown(out)); !w) return w.error();
  out.claims = judged(*all, item);
  if (!s.problem().empty()) return s.error();
  return out;
}

// An exception is a bug of this item's study, and the hours of the others are not to be lost to it.
Result<Exhibit> shown_item(const Item& item, const RunOptions& options, const std::string& stage) {
  try {
    auto frame = studied(item, options, stage);
    if (!frame) return frame.error();
    return exhibit(item, *std::move(frame), options);
  } catch (const std::exception& bug) {
    return Error{.code = Errc::io,
                 .what = fmt::format("{}: {}", foreign(item.name), foreign(bug.what())),
                 .remedy = "this is a bug of tare"};
  }
}

}  // namespace

Result<std::vector<Exhibit>> run(const std::vector<Item>& all, const std::vector<const Item*>& chosen,
                                 const RunOptions& options) {
  std::error_code failure;
  fs::create_directories(fs::path(options.out) / ".finished", failure);
  if (failure)
    return Error{.code = Errc::io,
                 .what = fmt::format("cannot make the folder {}: {}", foreign(options.out), failure.message()),
                 .remedy = "give another one with -o"};
  std::vector<Exhibit> shown;
  std::size_t number = 0, good = 0;
  std::optional<Error> first_failure;
  for (const Item& item : all) {
    const bool wanted = std::ranges::find(chosen, &item) != chosen.end();
    if (!wanted && !fs::exists(kept(item, options))) continue;
    if (options.cancel && options.cancel->load()) return interrupted();
    if (wanted) ++number;
    auto one = shown_item(item, options, fmt::format("{} ({}/{})", item.name, number, chosen.size()));
    if (!one && options.cancel && options.cancel->load()) return one.error();
    if (!one && !first_failure) first_failure = one.error();
    if (one)
      ++good;
    else
      one = Exhibit{.name = item.name, .group = item.group, .title = item.title, .problem = sentence(one.error())};
    shown.push_back(*std::move(one));
  }
  if (good == 0 && first_failure) return *std::move(first_failure);
  const Page page{.quick = options.quick, .seed = options.seed, .exhibits = shown};
  if (const auto w = saved(options, "index.html", html(page)); !w) return w.error();
  if (const auto w = saved(options, "papers.md", claims_markdown(page)); !w) return w.error();
  return shown;
}

using render::Json;

std::string json(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items)
    list.push_back(Json{{"name", item.name}, {"group", item.group}, {"title", item.title}});
  return Json{{"tare", TARE_VERSION}, {"command", "paper"}, {"items", list}}.indented();
}

std::string json(const std::vector<Exhibit>& exhibits, const Answered& how) {
  Json claims = Json::array(), missing = Json::array();
  for (const Exhibit& e : exhibits) {
    if (!e.problem.empty()) missing.push_back(Json{{"item", e.name}, {"problem", e.problem}});
    for (const Claim& c : e.claims)
      claims.push_back(Json{{"item", e.name},
                            {"id", c.id},
                            {"verdict", name(c.verdict)},
                            {"text", c.text},
                            {"found", c.found},
                            {"rule", c.rule}});
  }
  return Json{{"tare", TARE_VERSION}, {"command", "paper"}, {"seed", how.seed},       {"quick", how.quick},
              {"index", how.index},   {"claims", claims},   {"not_computed", missing}}
      .indented();
}

}  // namespace tare::detail::paper
