// The first line of a table: what separates its cells, and what it names.
#include "tare/read/csv.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

constexpr std::string_view delimiters = ",\t;|";

// Counted outside quotes, in the header; the most frequent wins.
char find_delimiter(const char* at, const char* end) {
  std::array<std::size_t, delimiters.size()> count{};
  bool inside = false;
  for (; at != end && (inside || !is_break(*at)); ++at) {
    if (*at == '"') inside = !inside;
    if (const std::size_t d = delimiters.find(*at); d != delimiters.npos && !inside) ++count[d];
  }
  return delimiters[static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin())];
}

Result<bool> check_kind(std::string_view all, const std::string& name) {
  if (all.starts_with("\xff\xfe") || all.starts_with("\xfe\xff"))
    return Error{
        .code = Errc::unsupported, .what = "is UTF-16 text", .place = file_place(name), .remedy = "save it as UTF-8"};
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
                 .remedy = "begin the file with a line that names its columns, such as p_0,p_1,label"};
  return true;
}

}  // namespace

Result<bool> Csv::check_head(std::span<const std::byte> head, bool all, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (const auto fine = check_kind(text, name); !fine) return fine.error();
  const auto line = first_line(text, all, name);
  if (!line) return line.error();
  if (!*line) return false;
  if (is_blank(text.substr(0, **line)) && !all)
    return Error{.code = Errc::bad_input,
                 .what = "line 1 is blank",
                 .place = file_place(name),
                 .remedy = "the first line names the columns, each further line is a prediction"};
  const auto table = open(head.first(**line), name);
  if (!table) return table.error();
  return true;
}

Result<Csv> Csv::open(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner) {
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
  out.delimiter_ = find_delimiter(all.data(), out.end_);
  Cursor in{all.data(), out.end_, out.delimiter_, 1};
  while (true) {
    std::string cell;
    if (!in.cell(cell)) return bad_quotes(name, in.line);
    out.names_.push_back(std::move(cell));
    if (in.done() || in.at_break()) break;
    ++in.at;
  }
  if (!in.done()) in.skip_break();
  out.body_ = in.at;
  out.body_line_ = in.line;
  if (const auto fine = check_header(out.names_, name); !fine) return fine.error();
  return out;
}

Csv Csv::take_front(std::size_t bytes) {
  constexpr std::size_t longest = std::size_t{1} << 24;  // a row that is longer ends with the table
  const char* const stop = body_ + std::min(bytes, this->bytes());
  const char* const limit = stop + std::min(longest, static_cast<std::size_t>(end_ - stop));
  const char* at = body_;
  std::size_t lines = 0;
  bool quoted = false;
  // to the first end of a line behind `stop` that is not inside quotes
  while (at < limit && (at < stop || quoted || at == body_ || at[-1] != '\n')) {
    quoted ^= *at == '"';
    lines += *at == '\n';
    ++at;
  }
  if (at == limit) at = end_;
  Csv out = *this;
  out.end_ = body_ = at;
  body_line_ += lines;
  return out;
}

}  // namespace tare::inner::read
