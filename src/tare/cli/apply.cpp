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
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/fit/run.hpp"
#include "tare/read/text.hpp"

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

// Numbers one after the other, little-endian, as ZIP has them.
using U2 = std::uint16_t;
using U4 = std::uint32_t;
using U8 = std::uint64_t;
template <class... Numbers>
std::string zip_fields(Numbers... numbers) {
  std::string out;
  const auto put = [&](auto value) {
    for (std::size_t i = 0; i < sizeof value; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  };
  (put(numbers), ...);
  return out;
}

// One stored member; its checksum and size follow it (bit 3), and stand in the directory with 64 bits.
constexpr U4 in_extra = 0xFFFFFFFF;
constexpr U2 zip_version = 45, follows = 8, first_day = 0x21;

// The same in local header and directory: stored, at no time of the first day.
std::string zip_member(const std::string& name, U4 crc) {
  return zip_fields(zip_version, follows, U2(0), U2(0), first_day, crc, in_extra, in_extra, U2(name.size()), U2(20));
}
std::string zip_sizes(U8 size) { return zip_fields(U2(1), U2(16), size, size); }

std::string local_header(const std::string& member) {
  return zip_fields(U4(0x04034b50)) + zip_member(member, 0) + member + zip_sizes(0);
}

std::string directory(const std::string& member, U4 crc, U8 size) {
  const U8 descriptor = 24, at = 30 + member.size() + 20 + size + descriptor;
  const std::string entry = zip_fields(U4(0x02014b50), zip_version) + zip_member(member, crc) +
                            zip_fields(U2(0), U2(0), U2(0), U4(0), U4(0)) + member + zip_sizes(size);
  const std::string end64 =
      zip_fields(U4(0x06064b50), U8(44), zip_version, zip_version, U4(0), U4(0), U8(1), U8(1), U8(entry.size()), at);
  const std::string where_it_is = zip_fields(U4(0x07064b50), U4(0), U8(at + entry.size()), U4(1));
  const std::string end = zip_fields(U4(0x06054b50), U2(0), U2(0), U2(1), U2(1), U4(entry.size()), in_extra, U2(0));
  return zip_fields(U4(0x08074b50), crc, size, size) + entry + end64 + where_it_is + end;
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
                    "fitted on, and writes probabilities: n rows of K float64 numbers, or n numbers where the input "
                    "has one per row; a model of two classes takes either. The name decides the format: .npy, .npz "
                    "(one array, probs) or .csv (one column for each class). Labels are not needed. The input is "
                    "mapped and the output written in blocks, so neither has to fit into memory."},
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
    return bad_option("no output file was given", "pass -o probs.npy, or -o - for standard output");
  const auto data = read::Dataset::open(args.fold, read::LabelRule::unwanted).value();
  std::vector<std::string> inputs = data.inputs();
  inputs.push_back(args.model);
  const Format format = rows_format(args.output);
  auto file = Output::open(args.output, format, inputs).value();
  const auto model = fit::read_model(args.model).value();
  if (data.alone() != nullptr)
    return read::bad_file(data.source(), "a state has no rows to apply a map to",
                          "name the file of the predictions themselves");
  const auto predictions = data.read(args.threads).value();
  say_notes(predictions, args.quiet);
  const auto map = fit::map_for(model, predictions).value();

  const std::size_t n = predictions.n, columns = predictions.matrix ? predictions.matrix->columns() : 1;
  const Reals values = predictions.matrix ? predictions.matrix->values() : predictions.confidences->score();
  RowsOut rows(file, format,
               {n, columns, predictions.matrix ? "probs" : "confidences", headings(predictions, columns)});
  if (auto fine = rows.begin(); !fine) return fine.error();
  const std::size_t block = std::max<std::size_t>(1, (std::size_t{1} << 20) / columns);
  std::vector<double> out;
  ProgressBar bar(args.quiet);
  const Progress progress = bar.callback();
  for (std::size_t first = 0; first < n; first += block) {
    out.resize(std::min(block, n - first) * columns);
    fit::apply_rows(*map, values, columns, first, out, args.threads);
    if (auto fine = rows.add(out); !fine) return fine.error();
    if (progress) progress("rows", first + out.size() / columns, n);
  }
  bar.clear();
  if (auto fine = rows.end(); !fine) return fine.error();
  const auto code = file.finish();
  if (code && file.is_file() && !args.quiet)
    talk(fmt::format("{} on {}: n = {}, K = {}; wrote {}\n", model.method, clean(predictions.source), n, model.k,
                     clean(args.output)));
  return code;
}

void declare(CLI::App& app, Args& args) {
  const auto input = [&](const char* name, std::string& to, const char* help) {
    return app.add_option(name, to, help)->group("INPUT")->type_name("F");
  };
  add_model(app, args.model);
  add_option(app, "INPUT", "FILE", args.fold.files, "F",
             "one .npz or .csv file whose names say what it holds; - is CSV on standard input")
      ->expected(1);
  input("--logits", args.fold.logits, "scores before the softmax: n rows of K numbers, or n log-odds of class 1");
  input("--probs", args.fold.probs, "probabilities: n rows of K numbers, or n probabilities of class 1");
  input("--log-probs", args.fold.log_probs, "natural logarithms of probabilities, as for --probs");
  input("--confidences", args.fold.confidences, "the confidence of the predicted class");
  input("--split", args.fold.split,
        "which part of a file with test_* and val_* arrays (test), or with a column that says it for each row (all)")
      ->type_name("test|val|train")
      ->check(one_of({"test", "val", "train"}));
  add_reading(app, args.fold.reading);
  OptionTable table("OUTPUT");
  table.run(args, "");
  add_options(app, table);
  add_output(app, args.output,
             "the file to write, whole or not at all: .npy, .npz or .csv; - is .npy on standard output");
  add_quiet(app, args.quiet);
}

}  // namespace of_apply

const Command apply_command{"apply", "a saved map on new outputs", of_apply::page,
                            declared<of_apply::Args, of_apply::declare, of_apply::run>};

}  // namespace tare::detail::cli
