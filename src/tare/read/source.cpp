#include "tare/read/source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "tare/core/lower.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/llm/llm.hpp"
#include "tare/read/mapped_file.hpp"
#include "tare/read/text.hpp"
#include "tare/read/zip.hpp"

namespace tare::detail::read {
namespace {

std::string ending(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  return dot == std::string::npos || path[dot] == '/' ? "" : lower(path.substr(dot));
}

// What is opened: the bytes stay where they are, kept alive by `owner`.
struct Given {
  std::span<const std::byte> bytes;
  const std::string& name;
  std::shared_ptr<const void> owner;
  const TableRules& rules;
  const Reading& reading;
};

template <class T>
Result<Source::Content> content(Result<T> result) {
  if (!result) return result.error();
  return Source::Content(*std::move(result));
}

Result<Source::Content> open_csv(const Given& g) { return content(Csv::open(g.bytes, g.name, g.owner, g.rules)); }

// Tables, and the logs of programs that evaluate language models.
Result<Source::Content> open_json(const Given& g) {
  if (const auto log = llm::recognised(g.bytes)) return content(llm::open(*log, g.bytes, g.name, g.reading));
  return content(Jsonl::open(g.bytes, g.name, g.owner));
}

using Head = std::span<const std::byte>;

// Looks at the first bytes of what comes through a pipe: false, more are needed (see HeadCheck).
Result<bool> csv_head(Head head, bool all, const std::string& name, const TableRules& rules) {
  return Csv::check_head(head, all, name, rules);
}
Result<bool> json_head(Head head, bool all, const std::string& name, const TableRules&) {
  return Jsonl::check_head(head, all, name);
}
template <Result<bool> (*check)(Head, const std::string&)>
Result<bool> magic_head(Head head, bool all, const std::string& name, const TableRules&) {
  constexpr std::size_t enough = 9;
  return head.size() < enough && !all ? Result<bool>(false) : check(head, name);
}
Result<bool> any_head(Head, bool, const std::string&, const TableRules&) { return true; }

// The formats, by the endings of files. A new one needs its line here.
struct Format {
  std::string_view ending;
  Result<bool> (*check_head)(Head head, bool all, const std::string& name, const TableRules& rules);
  Result<Source::Content> (*open)(const Given& given);
};
constexpr Format formats[] = {
    {".npy", magic_head<check_npy_magic>, [](const Given& g) { return content(parse_npy(g.bytes, g.name, g.owner)); }},
    {".npz", magic_head<check_zip_magic>, [](const Given& g) { return content(Npz::open(g.bytes, g.name, g.owner)); }},
    {".safetensors", magic_head<check_tensors_magic>,
     [](const Given& g) { return content(Tensors::open(g.bytes, g.name, g.owner)); }},
    {".csv", csv_head, open_csv},
    {".tsv", csv_head, open_csv},
    {".jsonl", json_head, open_json},
    {".ndjson", json_head, open_json},
    {".json", json_head, open_json},
    {".eval", magic_head<check_zip_magic>,
     [](const Given& g) { return content(llm::inspect(g.bytes, true, g.name, g.reading)); }},
    {".state", any_head,
     [](const Given& g) {
       return content<StateBytes>(StateBytes{g.owner, {reinterpret_cast<const char*>(g.bytes.data()), g.bytes.size()}});
     }},
};

// How the bytes are to be read.
struct FileKind {
  std::string ending;              // ".csv"
  const Format* format = nullptr;  // null: it is not known
  bool packed = false;
};

FileKind kind_of(const std::string& path) {
  const bool packed = ending(path) == ".gz";
  FileKind out{ending(packed ? path.substr(0, path.size() - 3) : path), nullptr, packed};
  const auto* const at =
      std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return f.ending == out.ending; });
  if (at != std::end(formats)) out.format = at;
  return out;
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
  return bad_option("delimiter", in_quotes(given), "not one character", "it is one character, `tab` or `space`");
}

// Of a log: not every sample has every word, which matters where it is no group.
Result<void> check_words(const Array& array, bool missing) {
  if (missing || array.dtype != DType::word) return {};
  for (std::size_t i = 0; i < array.rows(); ++i)
    if (array.code(i) < 0)
      return bad_input(array.place_of(i, {}, ""), "has no value", "leave out such rows: `drop_missing`");
  return {};
}

Error unknown_ending(const std::string& path, const std::string& ending) {
  return bad_file(path, "files that end in " + read::quoted(ending) + " are not known",
                  !reader_of(path).empty()
                      ? reader_of(path)
                      : "tare reads .npy, .npz, .safetensors, .csv, .tsv, .jsonl (these three also .gz), .eval "
                        "and .state; `format` csv says what it is, whatever its ending",
                  Errc::unsupported);
}

}  // namespace

Result<Source> Source::open(const std::string& path, const Reading& reading) {
  const std::string& format = reading.format;
  const auto rules = table_rules(reading);
  if (!rules) return rules.error();
  const std::string name = path == "-" ? "standard input" : path;
  FileKind kind = kind_of(path);
  if (!kind.format && !format.empty()) kind = kind_of("." + format);
  if (!kind.format && format.empty() && is_pipe(path)) kind.format = kind_of(".csv").format;
  if (!kind.format && !is_no_file(path)) return unknown_ending(path, kind.ending);
  const auto file = MappedFile::open(path, [&](Head head, bool all) {
    if (!kind.format) return Result<bool>(true);
    return kind.packed ? check_gzip_magic(head, all, name) : kind.format->check_head(head, all, name, *rules);
  });
  if (!file) return file.error();
  if (!kind.format) return unknown_ending(path, kind.ending);  // it was no file a moment ago
  Source out;
  out.name_ = name;
  out.path_ = path;
  Unpacked unpacked{*file, (*file)->bytes()};
  if (kind.packed) {
    auto all = gunzip(unpacked.bytes, name);
    if (!all) return all.error();
    unpacked = *std::move(all);
  }
  auto opened = kind.format->open({unpacked.bytes, out.name_, unpacked.owner, *rules, reading});
  if (!opened) return opened.error();
  out.content_ = *std::move(opened);
  return out;
}

const TextTable* Source::table() const {
  const TextTable* const csv = std::get_if<Csv>(&content_);
  return csv ? csv : std::get_if<Jsonl>(&content_);
}

bool Source::is_table_of_cells() const {
  return is_table() && std::find(names().begin(), names().end(), cell_column) != names().end();
}

const std::vector<std::string>& Source::names() const {
  static const std::vector<std::string> none;
  if (const auto* npz = std::get_if<Npz>(&content_)) return npz->names();
  if (const TextTable* text = table()) return text->names();
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
  if (const TextTable* text = table()) return text->read(groups, rules);
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

Result<const Source*> Files::open(const std::string& path, const Reading& reading) {
  auto at = std::find_if(opened_.begin(), opened_.end(), [&](const auto& one) { return one.first == path; });
  if (at == opened_.end()) at = opened_.emplace(opened_.end(), path, Source::open(path, reading));
  if (!at->second) return at->second.error();
  return &*at->second;
}

const std::optional<std::vector<std::string>>& Files::parts_of(const Source& source) {
  const auto [at, fresh] = parts_.try_emplace(&source);
  const auto column = fresh ? split_column(source) : std::nullopt;
  if (column) at->second = parts_of_column(source, *column);
  return at->second;
}

bool Files::has_split(const std::string& path, const std::string& split, const Reading& reading) {
  const auto opened = open(path, reading);
  if (!opened) return false;
  const Source& source = **opened;
  if (std::any_of(mains.begin(), mains.end(),
                  [&](Role r) { return plays(source.names(), r, split + "_", source.is_table()); }))
    return true;
  const auto& parts = parts_of(source);
  return parts && std::find(parts->begin(), parts->end(), split) != parts->end();
}

std::optional<std::size_t> split_column(const Source& source) {
  constexpr std::array names = {"split", "fold", "set", "partition", "subset", "dataset_split", "data_split"};
  if (!source.is_table()) return std::nullopt;
  for (std::size_t i = 0; i < source.names().size(); ++i)
    if (std::find(names.begin(), names.end(), lower(source.names()[i])) != names.end()) return i;
  return std::nullopt;
}

std::string_view part_named(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"train", "train"}, {"training", "train"},  {"val", "val"},        {"valid", "val"}, {"validation", "val"},
      {"dev", "val"},     {"test", "test"},       {"testing", "test"},   {"eval", "test"}, {"holdout", "test"},
      {"calib", "val"},   {"calibration", "val"}, {"evaluation", "test"}};
  const std::string word = lower(std::string(text));
  for (const auto& [spelled, part] : known)
    if (spelled == word) return part;
  return {};
}

std::optional<std::vector<std::string>> parts_of_column(const Source& source, std::size_t column) {
  const auto read = source.read(std::vector{CsvGroup{.columns = {column}, .words = true, .may_miss = true}});
  if (!read || !read->front().words) return std::nullopt;
  std::vector<std::string> out;
  for (const std::string& word : *read->front().words) {
    const std::string part(part_named(word));
    if (part.empty()) return std::nullopt;
    if (std::find(out.begin(), out.end(), part) == out.end()) out.push_back(part);
  }
  return out;
}

}  // namespace tare::detail::read
