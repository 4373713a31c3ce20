#include "tare/read/source.hpp"

#include <utility>

#include "tare/read/mapped_file.hpp"
#include "tare/read/npy.hpp"

namespace tare::read {
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

}  // namespace

Result<Source> Source::open(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  Source out;
  out.name_ = path == "-" ? "standard input" : path;
  const std::string format = path == "-" ? ".csv" : ending(path);
  const auto bytes = (*file)->bytes();
  Result<bool> read = Error{Errc::unsupported, path + ": files that end in '" + format + "' are not known",
                            "tare reads .npy, .npz, .csv and .tsv, and CSV from standard input as -"};
  if (format == ".npy") read = keep(out.content_, parse_npy(bytes, out.name_, *file));
  if (format == ".npz") read = keep(out.content_, Npz::open(bytes, out.name_, *file));
  if (format == ".csv" || format == ".tsv") read = keep(out.content_, Csv::open(bytes, out.name_, *file));
  if (!read) return read.error();
  return out;
}

const std::vector<std::string>& Source::names() const {
  static const std::vector<std::string> none;
  if (const auto* npz = std::get_if<Npz>(&content_)) return npz->names();
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->names();
  return none;
}

Result<std::vector<Array>> Source::read(std::span<const CsvGroup> groups) const {
  if (const auto* csv = std::get_if<Csv>(&content_)) return csv->read(groups);
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

}  // namespace tare::read
