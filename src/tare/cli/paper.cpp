// tare paper: the two papers, recomputed beside the published numbers.
#include "tare/paper/run.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "tare/cli/args.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"

namespace tare::detail::cli {
namespace of_paper {

const Page page{
    .name = "tare paper",
    .synopsis = {"tare paper [NAME ...] [-o DIR] [options]", "tare paper --list"},
    .description = {"Recomputes the figures and tables of Guo et al. 2017 and Roelofs et al. 2022 with this program "
                    "and puts the published numbers beside ours. Every figure becomes CSV and SVG, every table CSV and "
                    "Markdown, and DIR/index.html shows all of it without a network. Each claim of the text is marked "
                    "reproduced, reproduced in direction, or not reproduced, by a rule in the data file of the figure.",
                    "NAME is a figure or table, or a group: roelofs, guo, beyond (our own estimator beside theirs), "
                    "all. Without a name, the two papers. What is finished stays in DIR: an interrupted run goes on "
                    "where it was, and another name is added to the page. The environment variables TARE_PAPER and "
                    "TARE_DATA name other folders for the data files and the networks."},
    .examples = {{"tare paper --quick -o out", "everything in a minute, with wide error bars"},
                 {"tare paper -o out", "everything"},
                 {"tare paper fig4 table2 -o out", "two of them"},
                 {"tare paper beyond -o out", "rank_poly where the papers' estimators were judged"}},
};

std::atomic<bool> stopped = false;

struct Args {
  std::vector<std::string> names;
  std::string out = "tare-paper";
  bool list = false, quick = false, json = false, quiet = false;
  std::uint64_t seed = 1;
  int threads = 0;
};

std::string listed(const std::vector<paper::Item>& items, bool json) {
  if (json) return paper::json(items);
  std::string out, group;
  for (const auto& item : items) {
    if (item.group != group) out += (out.empty() ? "" : "\n") + item.group + "\n";
    group = item.group;
    out += fmt::format("  {:<18} {}\n", item.name, item.title);
  }
  return out;
}

std::string answer(const std::vector<paper::Exhibit>& exhibits, const Args& args) {
  const std::string index = args.out + "/index.html";
  if (args.json) return paper::json(exhibits, {.seed = args.seed, .quick = args.quick, .index = index});
  std::string out;
  for (const paper::Exhibit& e : exhibits)
    for (const paper::Claim& c : e.claims) out += fmt::format("{:<16} {:<24} {}\n", e.name, name(c.verdict), c.id);
  return out + "\n" + index + "\n";
}

Result<int> run(const Args& args) {
  const auto folder = shipped_folder("paper", "TARE_PAPER", "README.md").value();
  const auto items = paper::load_items(folder).value();
  if (args.list) return print(listed(items, args.json)) ? 0 : 2;
  const auto chosen = paper::chosen(items, args.names).value();
  const auto data = shipped_folder("data", "TARE_DATA", "training_runs.csv").value();
  // Its files would be taken for shipped ones, and some would replace them.
  for (const std::string& shipped : {folder, data})
    if (std::error_code ignored; std::filesystem::equivalent(args.out, shipped, ignored))
      return bad_option("cannot write to " + foreign(args.out) + ": it is the folder of the inputs",
                        "give another one with -o");
  ProgressBar bar(args.quiet);
  stopped = false;
  const SignalGuard guard(SIGINT, [](int) { stopped = true; });
  const auto exhibits = paper::run(items, chosen,
                                   {.out = args.out,
                                    .data = data,
                                    .quick = args.quick,
                                    .seed = args.seed,
                                    .threads = args.threads,
                                    .progress = bar.callback(),
                                    .cancel = &stopped})
                            .value();
  bar.clear();
  bool failed = false;
  for (const paper::Exhibit& e : exhibits) {
    if (e.problem.empty()) continue;
    failed = true;
    talk(fmt::format("error: {} was not computed: {}\nhint: the others are written; the same command tries it again\n",
                     clean(e.name), clean(e.problem)));
  }
  return print(answer(exhibits, args)) && !failed ? 0 : 2;
}

void declare(CLI::App& app, Args& args) {
  app.add_option("NAME", args.names, "figures, tables or groups, as --list shows them")->type_name("")->group("WHAT");
  app.add_flag("--list", args.list, "name them all and stop")->group("WHAT");
  app.add_flag("--quick", args.quick, "fewer replicates")->group("WHAT");
  OptionTable table("WHAT");
  table.run(args, "seed; the same seed gives the same bytes, times excepted");
  add_options(app, table);
  add_option(app, "OUTPUT", "-o,--output", args.out, "DIR", "folder to write to, made if missing (tare-paper)");
  app.add_flag("--json", args.json, "one JSON object with every claim")->group("OUTPUT");
  add_quiet(app, args.quiet);
}

}  // namespace of_paper

const Command paper_command{"paper", "the two papers, recomputed beside the published numbers", of_paper::page,
                            declared<of_paper::Args, of_paper::declare, of_paper::run>};

}  // namespace tare::detail::cli
