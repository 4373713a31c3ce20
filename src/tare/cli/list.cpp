// tare list: the tables of the program, as it sees them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include <tare/version.hpp>
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/fit/spec.hpp"
#include "tare/infer/tests/statistic.hpp"
#include "tare/measure/spec.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/simulate/curves.hpp"
#include "tare/simulate/models.hpp"

namespace tare::inner::cli {
namespace of_list {

const Page page{
    .name = "tare list",
    .synopsis = {"tare list [--json]"},
    .description = {"Prints every estimator with what its number says and where it comes from, then every test, every "
                    "calibrator, and the truths of "
                    "`tare bbc`. The names are those of --estimators, --statistic, `tare fit`, --model and --curve, of "
                    "the JSON output and of the library."},
    .examples = {{"tare list", "for a person"}, {"tare list --json | jq -r '.estimators[].name'", "for a program"}},
};

std::vector<int> norms_of(const measure::Estimator& row) {
  if (row.norms == measure::Norms::none) return {};
  return row.norms == measure::Norms::two ? std::vector{2} : std::vector{1, 2};
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

std::string as_json() {
  nlohmann::ordered_json out{{"tare", TARE_VERSION},
                             {"command", "list"},
                             {"estimators", nlohmann::json::array()},
                             {"tests", nlohmann::json::array()},
                             {"calibrators", nlohmann::json::array()},
                             {"models", nlohmann::json::array()},
                             {"curves", nlohmann::json::array()}};
  for (const measure::Estimator& row : measure::all())
    out["estimators"].push_back({{"name", row.name},
                                 {"title", row.title},
                                 {"summary", row.summary},
                                 {"citation", row.citation},
                                 {"estimand", row.estimand.empty() ? nlohmann::json() : nlohmann::json(row.estimand)},
                                 {"norms", norms_of(row)},
                                 {"bins", row.uses_bins},
                                 {"error", row.is_error}});
  for (const infer::Test& row : infer::all_tests())
    out["tests"].push_back({{"name", row.name},
                            {"title", row.title},
                            {"summary", row.summary},
                            {"citation", row.citation},
                            {"two_sided", row.two_sided}});
  for (const fit::Calibrator& row : fit::all())
    out["calibrators"].push_back({{"name", row.name},
                                  {"title", row.title},
                                  {"summary", row.summary},
                                  {"citation", row.citation},
                                  {"options", words(row.options)},
                                  {"keeps_top_label", row.keeps_top_label}});
  for (const simulate::PublishedModel& row : simulate::models())
    out["models"].push_back(
        {{"name", row.name}, {"title", row.title}, {"alpha", row.alpha}, {"beta", row.beta}, {"curve", row.curve}});
  for (const simulate::CurveFamily& row : simulate::curves())
    out["curves"].push_back(
        {{"name", row.name},
         {"formula", row.formula},
         {"coefficients", std::vector<std::string_view>(row.coefficients.begin(), row.coefficients.end())}});
  return out.dump(2) + "\n";
}

std::string entry(std::string_view name, std::string_view summary, const std::string& facts) {
  const auto [width, colour] = terminal();
  const std::string column(12, ' ');
  const std::string body = render::wrap(summary, width, column);
  const bool fits = name.size() < column.size();  // a long name has its line for itself
  return render::paint(name, render::Ink::bold, colour) + (fits ? body.substr(name.size()) : "\n" + body) +
         render::paint(render::wrap(facts, width, column), render::Ink::dim, colour);
}

std::string as_text() {
  std::string out = "ESTIMATORS (tare measure)\n";
  for (const measure::Estimator& row : measure::all()) {
    std::string facts(row.citation);
    const auto norms = norms_of(row);
    if (!norms.empty()) facts += norms.size() == 2 ? " · l1, l2" : " · l2";
    if (row.uses_bins) facts += " · --bins";
    out += entry(row.name, row.summary, facts);
  }
  out += "\nTESTS (tare test; any error above is a statistic too)\n";
  for (const infer::Test& row : infer::all_tests())
    out += entry(row.name, row.summary, std::string(row.citation) + (row.two_sided ? " · two-sided" : ""));
  out += "\nCALIBRATORS (tare fit)\n";
  for (const fit::Calibrator& row : fit::all()) {
    std::string facts(row.citation);
    if (row.keeps_top_label) facts += " · keeps the predicted class";
    for (std::string option : words(row.options)) {
      std::replace(option.begin(), option.end(), '_', '-');
      facts += " · --" + option;
    }
    out += entry(row.name, row.summary, facts);
  }
  out += "\nMODELS (tare bbc --model), Roelofs et al. 2022, Tables 2 and 3\n";
  for (const simulate::PublishedModel& row : simulate::models())
    out += entry(row.name, row.title, fmt::format("scores Beta({}, {}) · curve {}", row.alpha, row.beta, row.curve));
  out += "\nCURVES (tare bbc --curve NAME:x,y)\n";
  for (const simulate::CurveFamily& row : simulate::curves()) {
    std::string names;
    for (const auto c : row.coefficients) names += (names.empty() ? "" : ",") + std::string(c);
    out += entry(row.name, row.formula, names.empty() ? "no coefficients" : names);
  }
  return out;
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.formatter(std::make_shared<ManPage>(page));
  app.add_flag("--json", *json, "one JSON object")->group("OUTPUT");
  return [json]() -> Result<int> { return print(*json ? as_json() : as_text()) ? 0 : 2; };
}

}  // namespace of_list

const Command list_command{"list", "every estimator, test, calibrator and truth: what it is and where it comes from",
                           of_list::declare};

}  // namespace tare::inner::cli
