// tare partial and tare merge: files of any number become one state, and states become one.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "tare/cli/args.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/read/text.hpp"
#include "tare/state/file.hpp"
#include "tare/state/running.hpp"
#include "tare/state/sample.hpp"
#include "tare/state/sql.hpp"
#include "tare/write/file_set.hpp"

namespace tare::detail::cli {
namespace {

constexpr std::size_t longest_kept = 180;  // bytes: with the hash and an ending below the 255 of a file system

// Bytes of the character at the front; 0: they are no UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = at(0) < 0x80                    ? 1
                           : at(0) >= 0xC2 && at(0) < 0xE0 ? 2
                           : at(0) >= 0xE0 && at(0) < 0xF0 ? 3
                           : at(0) >= 0xF0 && at(0) < 0xF5 ? 4
                                                           : 0;
  if (size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  return size;
}

bool is_taken_as_it_is(char c, bool first) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 32 && byte != 127 && std::string_view("/\\:%*?\"<>|").find(c) == std::string_view::npos &&
         !(first && c == '.');
}

// FNV-1a: the same everywhere and for ever.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t out = 0xCBF29CE484222325;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return out;
}

// The file name of a group, without its ending: another one for each group, and the same on every day. What file
// systems do not take, and % itself, is %XX, as in addresses of the web. A name that is too long is cut between two
// characters and ends in %- and a hash of the whole; no name at all is %-.
std::string group_file_name(std::string_view group) {
  if (group.empty()) return "%-";
  std::string out;
  for (std::size_t i = 0; i < group.size();) {
    const std::size_t size = character_bytes(group.substr(i));
    const bool kept = size > 1 || (size == 1 && is_taken_as_it_is(group[i], i == 0));
    const std::string next =
        kept ? std::string(group.substr(i, size)) : fmt::format("%{:02X}", static_cast<unsigned char>(group[i]));
    if (out.size() + next.size() > longest_kept) return out + fmt::format("%-{:016x}", hash_of(group));
    out += next;
    i += kept ? size : 1;
  }
  return out;
}

}  // namespace

namespace {

namespace fs = std::filesystem;

// "10,000,000 rows, K = 10, top_label, 65,214 cells at step 15"
std::string said_of(const state::Running& state) {
  const state::Source& source = state.source();
  std::string out = fmt::format("{} rows", source.rows);
  if (source.classes > 0) out += fmt::format(", K = {}", source.classes);
  if (source.reduction) out += fmt::format(", {}", name(*source.reduction));
  if (source.group) out += fmt::format(", {} = {}", clean(source.group->column), clean(source.group->name));
  std::size_t cells = 0;
  bool exact = true;
  for (const state::State& part : state.parts()) {
    const state::Body body = part.body();
    cells += body.cells.size();
    exact = exact && body.step == state::exact_step;
  }
  return out + fmt::format(", {} cells, {}", cells,
                           exact ? "each of one score: nothing is lost"
                                 : "some of several scores: `tare measure` says how wide they are");
}

Result<int> save(const state::Running& state, Output& file, const std::string& path, bool quiet) {
  const auto bytes = state::to_bytes(state).value();
  const auto code = file.write(bytes);
  if (code && !quiet) talk("wrote " + clean(path) + ": " + said_of(state) + "\n");
  return code;
}

Error no_output() { return bad_option("no place for the state", "pass -o NAME.state"); }

}  // namespace

namespace of_partial {

const Page page{
    .name = "tare partial",
    .synopsis = {"tare partial FILE... -o part.state [options]", "tare partial --logits F --labels F -o part.state"},
    .description =
        {"Adds predictions up to a state: a small file that measure, test, fit, plot, report and bbc read like the "
         "predictions themselves. States of parts of the data, made anywhere and in any order, are merged by `tare "
         "merge`: the result is the same, bit for bit, however the rows were split. `tare state` is another name for "
         "this command.",
         "A state keeps scores in cells, at most --cells of them. With no more different scores than cells nothing is "
         "lost, and every number is that of the rows. With more, each score is known to within its cell, no cell "
         "crosses the edge of one of the --bins bins, and `tare measure` says how wide cells are: with 65,536 of them "
         "far below the sampling noise. Log loss and Brier score of more than two classes are kept as exact totals.",
         "All files are one data set: they hold the same columns. They are read one after the other and piece by "
         "piece: memory does not grow with their number or length, except for compressed archives, which are unpacked "
         "whole."},
    .examples = {{"tare partial val.npz -o val.state", "one file; many are fine"},
                 {"tare partial test.npz -o test.state", "another, perhaps on another machine"},
                 {"tare merge val.state test.state -o all.state", "both: the same as of all rows at once"},
                 {"tare measure all.state", "everything that `tare measure` says of rows"},
                 {"tare partial day.csv --group country -o countries", "one state for each country"}},
};

struct Args {
  read::Fold fold;
  std::string path = {}, group = {};
  state::RunningOptions options = {};
  int threads = 1;
  bool quiet = false;
};

read::Fold fold_of(const Args& args) {
  read::Fold out = args.fold;
  if (!args.group.empty()) out.groups = {args.group};
  return out;
}

// The rows of all files, piece by piece, as one data set.
Result<void> add_rows(const read::Dataset& data, int threads, bool quiet, const read::EachPiece& add) {
  ProgressBar bar(quiet);
  std::size_t rows = 0;
  const auto about = data.read_pieces(
                             [&](const Predictions& piece) {
                               rows += piece.n;
                               bar.stage(fmt::format("{} rows", rows));
                               return add(piece);
                             },
                             threads)
                         .value();
  bar.clear();
  if (quiet) return {};
  for (const std::string& note : about.notes) talk("note: " + clean(advice({.remedy = note}, flag)) + "\n");
  if (about.dropped > 0) talk(fmt::format("note: {} rows with missing values left out\n", about.dropped));
  return {};
}

// Every file: tables of cells are merged, the rows of all others are one data set.
Result<void> add_all(const read::Fold& names, int threads, bool quiet, const read::EachPiece& add,
                     const std::function<Result<void>(const state::Running&)>& merge) {
  const auto files = std::make_shared<read::Files>();
  read::Fold rows = names;
  rows.files.clear();
  for (const std::string& file : names.files) {
    if (state::names_a_state(file))
      return read::bad_file(file, "this is a state already", "`tare merge` puts states together");
    const bool look = names.groups.empty() && (names.files.size() == 1 || !file.ends_with(".gz"));  // unpacked later
    const auto opened = (look ? files->open(file, names.reading) : nullptr).value();
    if (opened == nullptr || !opened->is_table_of_cells()) {
      rows.files.push_back(file);
      continue;
    }
    const auto cells = state::read_cells(*opened).value();
    if (const auto done = merge(cells); !done) {
      Error error = done.error();
      error.place = read::file_place(file);
      return error;
    }
  }
  if (rows.files.empty() && !names.files.empty()) return {};
  const auto data = read::Dataset::open(rows, read::LabelRule::needed, files);
  return data ? add_rows(*data, threads, quiet, add) : data.error();
}

Result<int> run_groups(const Args& args, const std::vector<std::string>& inputs, const state::RunningOptions& options,
                       int threads) {
  if (state::names_a_state(args.path))
    return Error{.code = Errc::bad_option,
                 .what = "groups are several states, and this is the name of one",
                 .place = {.array = args.path},
                 .remedy = "pass -o FOLDER: it gets one .state for each group"};
  state::ByGroup states(options);
  add_all(
      fold_of(args), threads, args.quiet, [&](const Predictions& rows) { return states.add(rows, threads); },
      [](const state::Running&) { return Result<void>(); })
      .value();
  auto files = write::FileSet::open(args.path).value();
  std::string said;
  for (const auto& [group, state] : states.groups()) {
    const std::string name = group_file_name(group) + ".state", path = (fs::path(args.path) / name).string();
    if (const auto fine = check_not_input(path, inputs); !fine) return fine.error();
    const auto bytes = state::to_bytes(state).value();
    if (const auto fine = files.add(name, bytes); !fine) return fine.error();
    said += "wrote " + clean(path) + ": " + said_of(state) + "\n";
  }
  if (const auto fine = files.finish(); !fine) return fine.error();
  if (!args.quiet) talk(said);
  return 0;
}

Result<int> run(const Args& args) {
  if (args.path.empty()) return no_output();
  const int threads = args.threads;
  const state::RunningOptions& options = args.options;
  auto state = state::Running::make(options).value();
  const std::vector<std::string> inputs = read::inputs_of(fold_of(args));
  if (!args.group.empty()) return run_groups(args, inputs, options, threads);
  auto file = Output::open(args.path, Format::state, inputs).value();
  add_all(
      fold_of(args), threads, args.quiet, [&](const Predictions& rows) { return state.add(rows, threads); },
      [&](const state::Running& cells) { return state.merge(cells); })
      .value();
  return save(state, file, args.path, args.quiet);
}

void declare(CLI::App& app, Args& args) {
  add_fold(app, args.fold);
  app.get_option("FILE")->expected(0, -1)->type_name("F...")->description(
      "any files that `tare measure` reads: all their rows are one data set");
  OptionTable table = state_options(args.options);
  table.run(args, "");
  add_options(app, table);
  add_option(app, "STATE", "--group", args.group, "COLUMN",
             "one state for each group of rows, in the folder that -o names: a column with the group of each row");
  add_output(app, args.path, "the state, whole or not at all; with --group a folder");
  add_quiet(app, args.quiet);
}

}  // namespace of_partial

namespace of_merge {

const Page page{
    .name = "tare merge",
    .synopsis = {"tare merge FILE.state... -o all.state"},
    .description = {"Puts states together: the result is that of all their rows, bit for bit, in whatever order and in "
                    "however many steps they are merged. They must have the same reduction, number of classes, bins "
                    "and cells, and be of the same group (`tare partial --group`), unless --across-groups is given."},
    .examples = {{"tare merge val.state test.state -o all.state", "two parts; hundreds are fine"}},
};

struct Args {
  std::vector<std::string> files = {};
  std::string path = {};
  bool across_groups = false;
  bool quiet = false;
};

// Why another state was not merged.
Error not_merged(Error error, const std::string& path) {
  if (error.place.array == "group")
    error.remedy = "merge states of one group; --across-groups makes one state of several, which is of no group";
  error.place = read::file_place(path);
  return error;
}

Result<int> run(const Args& args) {
  if (args.path.empty()) return no_output();
  if (args.files.empty()) return bad_option("no states were named", "pass one or more .state files");
  auto file = Output::open(args.path, Format::state, args.files).value();
  std::optional<state::Running> all;
  ProgressBar bar(args.quiet);
  for (std::size_t i = 0; i < args.files.size(); ++i) {
    bar.stage(fmt::format("state {} of {}", i + 1, args.files.size()));
    auto one = state::read_state(args.files[i]).value();
    if (args.across_groups) one.forget_group();
    if (!all) {
      all = std::move(one);
      continue;
    }
    if (const auto done = all->merge(one); !done) return not_merged(done.error(), args.files[i]);
  }
  bar.clear();
  return save(*all, file, args.path, args.quiet);
}

void declare(CLI::App& app, Args& args) {
  add_option(app, "INPUT", "FILE", args.files, "F...", "states that `tare partial` or the library wrote");
  app.add_flag("--across-groups", args.across_groups, "states of different groups become one, which is of no group")
      ->group("INPUT");
  add_output(app, args.path, "the state, whole or not at all");
  add_quiet(app, args.quiet);
}

}  // namespace of_merge

const Command partial_command{"partial", "add predictions up to a state: any number of rows in a small file",
                              of_partial::page, declared<of_partial::Args, of_partial::declare, of_partial::run>};
const Command merge_command{"merge", "put states together", of_merge::page,
                            declared<of_merge::Args, of_merge::declare, of_merge::run>};

}  // namespace tare::detail::cli
