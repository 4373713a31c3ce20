// tare sql: the query that makes the cells of a state inside a database.
#include "tare/state/sql.hpp"

#include "tare/cli/args.hpp"

namespace tare::detail::cli {
namespace of_sql {

const Page page{
    .name = "tare sql",
    .synopsis = {"tare sql --score P --label Y --table T [--by A,B] [--dialect D] [options]"},
    .description = {"Prints a query. Run it where the rows are, save what it returns as a CSV file, and give that to "
                    "`tare measure`, `tare partial` or any command that reads a state: no row leaves the database. All "
                    "arithmetic of the query is exact, so that every engine returns the same cells.",
                    "Cells are no finer than --step. `tare partial` makes cells of the same size where there are "
                    "hundreds of thousands of different scores, or few that lie apart; its file is then the same, bit "
                    "for bit. Otherwise the cells of the query are coarser, and `tare measure` says how coarse.",
                    "P, Y and T are SQL: a column, an expression, a table or a subquery in parentheses. P is the "
                    "probability of class 1 and Y is 1 where it happened; with --reduction top_label P is the "
                    "confidence of the predicted class and Y is 1 where it was right. With --by the answer has cells "
                    "of each group; tare reads all groups as one, so take the rows of one group to measure it."},
    .examples = {{"tare sql --score p --label y --table predictions", "for Spark SQL"},
                 {"tare sql --score p --label clicked --table log --by country,day --dialect duckdb", "groups"}},
};

struct Args {
  state::SqlOptions options;
  OutputArgs output;
};

Result<int> run(const Args& args) {
  const state::SqlOptions& options = args.options;
  for (const auto& [name, value] :
       {std::pair("score", &options.score), std::pair("label", &options.label), std::pair("table", &options.table)})
    if (value->empty())
      return Error{.code = Errc::bad_option,
                   .what = "not given",
                   .place = {.array = std::string("--") + name},
                   .remedy = "pass --score, --label and --table"};
  const auto query = state::cells_query(options).value();
  const Format format = ending_of(args.output.path) == ".sql" ? Format::sql : Format::text;
  auto file = Output::open(args.output.path, format, {}).value();
  return file.write(query);
}

void declare(CLI::App& app, Args& args) {
  add_options(app, sql_options(args.options));
  add_output(app, args.output.path, "write to a file, whole or not at all");
}

}  // namespace of_sql

const Command sql_command{"sql", "the query that makes a state inside a database", of_sql::page,
                          declared<of_sql::Args, of_sql::declare, of_sql::run>};

}  // namespace tare::detail::cli
