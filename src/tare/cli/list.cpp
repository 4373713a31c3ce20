// tare list: the tables of the program, as it sees them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/fit/spec.hpp"
#include "tare/infer/tests/statistic.hpp"
#include "tare/measure/spec.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::cli {
namespace of_list {

const Page page{
    .name = "tare list",
    .synopsis = {"tare list [--json]"},
    .description = {"Prints every estimator with what its number says and where it comes from, then every test, every "
                    "calibrator, and the truths of `tare bbc`. The names are those of --estimators, --statistic, `tare "
                    "fit`, --model and --curve, of the JSON output and of the library."},
    .examples = {{"tare list", "for a person"}, {"tare list --json | jq -r '.estimators[].name'", "for a program"}},
};

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

Catalogue catalogue() {
  Catalogue out;
  for (const measure::Estimator& row : measure::all()) out.estimators.push_back(row);
  for (const infer::Test& row : infer::all_tests())
    out.tests.push_back({row.name, row.title, row.summary, row.citation, row.two_sided});
  for (const fit::Calibrator& row : fit::all())
    out.calibrators.push_back(
        {row.name, row.title, row.summary, row.citation, words(row.options), row.keeps_top_label});
  for (const simulate::PublishedModel& row : simulate::models())
    out.models.push_back({row.name, row.title, row.alpha, row.beta, row.curve});
  for (const simulate::CurveFamily& row : simulate::curves())
    out.curves.push_back({row.name, row.formula, {row.coefficients.begin(), row.coefficients.end()}});
  return out;
}

std::string entry(std::string_view name, std::string_view summary, const std::string& facts) {
  const render::TextOptions style = terminal();
  const int width = style.width;
  const std::string column(12, ' ');
  const std::string body = render::wrap(summary, width, column);
  const bool fits = name.size() < column.size();  // a long name has its line for itself
  return render::paint(name, render::Ink::bold, style.colour) + (fits ? body.substr(name.size()) : "\n" + body) +
         render::paint(render::wrap(facts, width, column), render::Ink::dim, style.colour);
}

std::string as_text(const Catalogue& catalogue) {
  std::string out = "ESTIMATORS (tare measure)\n";
  for (const EstimatorInfo& row : catalogue.estimators) {
    std::string facts(row.citation);
    if (row.norms != Norms::none)
      facts += row.norms == Norms::both ? " · l1, l2" : row.norms == Norms::one ? " · l1" : " · l2";
    if (row.uses_bins) facts += " · --bins";
    out += entry(row.name, row.summary, facts);
  }
  out += "\nTESTS (tare test; any error above is a statistic too)\n";
  for (const ListedTest& row : catalogue.tests)
    out += entry(row.name, row.summary, std::string(row.citation) + (row.two_sided ? " · two-sided" : ""));
  out += "\nCALIBRATORS (tare fit)\n";
  for (const ListedCalibrator& row : catalogue.calibrators) {
    std::string facts(row.citation);
    if (row.keeps_top_label) facts += " · keeps the predicted class";
    for (std::string option : row.options) {
      std::replace(option.begin(), option.end(), '_', '-');
      facts += " · --" + option;
    }
    out += entry(row.name, row.summary, facts);
  }
  out += "\nMODELS (tare bbc --model), Roelofs et al. 2022, Tables 2, 3\n";
  for (const ListedModel& row : catalogue.models)
    out += entry(row.name, row.title, fmt::format("scores Beta({}, {}) · curve {}", row.alpha, row.beta, row.curve));
  out += "\nCURVES (tare bbc --curve NAME:x,y)\n";
  for (const ListedCurve& row : catalogue.curves)
    out += entry(row.name, row.formula,
                 row.coefficients.empty() ? "no coefficients" : fmt::format("{}", fmt::join(row.coefficients, ",")));
  return out;
}

struct Args {
  bool json = false;
};

Result<int> run(const Args& args) {
  return print(args.json ? render::json(catalogue()) : as_text(catalogue())) ? 0 : 2;
}

void declare(CLI::App& app, Args& args) { app.add_flag("--json", args.json, "one JSON object")->group("OUTPUT"); }

}  // namespace of_list

const Command list_command{"list", "every estimator, test, calibrator and truth: what it is and where it comes from",
                           of_list::page, declared<of_list::Args, of_list::declare, of_list::run>};

}  // namespace tare::detail::cli
