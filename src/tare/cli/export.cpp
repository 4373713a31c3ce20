// tare export: a saved calibrator as code for other programs.
#include <fmt/format.h>

#include <filesystem>

#include "tare/cli/args.hpp"
#include "tare/core/clean.hpp"
#include "tare/fit/spec.hpp"
#include "tare/render/code/code.hpp"

namespace tare::detail::cli {
namespace of_export {

const Page page{
    .name = "tare export",
    .synopsis = {"tare export MODEL -o calibrate.hpp [--name N]", "tare export MODEL -o calibrate.sql [--score P]",
                 "tare export MODEL -o model.onnx [--append classifier.onnx]   (the Python package)"},
    .description =
        {"Writes a calibrator that `tare fit` saved as code for another program. The ending of the file says which.",
         ".hpp or .h: one self-contained header for C++17, without any library, that gives the same bits as `tare "
         "apply`; it can be used from C. .sql: an expression of standard SQL, for models of two classes and of "
         "confidences. .onnx: a graph, by the Python package: pip install 'tare[onnx]', then python -m tare export."},
    .examples = {{"tare export t.json -o calibrate.hpp", "then: calibrate::apply(logits, n, probabilities)"},
                 {"tare export binary.json -o calibrate.sql --score p", "an expression of the column p"}},
};

struct Args {
  std::string model, output, name, score, append, append_output;
  bool quiet = false;
};

Result<bool> check_options(const Args& args, Format format) {
  const auto unused = [&](const std::string& value, const char* flag, const char* for_what) -> Result<bool> {
    if (value.empty()) return true;
    return bad_option(std::string(flag) + " is for " + for_what, "leave it out, or name another file with -o");
  };
  if (auto fine = unused(args.append, "--append", "ONNX"); !fine) return fine;
  if (auto fine = unused(args.append_output, "--append-output", "ONNX"); !fine) return fine;
  return format == Format::sql ? unused(args.name, "--name", "headers") : unused(args.score, "--score", "SQL");
}

Result<Format> format_of(const std::string& path) {
  if (path.empty() || path == "-")
    return bad_option("no output file was given",
                      "pass -o calibrate.hpp, -o calibrate.sql or -o model.onnx: the ending says what is written");
  const std::string ending = ending_of(path);
  if (ending == ".hpp" || ending == ".h" || ending == ".hh" || ending == ".hxx") return Format::header;
  if (ending == ".sql") return Format::sql;
  if (ending == ".onnx")
    return failure(Errc::unsupported, "this program does not write ONNX",
                   "the Python package does: pip install 'tare[onnx]', then python -m tare export ...");
  return bad_option("the ending of '" + foreign(path) + "' is none of .hpp, .h, .sql and .onnx",
                    "it says what is written");
}

Result<int> run(const Args& args) {
  const auto format = format_of(args.output).value();
  if (auto fine = check_options(args, format); !fine) return fine.error();
  const auto model = fit::read_model(args.model).value();
  const fit::Calibrator* row = fit::find(model.method);
  const auto recipe = row->recipe(model).value();
  const std::string stem = std::filesystem::path(args.output).stem().string(), line = render::about(model, row->title);
  const std::string score = args.score.empty() ? "score" : args.score;
  const render::CodeOptions options{.name = args.name.empty() ? stem : args.name, .score = score, .about = line};
  const auto code =
      (format == Format::sql ? render::sql_expression(recipe, options) : render::cpp_header(recipe, options)).value();
  auto file = Output::open(args.output, format, {args.model}).value();
  const auto written = file.write(code);
  if (written && !args.quiet)
    talk(fmt::format("{} of {}; wrote {}\n", model.method, clean(args.model), clean(args.output)));
  return written;
}

void declare(CLI::App& app, Args& args) {
  add_model(app, args.model);
  const auto option = [&](const char* name, std::string& to, const char* help, const char* type) {
    app.add_option(name, to, help)->type_name(type)->group("OUTPUT");
  };
  option("-o,--output", args.output, "the file to write, whole or not at all: .hpp, .h, .sql or .onnx", "F");
  option("--name", args.name, "header: name of the namespace and of the functions for C (that of the file)", "N");
  option("--score", args.score, "SQL: the column with the score, or log-odds (score)", "P");
  option("--append", args.append, "ONNX: put the map behind this classifier", "F");
  option("--append-output", args.append_output, "ONNX: which output of it the map takes, if several could be it", "N");
  add_quiet(app, args.quiet);
}

}  // namespace of_export

const Command export_command{"export", "a saved map as a C++ header, as SQL or as ONNX", of_export::page,
                             declared<of_export::Args, of_export::declare, of_export::run>};

}  // namespace tare::detail::cli
