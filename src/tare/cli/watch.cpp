// tare watch: days against a reference. Has the curve moved, have only the scores drifted, is calibration lost?
#include "tare/watch/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tare/cli/args.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/read/mapped_file.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/text.hpp"
#include "tare/write/claim.hpp"

namespace tare::detail::cli {
namespace of_watch {

namespace fs = std::filesystem;

const Page page{
    .name = "tare watch",
    .synopsis = {"tare watch REFERENCE.state DAY.state... [options]", "tare watch REFERENCE.state FOLDER [options]",
                 "tare watch REFERENCE.state DAY.state --save RUNNING.watch",
                 "tare watch RUNNING.watch DAY.state --save RUNNING.watch"},
    .description =
        {"Compares days with a reference period, from states alone (`tare partial` makes them of predictions). Three "
         "questions are answered separately, because a drift of the scores changes every calibration error although "
         "nothing is wrong.",
         "Has the curve moved (p, change)? Hit rates of the day and of the reference are compared at equal scores, so "
         "that drift of the scores does not count; at the level --alpha on each day. Have the scores drifted (drift)? "
         "The test of Kolmogorov and Smirnov.",
         "Is calibration lost (lost)? Evidence of all days together, by bets against the scores. It may be looked at "
         "every day: if the model is calibrated, it reaches its alarm of 1 / alpha with a chance of at most alpha. The "
         "detector (lately) asks the same of the last days: if calibrated, it raises an alarm every --run-length days "
         "on average, or more seldom. The third (changed) is evidence that the curve is not that of the reference, "
         "which may itself be miscalibrated; its alarm is at 5 / alpha.",
         "Days are read in the order given, those of a folder in the order of their names; a day is called by its file "
         "name without the ending. With --save the watch is kept in one file, and the next day goes on from there. "
         "Days of a folder that are in it already are left out. Of several at once that save the same file each waits "
         "for the one before, and none loses a day.",
         "The exit status is 1 if one of the days added, or the last day, has one of the alerts that --alert names."},
    .examples = {{"tare watch reference.state today.state --alert moved", "one day: has the curve moved?"},
                 {"tare watch reference.state days/ --svg watch.svg", "a folder of dated states, with a picture"},
                 {"tare watch reference.state 2026-03-01.state --save running.watch", "the first day of a long watch"},
                 {"tare watch running.watch 2026-03-02.state --save running.watch || page_someone",
                  "every day after it"},
                 {"tare watch running.watch --json | jq '.days[-1].alerts'", "what the last day said"}},
};

struct Args {
  std::vector<std::string> files = {};
  std::string save = {}, svg = {};
  std::vector<std::string> alerts = {"lost", "lately", "changed"};
  WatchOptions options = {};
  std::vector<CLI::Option*> of_new_watch = {};  // options that a running one has already
  bool all = false;
  OutputArgs output = {};
};

struct Named {
  std::string path;
  bool from_folder = false;
  [[nodiscard]] std::string name() const { return fs::path(path).stem().string(); }
};

// Folders become the states in them.
Result<std::vector<Named>> days_of(const std::vector<std::string>& files) {
  std::vector<Named> out;
  for (const std::string& file : files) {
    std::error_code failure;
    if (!fs::is_directory(file, failure)) {
      out.push_back({file});
      continue;
    }
    std::vector<std::string> inside;
    for (fs::directory_iterator at(file, failure), end; !failure && at != end; at.increment(failure))
      if (at->path().extension() == ".state") inside.push_back(at->path().string());
    if (failure || inside.empty())
      return Error{.code = failure ? Errc::io : Errc::bad_input,
                   .what = failure ? failure.message() : "there is no .state file in this folder",
                   .place = {.array = file},
                   .remedy = "`tare partial` makes states of predictions"};
    std::sort(inside.begin(), inside.end());
    for (std::string& path : inside) out.push_back({std::move(path), true});
  }
  return out;
}

struct Opened {
  watch::Watch watch;
  bool running = false;  // it was saved before
};

Result<Opened> opened(const Args& args) {
  const auto file = read::MappedFile::open(args.files.front()).value();
  const std::string_view bytes = file->text();
  const std::string name = clean(args.files.front());
  const bool running = bytes.starts_with(watch::magic);
  for (const CLI::Option* option : args.of_new_watch)
    if (running && option->count() > 0)
      return bad_option("a running watch keeps the " + option->get_name() + " it began with",
                        "leave it out, or begin a new watch");
  auto watch = (running ? watch::from_bytes(bytes, name) : watch::Watch::make(bytes, name, args.options)).value();
  return Opened{std::move(watch), running};
}

// How many were added.
Result<std::size_t> add_days(watch::Watch& watch, const std::vector<Named>& days, ProgressBar& bar) {
  std::size_t added = 0;
  for (const Named& day : days) {
    if (day.from_folder && watch.has(day.name())) continue;
    bar.stage(fmt::format("day {} of {}", &day - days.data() + 1, days.size()));
    const auto file = read::MappedFile::open(day.path).value();
    if (const auto done = watch.add(file->text(), day.name()); !done) {
      Error error = done.error();
      error.place = {.array = clean(day.path)};
      return error;
    }
    ++added;
  }
  return added;
}

bool alerts(const WatchReport& report, std::size_t added, const std::vector<std::string>& named) {
  const std::size_t from = report.days.size() - std::min(std::max<std::size_t>(added, 1), report.days.size());
  for (std::size_t i = from; i < report.days.size(); ++i)
    for (std::size_t a = 0; a < std::size(alert_names); ++a)
      if (std::find(named.begin(), named.end(), alert_names[a]) != named.end() &&
          report.is(static_cast<Alert>(a), report.days[i]))
        return true;
  return false;
}

Result<bool> check_alerts(const std::vector<std::string>& named) {
  for (const std::string& word : named)
    if (std::find(std::begin(alert_names), std::end(alert_names), word) == std::end(alert_names))
      return bad_option("--alert has no '" + foreign(word) + "'",
                        fmt::format("it takes some of {}", fmt::join(alert_names, ", ")));
  return true;
}

// Two answers in one file would leave one of them.
Result<bool> check_different(const std::vector<std::pair<const char*, std::string>>& outputs) {
  const auto real = [](const std::string& path) {
    std::error_code ignored;
    const fs::path out = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
    return out.empty() ? path : out.string();
  };
  for (auto a = outputs.begin(); a != outputs.end(); ++a)
    for (auto b = std::next(a); b != outputs.end(); ++b) {
      std::error_code ignored;
      if (a->second.empty() || b->second.empty() || a->second == "-" || b->second == "-" ||
          fs::is_character_file(a->second, ignored))
        continue;
      if (real(a->second) == real(b->second) || fs::equivalent(a->second, b->second, ignored))
        return bad_option(fmt::format("{} and {} name the same file, {}", a->first, b->first, foreign(b->second)),
                          "give each a name of its own");
    }
  return true;
}

// A file that is opened before long work begins, where one is wanted.
std::optional<Output> wanted(const std::string& path, Format format, const std::vector<std::string>& inputs) {
  if (path.empty()) return std::nullopt;
  return Output::open(path, format, inputs).value();
}

Result<bool> keep(const std::optional<write::Claim>& claim, Output& file, const watch::Watch& watch) {
  const auto put = [&]() -> Result<bool> {
    const auto done = file.write(watch::to_bytes(watch));
    return done ? Result<bool>(true) : done.error();
  };
  return claim ? claim->replace(put) : put();
}

Result<int> run(const Args& args) {
  if (args.files.empty()) return bad_option("no reference was named", "pass REFERENCE.state DAY.state");
  if (const auto fine = check_alerts(args.alerts); !fine) return fine.error();
  const std::vector<std::string> others(args.files.begin() + 1, args.files.end());
  const auto days = days_of(others).value();
  std::vector<std::string> inputs{args.files.front()}, kept;
  for (const Named& day : days) kept.push_back(day.path);
  inputs.insert(inputs.end(), kept.begin(), kept.end());
  if (const auto fine = check_different({{"-o", args.output.path}, {"--svg", args.svg}, {"--save", args.save}}); !fine)
    return fine.error();
  auto answer = Output::open(args.output.path, args.output.format(), inputs).value();
  auto picture = wanted(args.svg, Format::svg, inputs);
  // From before it is read until it is saved: of several at once each goes on from what the last has saved.
  std::optional<write::Claim> claim;
  if (!args.save.empty() && args.save != "-") claim.emplace(write::Claim::of(args.save).value());
  auto open = opened(args).value();
  watch::Watch& watch = open.watch;
  // A running watch may take its own place.
  auto saved = wanted(args.save, Format::watch, open.running ? kept : inputs);

  ProgressBar bar(args.output.quiet);
  const auto added = add_days(watch, days, bar).value();
  bar.clear();
  WatchReport report = watch.report();
  if (!args.output.title.empty()) report.reference = args.output.title;
  const auto drawn = (picture ? render::watch_svg(report) : Result<std::string>("")).value();
  render::TextOptions style = answer.style();
  style.all = args.all;
  const auto code = answer.write(args.output.shown(report, style));
  if (!code) return code;
  if (picture)
    if (const auto done = picture->write(drawn); !done) return done.error();
  if (saved)
    if (const auto done = keep(claim, *saved, watch); !done) return done.error();
  for (const std::string& path : {args.output.path, args.svg, args.save})
    if (!path.empty() && path != "-" && !args.output.quiet) talk("wrote " + clean(path) + "\n");
  return alerts(report, added, args.alerts) ? 1 : 0;
}

void declare(CLI::App& app, Args& args) {
  add_option(app, "INPUT", "FILE", args.files, "F...",
             "the reference, or a running watch; then days, or folders of days");
  const char* group = "WATCHING";
  add_words(app, "--alert", args.alerts,
            "what makes the exit status 1: lost, lately, changed, moved, drifted (lost,lately,changed)")
      ->group(group);
  const OptionTable table = watch_options(args.options);
  add_options(app, table);
  for (const OptionEntry& entry : table) args.of_new_watch.push_back(app.get_option("--" + entry.flag()));
  add_option(app, "OUTPUT", "--save", args.save, "F.watch",
             "keep the watch in this file; it may be the one that was read");
  app.add_option("--svg", args.svg, "and draw the picture here")->type_name("F.svg")->group("OUTPUT");
  app.add_flag("--all", args.all, "every day in the terminal, not only the last 31")->group("OUTPUT");
  args.output.add(app);
}

}  // namespace of_watch

const Command watch_command{"watch", "days against a reference: has the curve moved, is calibration lost?",
                            of_watch::page, declared<of_watch::Args, of_watch::declare, of_watch::run>};

}  // namespace tare::detail::cli
