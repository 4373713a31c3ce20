#include "tare/read/source.hpp"

#include <filesystem>
#include <utility>

#include "tare/core/lower.hpp"
#include "tare/read/gzip.hpp"
#include "tare/read/mapped_file.hpp"
#include "tare/read/npy.hpp"
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
    return is_csv() || is_json() || name == ".npy" || name == ".npz" || name == ".safetensors";
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

// Looks at the first bytes of what comes through a pipe.
Result<bool> check_start(const FileKind& kind, std::span<const std::byte> head, bool all, const std::string& name) {
  constexpr std::size_t enough = 9;
  if (kind.is_csv() && !kind.packed) return Csv::check_head(head, all, name);
  if (head.size() < enough && !all) return false;
  if (kind.packed || kind.is_json()) return true;
  if (kind.name == ".npy") return check_npy_magic(head, name);
  if (kind.name == ".safetensors") return check_tensors_magic(head, name);
  return check_zip_magic(head, name);
}

}  // namespace

Result<Source> Source::open(const std::string& path, const std::string& format) {
  const std::string name = path == "-" ? "standard input" : path;
  FileKind kind = kind_of(path);
  if (!kind.known() && !format.empty()) kind = kind_of("." + format);
  if (!kind.known() && format.empty() && is_pipe(path)) kind.name = ".csv";
  if (!kind.known() && !is_no_file(path))
    return Error{.code = Errc::unsupported,
                 .what = "files that end in " + read::quoted(kind.name) + " are not known",
                 .place = file_place(path),
                 .remedy =
                     "tare reads .npy, .npz, .safetensors, .csv, .tsv, .jsonl (these three also .gz) and .state; "
                     "`format` csv says what it is, whatever its ending"};
  const auto file = MappedFile::open(
      path, [&](std::span<const std::byte> head, bool all) { return check_start(kind, head, all, name); });
  if (!file) return file.error();
  Source out;
  out.name_ = name;
  Unpacked content{*file, (*file)->bytes()};
  if (kind.packed) {
    auto unpacked = gunzip(content.bytes, name);
    if (!unpacked) return unpacked.error();
    content = *std::move(unpacked);
  }
  if (const auto fine = out.parse(kind.name, content.bytes, content.owner); !fine) return fine.error();
  return out;
}

Result<bool> Source::parse(const std::string& kind, std::span<const std::byte> bytes,
                           std::shared_ptr<const void> owner) {
  if (kind == ".npy") return keep(content_, parse_npy(bytes, name_, std::move(owner)));
  if (kind == ".npz") return keep(content_, Npz::open(bytes, name_, std::move(owner)));
  if (kind == ".safetensors") return keep(content_, Tensors::open(bytes, name_, std::move(owner)));
  if (kind == ".csv" || kind == ".tsv") return keep(content_, Csv::open(bytes, name_, std::move(owner)));
  return keep(content_, Jsonl::open(bytes, name_, std::move(owner)));
}

const std::vector<std::string>& Source::names() const {
  static const std::vector<std::string> none;
  if (const auto* npz = std::get_if<Npz>(&content_)) return npz->names();
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->names();
  if (const auto* json = std::get_if<Jsonl>(&content_)) return json->names();
  if (const auto* tensors = std::get_if<Tensors>(&content_)) return tensors->names();
  return none;
}

Result<std::optional<std::size_t>> Source::rows(std::size_t member) const {
  if (const auto* array = std::get_if<Array>(&content_)) return std::optional(array->rows());
  if (is_table()) return std::optional<std::size_t>();
  const auto* npz = std::get_if<Npz>(&content_);
  const auto head = npz ? npz->head(member) : std::get_if<Tensors>(&content_)->read(member);
  if (!head) return head.error();
  return std::optional(head->rows());
}

Result<std::vector<Array>> Source::read(std::span<const CsvGroup> groups, bool missing) const {
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->read(groups, missing);
  if (const auto* json = std::get_if<Jsonl>(&content_)) return json->read(groups, missing);
  std::vector<Array> out;
  for (const CsvGroup& group : groups) {
    if (const auto* array = std::get_if<Array>(&content_)) {
      out.push_back(*array);
      continue;
    }
    const auto* npz = std::get_if<Npz>(&content_);
    auto array = npz ? npz->read(group.columns.at(0)) : std::get_if<Tensors>(&content_)->read(group.columns.at(0));
    if (!array) return array.error();
    out.push_back(*std::move(array));
  }
  return out;
}

double Source::table_bytes() const {
  const auto* csv = std::get_if<Csv>(&content_);
  const auto* json = std::get_if<Jsonl>(&content_);
  const std::size_t bytes = csv ? csv->bytes() : json ? json->bytes() : 0;
  return 1.5 * static_cast<double>(bytes);  // a number is about as long in text
}

Source Source::take_front(std::size_t bytes) {
  Source out = *this;
  if (auto* csv = std::get_if<Csv>(&content_)) out.content_ = csv->take_front(bytes);
  if (auto* json = std::get_if<Jsonl>(&content_)) out.content_ = json->take_front(bytes);
  return out;
}

}  // namespace tare::inner::read
