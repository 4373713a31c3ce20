// tare apply: a saved calibrator on new outputs, block by block, so that neither input nor output must fit into memory.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/fit/run.hpp"
#include "tare/read/text.hpp"
#include "tare/render/csv/csv.hpp"

namespace tare::detail::cli {
namespace {

// Rows of numbers as a .npy array, as the one array of an .npz archive, or as a table in text; block by block.
struct RowsShape {
  std::size_t n = 0;
  std::size_t columns = 1;
  std::string name = "probs";              // of the array in an archive
  std::vector<std::string> headings = {};  // of the columns of a table
};

class RowsOut {
 public:
  RowsOut(Output& file, Format format, RowsShape shape);
  Result<bool> begin();
  Result<bool> add(std::span<const double> rows);
  Result<bool> end();

 private:
  Result<bool> put(std::string_view bytes);  // of the array itself
  [[nodiscard]] std::string member() const { return shape_.name + ".npy"; }

  Output& file_;
  Format format_;
  RowsShape shape_;
  std::uint32_t crc_ = 0;
  std::uint64_t size_ = 0;
};

// Version 1.0 of the format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
std::string npy_header(std::size_t n, std::size_t columns) {
  std::string dict = fmt::format("{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}), }}",
                                 std::endian::native == std::endian::little ? '<' : '>',
                                 columns > 1 ? fmt::format("{}, {}", n, columns) : fmt::format("{},", n));
  constexpr std::size_t before = 10, alignment = 64;
  dict.append(alignment - 1 - (before + dict.size()) % alignment, ' ');
  dict += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dict.size() % 256);
  out += static_cast<char>(dict.size() / 256);
  return out + dict;
}

// Little-endian numbers, as ZIP has them.
class Zip {
 public:
  Zip& number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  Zip& text(std::string_view words) {
    out_ += words;
    return *this;
  }
  [[nodiscard]] const std::string& str() const { return out_; }

 private:
  std::string out_;
};

// One stored member; its checksum and size follow it (bit 3), and stand in the directory with 64 bits.
constexpr std::uint64_t in_extra = 0xFFFFFFFF, zip_version = 45, follows = 8, first_day = 0x21;

std::string local_header(const std::string& member) {
  return Zip()
      .number(0x04034b50, 4)
      .number(zip_version, 2)
      .number(follows, 2)
      .number(0, 2)  // stored
      .number(0, 2)
      .number(first_day, 2)
      .number(0, 4)
      .number(in_extra, 4)
      .number(in_extra, 4)
      .number(member.size(), 2)
      .number(20, 2)
      .text(member)
      .number(1, 2)
      .number(16, 2)
      .number(0, 8)
      .number(0, 8)
      .str();
}

std::string directory(const std::string& member, std::uint32_t crc, std::uint64_t size) {
  const std::uint64_t descriptor = 24, at = 30 + member.size() + 20 + size + descriptor;
  const std::string entry = Zip()
                                .number(0x02014b50, 4)
                                .number(zip_version, 2)
                                .number(zip_version, 2)
                                .number(follows, 2)
                                .number(0, 2)
                                .number(0, 2)
                                .number(first_day, 2)
                                .number(crc, 4)
                                .number(in_extra, 4)
                                .number(in_extra, 4)
                                .number(member.size(), 2)
                                .number(20, 2)
                                .number(0, 2)
                                .number(0, 2)
                                .number(0, 2)
                                .number(0, 4)
                                .number(0, 4)
                                .text(member)
                                .number(1, 2)
                                .number(16, 2)
                                .number(size, 8)
                                .number(size, 8)
                                .str();
  return Zip()
      .number(0x08074b50, 4)
      .number(crc, 4)
      .number(size, 8)
      .number(size, 8)
      .text(entry)
      .number(0x06064b50, 4)  // the end in 64 bits
      .number(44, 8)
      .number(zip_version, 2)
      .number(zip_version, 2)
      .number(0, 4)
      .number(0, 4)
      .number(1, 8)
      .number(1, 8)
      .number(entry.size(), 8)
      .number(at, 8)
      .number(0x07064b50, 4)  // where that is
      .number(0, 4)
      .number(at + entry.size(), 8)
      .number(1, 4)
      .number(0x06054b50, 4)  // the end as all readers look for it
      .number(0, 2)
      .number(0, 2)
      .number(1, 2)
      .number(1, 2)
      .number(entry.size(), 4)
      .number(in_extra, 4)
      .number(0, 2)
      .str();
}

// By the ending of the name; .npy where it has none.
Format rows_format(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".npz" ? Format::npz : ending == ".csv" ? Format::csv : Format::npy;
}

RowsOut::RowsOut(Output& file, Format format, RowsShape shape)
    : file_(file), format_(format), shape_(std::move(shape)) {}

Result<bool> RowsOut::put(std::string_view bytes) {
  crc_ = static_cast<std::uint32_t>(::crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  size_ += bytes.size();
  return file_.append(bytes);
}

Result<bool> RowsOut::begin() {
  if (format_ == Format::csv) return file_.append(render::csv_line(shape_.headings));
  if (format_ == Format::npz)
    if (auto fine = file_.append(local_header(member())); !fine) return fine;
  return put(npy_header(shape_.n, shape_.columns));
}

Result<bool> RowsOut::add(std::span<const double> rows) {
  if (format_ != Format::csv) return put({reinterpret_cast<const char*>(rows.data()), rows.size_bytes()});
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", rows[i], (i + 1) % shape_.columns == 0 ? '\n' : ',');
  return file_.append(out);
}

Result<bool> RowsOut::end() {
  return format_ == Format::npz ? file_.append(directory(member(), crc_, size_)) : Result<bool>(true);
}

}  // namespace

namespace of_apply {

const Page page{
    .name = "tare apply",
    .synopsis = {"tare apply MODEL FILE -o out.npy [options]", "tare apply MODEL --logits F -o out.npy [options]"},
    .description = {"Applies a calibrator that `tare fit` saved to outputs of the kind and number of classes it was "
                    "fitted on, and "
                    "writes probabilities: n rows of K float64 numbers, or n numbers where the input has one "
                    "per row; a model of two "
                    "classes takes either. The name decides the format: .npy, .npz (one array, probs) or .csv (one "
                    "column for each class). Labels are not needed. The input is mapped and the output written in "
                    "blocks, so neither has to fit into memory."},
    .examples = {{"tare apply t.json --logits test.npy -o probs.npy",
                  "then: tare measure --probs probs.npy --labels y.npy"},
                 {"tare apply t.json data/resnet110_cifar10.npz -o probs.npy", "the test half of an archive"},
                 {"tare apply t.json --logits test.npy -o calibrated.csv", "as a table: one column for each class"}},
};

struct Args {
  std::string model;
  read::Fold fold;
  std::string output;
  bool quiet = false;
  int threads = 1;
};

// One heading for each class, as `tare measure` reads them again.
std::vector<std::string> headings(const Predictions& predictions, std::size_t columns) {
  if (columns == 1) return {predictions.kind == Kind::confidences ? "confidence" : "p_1"};
  std::vector<std::string> out;
  for (std::size_t k = 0; k < columns; ++k)
    out.push_back("p_" + (k < predictions.class_names.size() ? predictions.class_names[k] : std::to_string(k)));
  return out;
}

Result<int> run(const Args& args) {
  if (args.output.empty())
    return Error{.code = Errc::bad_option,
                 .what = "no output file was given",
                 .remedy = "pass -o probs.npy, or -o - for standard output"};
  const auto data = read::Dataset::open(args.fold, read::LabelRule::unwanted);
  if (!data) return data.error();
  std::vector<std::string> inputs = data->inputs();
  inputs.push_back(args.model);
  const Format format = rows_format(args.output);
  auto file = Output::open(args.output, format, inputs);
  if (!file) return file.error();
  const auto model = fit::read_model(args.model);
  if (!model) return model.error();
  if (data->alone() != nullptr)
    return Error{.code = Errc::bad_input,
                 .what = "a state has no rows to apply a map to",
                 .place = read::file_place(data->source()),
                 .remedy = "name the file of the predictions themselves"};
  const auto predictions = data->read(args.threads);
  if (!predictions) return predictions.error();
  say_notes(*predictions, args.quiet);
  const auto map = fit::map_for(*model, *predictions);
  if (!map) return map.error();

  const std::size_t n = predictions->n, columns = predictions->matrix ? predictions->matrix->columns() : 1;
  const Reals values = predictions->matrix ? predictions->matrix->values() : predictions->confidences->score();
  RowsOut rows(*file, format,
               {n, columns, predictions->matrix ? "probs" : "confidences", headings(*predictions, columns)});
  if (auto fine = rows.begin(); !fine) return fine.error();
  const std::size_t block = std::max<std::size_t>(1, (std::size_t{1} << 20) / columns);
  std::vector<double> out;
  ProgressBar bar(args.quiet);
  const Progress progress = bar.callback();
  for (std::size_t first = 0; first < n; first += block) {
    out.resize(std::min(block, n - first) * columns);
    fit::apply_rows(**map, values, columns, first, out, args.threads);
    if (auto fine = rows.add(out); !fine) return fine.error();
    if (progress) progress("rows", first + out.size() / columns, n);
  }
  bar.clear();
  if (auto fine = rows.end(); !fine) return fine.error();
  const auto code = file->finish();
  if (code && file->is_file() && !args.quiet)
    talk(fmt::format("{} on {}: n = {}, K = {}; wrote {}\n", model->method, clean(predictions->source), n, model->k,
                     clean(args.output)));
  return code;
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  const auto input = [&](const char* name, std::string& to, const char* help) {
    return app.add_option(name, to, help)->group("INPUT")->type_name("F");
  };
  input("MODEL", args->model, "a file that `tare fit` saved")->required();
  app.add_option("FILE", args->fold.files,
                 "one .npz or .csv file whose names say what it holds; - is CSV on standard input")
      ->group("INPUT")
      ->type_name("F")
      ->expected(1);
  input("--logits", args->fold.logits, "scores before the softmax: n rows of K numbers, or n log-odds of class 1");
  input("--probs", args->fold.probs, "probabilities: n rows of K numbers, or n probabilities of class 1");
  input("--log-probs", args->fold.log_probs, "natural logarithms of probabilities, as for --probs");
  input("--confidences", args->fold.confidences, "the confidence of the predicted class");
  input("--split", args->fold.split,
        "which part of a file with test_* and val_* arrays (test), or with a column that says it for each row (all)")
      ->type_name("test|val|train")
      ->check(one_of({"test", "val", "train"}));
  add_reading(app, args->fold.reading);
  OptionTable table("OUTPUT");
  table.run(*args, "");
  add_options(app, table);
  app.add_option("-o,--output", args->output,
                 "the file to write, whole or not at all: .npy, .npz or .csv; - is .npy on standard output")
      ->type_name("F")
      ->group("OUTPUT");
  add_quiet(app, args->quiet);
  return [args] { return run(*args); };
}

}  // namespace of_apply

const Command apply_command{"apply", "a saved map on new outputs", of_apply::declare};

}  // namespace tare::detail::cli
