#include "tare/read/source.hpp"

#include <filesystem>
#include <utility>

#include "tare/read/mapped_file.hpp"
#include "tare/read/npy.hpp"
#include "tare/read/text.hpp"
#include "tare/read/zip.hpp"

namespace tare::inner::read {
namespace {

std::string ending(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  std::string out = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

template <class T>
Result<bool> keep(std::variant<Array, Npz, Csv>& content, Result<T> result) {
  if (!result) return result.error();
  content = *std::move(result);
  return true;
}

constexpr std::size_t enough_for_magic = 6;

// What is not there, or is a folder, has a better message than that of its ending.
bool is_no_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return !std::filesystem::exists(status) || std::filesystem::is_directory(status);
}

}  // namespace

Result<Source> Source::open(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  const std::string format = path == "-" ? ".csv" : ending(path);
  const bool table = format == ".csv" || format == ".tsv";
  if (!table && format != ".npy" && format != ".npz" && !is_no_file(path))
    return Error{.code = Errc::unsupported,
                 .what = "files that end in " + read::quoted(format) + " are not known",
                 .place = file_place(path),
                 .remedy = "tare reads .npy, .npz, .csv, .tsv and .state, and CSV from standard input as -"};
  const auto file = MappedFile::open(path, [&](std::span<const std::byte> head, bool all) -> Result<bool> {
    if (table) return Csv::check_head(head, all, name);
    if (head.size() < enough_for_magic && !all) return false;
    if (format == ".npy") return check_npy_magic(head, name);
    return check_zip_magic(head, name);
  });
  if (!file) return file.error();
  Source out;
  out.name_ = name;
  const auto bytes = (*file)->bytes();
  Result<bool> read = table              ? keep(out.content_, Csv::open(bytes, name, *file))
                      : format == ".npy" ? keep(out.content_, parse_npy(bytes, name, *file))
                                         : keep(out.content_, Npz::open(bytes, name, *file));
  if (!read) return read.error();
  return out;
}

const std::vector<std::string>& Source::names() const {
  static const std::vector<std::string> none;
  if (const auto* npz = std::get_if<Npz>(&content_)) return npz->names();
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->names();
  return none;
}

Result<std::optional<std::size_t>> Source::rows(std::size_t member) const {
  if (const auto* array = std::get_if<Array>(&content_)) return std::optional(array->rows());
  if (is_table()) return std::optional<std::size_t>();
  const auto head = std::get_if<Npz>(&content_)->head(member);
  if (!head) return head.error();
  return std::optional(head->rows());
}

Result<std::vector<Array>> Source::read(std::span<const CsvGroup> groups, bool missing) const {
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->read(groups, missing);
  std::vector<Array> out;
  for (const CsvGroup& group : groups) {
    if (const auto* array = std::get_if<Array>(&content_)) {
      out.push_back(*array);
      continue;
    }
    auto array = std::get_if<Npz>(&content_)->read(group.columns.at(0));
    if (!array) return array.error();
    out.push_back(*std::move(array));
  }
  return out;
}

double Source::table_bytes() const {
  const auto* csv = std::get_if<Csv>(&content_);
  return csv ? 1.5 * static_cast<double>(csv->bytes()) : 0;  // a number is about as long in text
}

Source Source::take_front(std::size_t bytes) {
  Source out = *this;
  if (auto* csv = std::get_if<Csv>(&content_)) out.content_ = csv->take_front(bytes);
  return out;
}

}  // namespace tare::inner::read
