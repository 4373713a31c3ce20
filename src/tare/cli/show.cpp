// tare show: what a saved calibrator does.
#include "tare/analysis/describe_model.hpp"

#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::cli {
namespace of_show {

const Page page{
    .name = "tare show",
    .synopsis = {"tare show MODEL [options]"},
    .description = {"Prints what is in a file that `tare fit` saved: the method, how its fit ended, its numbers, where "
                    "it comes from if that was recorded, and a picture of what it does to a probability. Of a matrix "
                    "the entries are drawn."},
    .examples = {{"tare show t.json", "the temperature, and its curve"},
                 {"tare show t.json --class 3", "the curve of another class"}},
};

struct Args {
  std::string model, output;
  int shown = -1;
};

Result<int> run(const Args& args) {
  auto file = Output::open(args.output, Format::text, {args.model});
  if (!file) return file.error();
  const auto model = fit::read_model(args.model);
  if (!model) return model.error();
  const auto shown = analysis::describe_model(
      *model, args.shown < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(args.shown)));
  if (!shown) return shown.error();
  return file->write(render::text(*shown, terminal()));
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  app.add_option("MODEL", args->model, "a file that `tare fit` saved")->required()->type_name("F")->group("INPUT");
  app.add_option("--class", args->shown, "draw the curve of this class (the one that moves most)")
      ->type_name("J")
      ->group("OUTPUT");
  app.add_option("-o,--output", args->output, "write to this file")->type_name("F")->group("OUTPUT");
  return [args] { return run(*args); };
}

}  // namespace of_show

const Command show_command{"show", "what a saved map does", of_show::declare};

}  // namespace tare::detail::cli
