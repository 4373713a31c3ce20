#include "tare/read/source.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tare/core/lower.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/gzip.hpp"
#include "tare/read/llm/llm.hpp"
#include "tare/read/mapped_file.hpp"
#include "tare/read/npy.hpp"
#include "tare/read/other_formats.hpp"
#include "tare/read/text.hpp"
#include "tare/read/zip.hpp"

namespace tare::inner::read {
namespace {

std::string ending(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  return dot == std::string::npos || path[dot] == '/' ? "" : lower(path.substr(dot));
}

// How the bytes are to be read.
struct FileKind {
  std::string name;  // ".csv"
  bool packed = false;
  [[nodiscard]] bool is_csv() const { return name == ".csv" || name == ".tsv"; }
  [[nodiscard]] bool is_json() const { return name == ".jsonl" || name == ".ndjson" || name == ".json"; }
  [[nodiscard]] bool known() const {
    return is_csv() || is_json() || name == ".npy" || name == ".npz" || name == ".safetensors" || name == ".eval" ||
           name == ".state";
  }
};

FileKind kind_of(const std::string& path) {
  if (const std::string last = ending(path); last != ".gz") return {last};
  return {ending(path.substr(0, path.size() - 3)), true};
}

template <class Content, class T>
Result<bool> keep(Content& content, Result<T> result) {
  if (!result) return result.error();
  content = *std::move(result);
  return true;
}

// What is not there, or is a folder, has a better message than that of its ending.
bool is_no_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return !std::filesystem::exists(status) || std::filesystem::is_directory(status);
}

bool is_pipe(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::is_fifo(path, ignored);
}

// "," or "tab"; empty: whatever separates the names.
Result<TableRules> table_rules(const Reading& reading) {
  TableRules out{.header = !reading.no_header};
  const std::string& given = reading.delimiter;
  if (given.empty()) return out;
  out.delimiter = given == "tab" || given == "\\t" ? '\t' : given == "space" || given == "blank" ? ' ' : given[0];
  const bool one = given.size() == 1 || out.delimiter == '\t' || out.delimiter == ' ';
  if (one && !is_break(out.delimiter) && out.delimiter != '"' && out.delimiter != '\0') return out;
  return Error{.code = Errc::bad_option,
               .what = "not one character",
               .place = {.array = "delimiter"},
               .value = in_quotes(given),
               .remedy = "it is one character, `tab` or `space`"};
}

// Looks at the first bytes of what comes through a pipe.
Result<bool> check_start(const FileKind& kind, std::span<const std::byte> head, bool all, const std::string& name,
                         const TableRules& rules) {
  constexpr std::size_t enough = 9;
  if (kind.is_csv() && !kind.packed) return Csv::check_head(head, all, name, rules);
  if (kind.packed) return check_gzip_magic(head, all, name);
  if (kind.is_json()) return Jsonl::check_head(head, all, name);
  if (head.size() < enough && !all) return false;
  if (kind.name == ".state") return true;
  if (kind.name == ".npy") return check_npy_magic(head, name);
  if (kind.name == ".safetensors") return check_tensors_magic(head, name);
  return check_zip_magic(head, name);
}

// Of a log: not every sample has every word, which matters where it is no group.
Result<void> check_words(const Array& array, bool missing) {
  if (missing || array.dtype != DType::word) return {};
  const auto* const code = reinterpret_cast<const std::int32_t*>(array.data);
  const auto none = std::find_if(code, code + array.rows(), [](std::int32_t c) { return c < 0; });
  if (none == code + array.rows()) return {};
  return Error{.code = Errc::bad_input,
               .what = "has no value",
               .place = array.place_of(static_cast<std::size_t>(none - code), {}, ""),
               .remedy = "leave out such rows: `drop_missing`"};
}

}  // namespace

Result<Source> Source::open(const std::string& path, const Reading& reading) {
  const std::string& format = reading.format;
  const auto rules = table_rules(reading);
  if (!rules) return rules.error();
  const std::string name = path == "-" ? "standard input" : path;
  FileKind kind = kind_of(path);
  if (!kind.known() && !format.empty()) kind = kind_of("." + format);
  if (!kind.known() && format.empty() && is_pipe(path)) kind.name = ".csv";
  if (!kind.known() && !is_no_file(path))
    return Error{
        .code = Errc::unsupported,
        .what = "files that end in " + read::quoted(kind.name) + " are not known",
        .place = file_place(path),
        .remedy = !reader_of(path).empty()
                      ? reader_of(path)
                      : "tare reads .npy, .npz, .safetensors, .csv, .tsv, .jsonl (these three also .gz), .eval "
                        "and .state; `format` csv says what it is, whatever its ending"};
  const auto file = MappedFile::open(
      path, [&](std::span<const std::byte> head, bool all) { return check_start(kind, head, all, name, *rules); });
  if (!file) return file.error();
  Source out;
  out.name_ = name;
  out.path_ = path;
  Unpacked content{*file, (*file)->bytes()};
  if (kind.packed) {
    auto unpacked = gunzip(content.bytes, name);
    if (!unpacked) return unpacked.error();
    content = *std::move(unpacked);
  }
  if (const auto fine = out.parse(kind.name, content.bytes, content.owner, *rules, reading); !fine) return fine.error();
  return out;
}

Result<bool> Source::parse(const std::string& kind, std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                           const TableRules& rules, const Reading& reading) {
  if (kind == ".npy") return keep(content_, parse_npy(bytes, name_, std::move(owner)));
  if (kind == ".npz") return keep(content_, Npz::open(bytes, name_, std::move(owner)));
  if (kind == ".safetensors") return keep(content_, Tensors::open(bytes, name_, std::move(owner)));
  if (kind == ".csv" || kind == ".tsv") return keep(content_, Csv::open(bytes, name_, std::move(owner), rules));
  if (kind == ".state") {
    content_ = StateBytes{std::move(owner), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    return true;
  }
  if (kind == ".eval") return keep(content_, llm::inspect(bytes, true, name_, reading));
  if (const auto log = llm::recognised(bytes)) return keep(content_, llm::open(*log, bytes, name_, reading));
  return keep(content_, Jsonl::open(bytes, name_, std::move(owner)));
}

bool Source::is_table_of_cells() const {
  return is_table() && std::find(names().begin(), names().end(), cell_column) != names().end();
}

const std::vector<std::string>& Source::names() const {
  static const std::vector<std::string> none;
  if (const auto* npz = std::get_if<Npz>(&content_)) return npz->names();
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->names();
  if (const auto* json = std::get_if<Jsonl>(&content_)) return json->names();
  if (const auto* tensors = std::get_if<Tensors>(&content_)) return tensors->names();
  if (const auto* log = records()) return log->names;
  return none;
}

Result<std::optional<std::size_t>> Source::rows(std::size_t member) const {
  if (const auto* array = std::get_if<Array>(&content_)) return std::optional(array->rows());
  if (is_table()) return std::optional<std::size_t>();
  if (const auto* log = records()) return std::optional(log->arrays.at(member).rows());
  const auto* npz = std::get_if<Npz>(&content_);
  const auto head = npz ? npz->head(member) : std::get_if<Tensors>(&content_)->read(member);
  if (!head) return head.error();
  return std::optional(head->rows());
}

Result<std::vector<Array>> Source::read(std::span<const CsvGroup> groups, const CellRules& rules) const {
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->read(groups, rules);
  if (const auto* json = std::get_if<Jsonl>(&content_)) return json->read(groups, rules);
  std::vector<Array> out;
  for (const CsvGroup& group : groups) {
    if (const auto* array = std::get_if<Array>(&content_)) {
      out.push_back(*array);
      continue;
    }
    if (const auto* log = records()) {
      out.push_back(log->arrays.at(group.columns.at(0)));
      if (const auto fine = check_words(out.back(), rules.missing || group.may_miss); !fine) return fine.error();
      continue;
    }
    const auto* npz = std::get_if<Npz>(&content_);
    auto array = npz ? npz->read(group.columns.at(0)) : std::get_if<Tensors>(&content_)->read(group.columns.at(0));
    if (!array) return array.error();
    out.push_back(*std::move(array));
  }
  return out;
}

std::size_t Source::table_bytes() const {
  const auto* csv = std::get_if<Csv>(&content_);
  const auto* json = std::get_if<Jsonl>(&content_);
  return csv ? csv->bytes() : json ? json->bytes() : 0;
}

TablePlace Source::begin() const {
  const auto* csv = std::get_if<Csv>(&content_);
  return csv ? csv->begin() : std::get<Jsonl>(content_).begin();
}

bool Source::is_end(const TablePlace& place) const {
  const auto* csv = std::get_if<Csv>(&content_);
  return csv ? csv->is_end(place) : std::get<Jsonl>(content_).is_end(place);
}

Result<std::vector<Array>> Source::read(std::span<const CsvGroup> groups, const CellRules& rules, TablePlace& at,
                                        std::size_t bytes) const {
  const auto* csv = std::get_if<Csv>(&content_);
  return csv ? csv->read(groups, rules, at, bytes) : std::get<Jsonl>(content_).read(groups, rules, at, bytes);
}

}  // namespace tare::inner::read
