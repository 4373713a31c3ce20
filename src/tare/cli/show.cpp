// tare show: what a saved calibrator does.
#include "tare/analysis/describe_model.hpp"

#include "tare/cli/args.hpp"

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
  auto file = Output::open(args.output, Format::text, {args.model}).value();
  const auto model = fit::read_model(args.model).value();
  const auto shown = analysis::describe_model(
                         model, args.shown < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(args.shown)))
                         .value();
  return file.write(render::text(shown, terminal()));
}

void declare(CLI::App& app, Args& args) {
  add_model(app, args.model);
  add_option(app, "OUTPUT", "--class", args.shown, "J", "draw the curve of this class (the one that moves most)");
  add_output(app, args.output, "write to this file");
}

}  // namespace of_show

const Command show_command{"show", "what a saved map does", of_show::page,
                           declared<of_show::Args, of_show::declare, of_show::run>};

}  // namespace tare::detail::cli
