// tare list: the tables of the program, as it sees them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/core/version.hpp"
#include "tare/measure/spec.hpp"
#include "tare/render/layout.hpp"

namespace tare::cli {
namespace {

const Page page{
    .name = "tare list",
    .synopsis = {"tare list [--json]"},
    .description = {"Prints every estimator with what its number says and where it comes from. The names are those of "
                    "--estimators, of the JSON output and of the library."},
    .examples = {{"tare list", "for a person"}, {"tare list --json | jq -r '.estimators[].name'", "for a program"}},
};

std::vector<int> norms_of(const measure::Row& row) {
  if (row.norms == measure::Norms::none) return {};
  return row.norms == measure::Norms::two ? std::vector{2} : std::vector{1, 2};
}

std::string as_json() {
  nlohmann::ordered_json out{{"tare", TARE_VERSION}, {"command", "list"}, {"estimators", nlohmann::json::array()}};
  for (const measure::Row& row : measure::all())
    out["estimators"].push_back({{"name", row.name},
                                 {"title", row.title},
                                 {"summary", row.summary},
                                 {"citation", row.citation},
                                 {"estimand", row.estimand.empty() ? nlohmann::json() : nlohmann::json(row.estimand)},
                                 {"norms", norms_of(row)},
                                 {"bins", row.uses_bins},
                                 {"error", row.is_error}});
  return out.dump(2) + "\n";
}

std::string as_text() {
  const auto [width, colour] = terminal();
  constexpr std::size_t column = 12;
  std::string out;
  for (const measure::Row& row : measure::all()) {
    std::string facts(row.citation);
    const auto norms = norms_of(row);
    if (!norms.empty()) facts += norms.size() == 2 ? " · l1, l2" : " · l2";
    if (row.uses_bins) facts += " · --bins";
    const std::string body = render::wrap(row.summary, width, std::string(column, ' '));
    out += render::paint(row.name, render::Ink::bold, colour) + body.substr(row.name.size());
    out += render::paint(render::wrap(facts, width, std::string(column, ' ')), render::Ink::dim, colour);
  }
  return out;
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.formatter(std::make_shared<ManPage>(page));
  app.add_flag("--json", *json, "one JSON object")->group("OUTPUT");
  return [json]() -> Result<int> { return print(*json ? as_json() : as_text()) ? 0 : 2; };
}

}  // namespace

const Command list_command{"list", "every estimator: what it says and where it comes from", declare};

}  // namespace tare::cli
