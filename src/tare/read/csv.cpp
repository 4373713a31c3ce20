// The first line of a table: what separates its cells, and what it names. And files that are no tables.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "tare/core/lower.hpp"
#include "tare/read/csv.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

struct Other {
  std::string_view ending, extra;
};
constexpr std::array python_formats = {
    Other{".parquet", "parquet"}, Other{".pq", "parquet"}, Other{".feather", "parquet"}, Other{".arrow", "parquet"},
    Other{".ipc", "parquet"},     Other{".h5", "hdf5"},    Other{".hdf5", "hdf5"},       Other{".hdf", "hdf5"},
    Other{".xlsx", "excel"},      Other{".xlsm", "excel"}};
constexpr std::string_view old_excel = "save it as .xlsx or .csv: .xls is the format of Excel before 2007";

std::string command(const std::string& file, std::string_view extra) {
  return "python -m tare measure " + file + " reads it, after pip install 'tare[" + std::string(extra) + "]'";
}

// The name of the first member of a zip archive.
std::string_view first_member(std::string_view zip) {
  constexpr std::size_t at = 30, length_at = 26;
  if (zip.size() < at) return {};
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(zip[i])); };
  return zip.substr(at, byte(length_at) + 256 * byte(length_at + 1));
}

bool is_excel(std::string_view zip) {
  const std::string_view first = first_member(zip);
  return first.starts_with("[Content_Types]") || first.starts_with("_rels/") || first.starts_with("docProps/") ||
         first.starts_with("xl/");
}

}  // namespace

std::string reader_of(const std::string& path) {
  const std::string name = lower(path);
  if (name.ends_with(".xls")) return std::string(old_excel);
  for (const Other& other : python_formats)
    if (name.ends_with(other.ending)) return command("'" + foreign(path) + "'", other.extra);
  return {};
}

OtherFormat other_format(std::string_view start, const std::string& name) {
  const auto is = [&](const char* what, const std::string& ending, std::string_view extra) -> OtherFormat {
    const std::string by_name = reader_of(name);
    return {std::string("is ") + what,
            !by_name.empty() ? by_name
                             : "save it as a file that ends in " + ending + ": " + command("FILE" + ending, extra)};
  };
  if (start.starts_with("PAR1")) return is("a Parquet file", ".parquet", "parquet");
  if (start.starts_with("ARROW1")) return is("an Arrow file", ".arrow", "parquet");
  if (start.starts_with("FEA1")) return is("a Feather file", ".feather", "parquet");
  if (start.starts_with("\x89HDF\r\n")) return is("an HDF5 file", ".h5", "hdf5");
  if (start.starts_with("\xd0\xcf\x11\xe0")) return {"is an Excel file", std::string(old_excel)};
  if (start.starts_with("PK\x03\x04") && is_excel(start)) return is("an Excel file", ".xlsx", "excel");
  return {};
}

namespace {

constexpr std::string_view delimiters = ",\t;|";

// The cells of the line at `at`; nothing where its quotes are wrong. `at` moves to the next line.
std::optional<std::vector<std::string>> cells_of_line(Cursor& in) {
  std::vector<std::string> out;
  do {
    std::string cell;
    if (!in.cell(cell)) return std::nullopt;
    out.push_back(std::move(cell));
  } while (in.next());
  if (!in.done() && !in.at_break()) return std::nullopt;
  if (!in.done()) in.skip_break();
  return out;
}

// The cells of the next line; none: there is no such line, or its quotes are wrong.
std::vector<std::string> cells_of_next(Cursor in) {
  if (in.done() || in.at_break()) return {};
  return cells_of_line(in).value_or(std::vector<std::string>());
}

// One cell more than the header names: R's names of rows, in quotes, or 1, 2, ...
bool has_row_names(Cursor in, std::size_t names) {
  if (in.done() || in.at_break()) return false;
  const bool quoted = *in.at == '"';
  const auto first = cells_of_line(in);
  if (!first || first->size() != names + 1 || first->back().empty()) return false;
  if (quoted) return true;
  const auto second = cells_of_next(in);
  return first->front() == "1" && !second.empty() && second.front() == "2";
}

// Counted outside quotes, in the header; the most frequent wins. Blanks, where there is nothing else and the line below
// has as many cells, or one more: a name may have blanks in it.
char find_delimiter(const char* at, const char* end) {
  std::array<std::size_t, delimiters.size()> count{};
  bool inside = false;
  const char* const start = at;
  for (; at != end && (inside || !is_break(*at)); ++at) {
    if (*at == '"') inside = !inside;
    if (const std::size_t d = delimiters.find(*at); d != delimiters.npos && !inside) ++count[d];
  }
  const auto most = std::max_element(count.begin(), count.end());
  if (*most > 0) return delimiters[static_cast<std::size_t>(most - count.begin())];
  Cursor in{start, end, ' ', 1};
  const auto names = cells_of_line(in);
  const std::size_t below = names ? cells_of_next(in).size() : 0;
  return names && names->size() > 1 && (below == names->size() || below == names->size() + 1) ? ' ' : delimiters[0];
}

Result<bool> check_kind(std::string_view all, const std::string& name) {
  if (all.starts_with("\xff\xfe") || all.starts_with("\xfe\xff"))
    return bad_file(name, "is UTF-16 text", "save it as UTF-8", Errc::unsupported);
  if (auto other = other_format(all, name); !other.what.empty())
    return bad_file(name, std::move(other.what), std::move(other.remedy), Errc::unsupported);
  if (all.starts_with("\x93NUMPY") || all.starts_with("PK\x03\x04"))
    return bad_file(name, "is not text", "it is a NumPy file: name it .npy or .npz");
  return true;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \r\n") == std::string_view::npos; }

// The bytes of the first line with its break, or of all where it is the only one; nothing if it does not end soon.
Result<std::optional<std::size_t>> first_line(std::string_view all, bool whole, const std::string& name) {
  bool inside = false;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] == '\0')
      return bad_file(name, "is not text (byte " + std::to_string(at) + " is 0)",
                      "a table is lines of text; NumPy files end in .npy or .npz");
    if (at == longest_cell)
      return bad_file(name, "its first line is longer than " + std::to_string(longest_cell) + " bytes",
                      "the first line names the columns, each further line is a prediction");
    if (all[at] == '"') inside = !inside;
    if (is_break(all[at]) && !inside) return std::optional(at + 1);
  }
  return whole ? std::optional(all.size()) : std::optional<std::size_t>();
}

Result<bool> check_header(const std::vector<std::string>& names, const std::string& name) {
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (!sorted[i].empty() && sorted[i] == sorted[i - 1])
      return bad_file(name, "two columns are named " + read::quoted(sorted[i]), "give every column its own name");
  // pandas names unnamed columns 0, 1, ...; any other row of numbers is a row of data.
  bool counts = names.size() > 1, numbers = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    counts = counts && names[i] == std::to_string(i);
    numbers = numbers && is_number(names[i]);
  }
  if (numbers && !counts)
    return bad_file(name, "line 1 holds numbers (" + listed(names) + "), not the names of columns",
                    "begin the file with a line that names its columns, such as p_0,p_1,label; or pass `no_header`: "
                    "columns are then named 0, 1, 2, ...");
  return true;
}

}  // namespace

Result<bool> Csv::check_head(std::span<const std::byte> head, bool all, const std::string& name,
                             const TableRules& rules) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr std::size_t start_of_zip = 64;  // with the name of its first member
  if (text.starts_with("PK") && text.size() < start_of_zip && !all) return false;
  if (const auto fine = check_kind(text, name); !fine) return fine.error();
  const auto line = first_line(text, all, name);
  if (!line) return line.error();
  if (!*line) return false;
  if (is_blank(text.substr(0, **line)) && !all)
    return bad_file(name, "line 1 is blank", "the first line names the columns, each further line is a prediction");
  const auto table = open(head.first(**line), name, {}, rules);
  if (!table) return table.error();
  return true;
}

Result<Csv> Csv::open(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner,
                      const TableRules& rules) {
  std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const auto fine = check_kind(all, name); !fine) return fine.error();
  if (all.starts_with("\xef\xbb\xbf")) all.remove_prefix(3);
  if (is_blank(all))
    return bad_file(name, "the file is empty", "the first line names the columns, each further line is a prediction");
  if (const auto line = first_line(all, true, name); !line) return line.error();
  Csv out;
  out.name_ = name;
  out.owner_ = std::move(owner);
  out.end_ = all.data() + all.size();
  out.delimiter_ = rules.delimiter != 0 ? rules.delimiter : find_delimiter(all.data(), out.end_);
  Cursor in{all.data(), out.end_, out.delimiter_, 1};
  auto first = cells_of_line(in);
  if (!first) return bad_quotes(name, in.line);
  out.names_ = *std::move(first);
  if (!rules.header) {
    for (std::size_t i = 0; i < out.names_.size(); ++i) out.names_[i] = std::to_string(i);
    in = Cursor{all.data(), out.end_, out.delimiter_, 1};
  } else if (has_row_names(in, out.names_.size())) {
    out.names_.insert(out.names_.begin(), "");
  }
  out.body_ = in.at;
  out.body_line_ = in.line;
  if (!rules.header) return out;
  if (const auto fine = check_header(out.names_, name); !fine) return fine.error();
  return out;
}

bool Csv::is_end(const TablePlace& place) const {
  return std::all_of(place.at, end_, [](char c) { return is_break(c) || c == ' '; });
}

}  // namespace tare::detail::read
