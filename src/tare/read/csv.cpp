// The first line of a table: what separates its cells, and what it names.
#include "tare/read/csv.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "tare/read/csv_cell.hpp"
#include "tare/read/other_formats.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
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
    return Error{
        .code = Errc::unsupported, .what = "is UTF-16 text", .place = file_place(name), .remedy = "save it as UTF-8"};
  if (auto other = other_format(all, name); !other.what.empty())
    return Error{.code = Errc::unsupported,
                 .what = std::move(other.what),
                 .place = file_place(name),
                 .remedy = std::move(other.remedy)};
  if (all.starts_with("\x93NUMPY") || all.starts_with("PK\x03\x04"))
    return Error{.code = Errc::bad_input,
                 .what = "is not text",
                 .place = file_place(name),
                 .remedy = "it is a NumPy file: name it .npy or .npz"};
  return true;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \r\n") == std::string_view::npos; }

// The bytes of the first line with its break, or of all where it is the only one; nothing if it does not end soon.
Result<std::optional<std::size_t>> first_line(std::string_view all, bool whole, const std::string& name) {
  bool inside = false;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] == '\0')
      return Error{.code = Errc::bad_input,
                   .what = "is not text (byte " + std::to_string(at) + " is 0)",
                   .place = file_place(name),
                   .remedy = "a table is lines of text; NumPy files end in .npy or .npz"};
    if (at == longest_cell)
      return Error{.code = Errc::bad_input,
                   .what = "its first line is longer than " + std::to_string(longest_cell) + " bytes",
                   .place = file_place(name),
                   .remedy = "the first line names the columns, each further line is a prediction"};
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
      return Error{.code = Errc::bad_input,
                   .what = "two columns are named " + read::quoted(sorted[i]),
                   .place = file_place(name),
                   .remedy = "give every column its own name"};
  // pandas names unnamed columns 0, 1, ...; any other row of numbers is a row of data.
  bool counts = names.size() > 1, numbers = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    counts = counts && names[i] == std::to_string(i);
    numbers = numbers && is_number(names[i]);
  }
  if (numbers && !counts)
    return Error{.code = Errc::bad_input,
                 .what = "line 1 holds numbers (" + listed(names) + "), not the names of columns",
                 .place = file_place(name),
                 .remedy =
                     "begin the file with a line that names its columns, such as p_0,p_1,label; or pass `no_header`: "
                     "columns are then named 0, 1, 2, ..."};
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
    return Error{.code = Errc::bad_input,
                 .what = "line 1 is blank",
                 .place = file_place(name),
                 .remedy = "the first line names the columns, each further line is a prediction"};
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
    return Error{.code = Errc::bad_input,
                 .what = "the file is empty",
                 .place = file_place(name),
                 .remedy = "the first line names the columns, each further line is a prediction"};
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
