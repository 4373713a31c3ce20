#include "tare/read/csv.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>

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

Error bad_quotes(const std::string& name, std::size_t line) {
  return {.code = Errc::bad_input,
          .what = "line " + std::to_string(line) + ": a quoted cell does not end where its quote ends",
          .place = file_place(name),
          .remedy = "close the quote, and write a quote inside a quoted cell twice"};
}

Result<bool> check_header(const std::vector<std::string>& names, const std::string& name) {
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (!sorted[i].empty() && sorted[i] == sorted[i - 1])
      return Error{.code = Errc::bad_input,
                   .what = "two columns are named " + quoted(sorted[i]),
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

struct Hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};

// What one group has gathered so far.
struct Gathered {
  std::vector<double> numbers = {};
  std::vector<std::int32_t> codes = {};
  std::vector<std::string> words = {};
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of = {};

  void add_word(const std::string& word) {
    const auto [at, fresh] = code_of.try_emplace(word, static_cast<std::int32_t>(words.size()));
    if (fresh) words.push_back(word);
    codes.push_back(at->second);
  }
};

class Pass {
 public:
  Pass(const std::string& name, const std::vector<std::string>& names, std::span<const CsvGroup> groups,
       const std::vector<char>& as_words)
      : name_(name), names_(names), groups_(groups), as_words_(as_words), gathered_(groups.size()) {
    group_of_.assign(names.size(), none);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::size_t c : groups[g].columns) {
        assert(group_of_[c] == none);
        group_of_[c] = g;
      }
  }

  Result<bool> run(Cursor in) {
    reserve(in);
    while (!in.done()) {
      if (in.at_break() && only_breaks(in)) break;
      if (in.at_break() && names_.size() > 1) return wrong_width(in.line, " is blank");
      lines_->add(rows_, in.line);
      if (auto r = row(in); !r) return r;
      ++rows_;
    }
    return true;
  }
  // The group to read again as words, if that is why the pass failed.
  [[nodiscard]] std::optional<std::size_t> wants_words() const { return wants_words_; }

  std::vector<Array> finish() {
    std::vector<Array> out;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      auto kept = std::make_shared<Gathered>(std::move(gathered_[g]));
      Array a{.shape = {rows_}, .name = name_, .lines = lines_};
      for (const std::size_t c : groups_[g].columns) a.columns.push_back(names_[c]);
      if (a.columns.size() > 1) a.shape.push_back(a.columns.size());
      if (as_words_[g]) {
        a.dtype = DType::word;
        a.data = reinterpret_cast<const std::byte*>(kept->codes.data());
        a.words = std::shared_ptr<const std::vector<std::string>>(kept, &kept->words);
      } else {
        a.data = reinterpret_cast<const std::byte*>(kept->numbers.data());
      }
      a.owner = std::move(kept);
      out.push_back(std::move(a));
    }
    return out;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // A cell takes at least two bytes, so that this asks for at most four times the file. The rows of a large file are
  // guessed from its beginning: it may be all holes.
  void reserve(const Cursor& in) {
    const auto bytes = static_cast<std::size_t>(in.end - in.at), seen = std::min(bytes, std::size_t{1} << 26);
    const auto breaks = static_cast<std::size_t>(std::count(in.at, in.at + seen, '\n'));
    const auto rows =
        static_cast<std::size_t>(static_cast<double>(breaks) *
                                 (static_cast<double>(bytes) / static_cast<double>(std::max(seen, std::size_t{1})))) +
        1;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (!as_words_[g]) gathered_[g].numbers.reserve(std::min(rows * groups_[g].columns.size(), bytes / 2 + 1));
  }

  static bool only_breaks(Cursor in) {
    return std::all_of(in.at, in.end, [](char c) { return is_break(c) || c == ' '; });
  }

  Result<bool> row(Cursor& in) {
    const std::size_t line = in.line;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const auto read = group_of_[c] == none ? skip(in) : cell(in, c);
      if (!read) return read;
      const bool last = c + 1 == names_.size();
      if (!last && !in.done() && *in.at == in.delimiter)
        ++in.at;
      else if (!last || (!in.done() && !in.at_break()))
        return wrong_width(line, (last ? " has more than " : " has ") + std::to_string(c + 1) + " cells");
    }
    if (!in.done()) in.skip_break();
    return true;
  }

  Result<bool> skip(Cursor& in) {
    in.skip_blanks();
    if (in.at == in.end || *in.at != '"') {
      in.skip_plain();
      return true;
    }
    const std::size_t line = in.line;
    if (!in.cell(scratch_)) return bad_quotes(name_, line);
    return true;
  }

  Result<bool> cell(Cursor& in, std::size_t c) {
    const std::size_t g = group_of_[c], line = in.line;
    if (!as_words_[g]) {
      // Nearly every cell is a bare number followed at once by what ends it.
      const char* const start = in.at;
      double value = 0;
      in.skip_blanks();
      if (parse_number(in.at, in.end, value) == Parsed::number && (in.skip_blanks(), in.at_cell_end())) {
        gathered_[g].numbers.push_back(value);
        return true;
      }
      in.at = start;
    }
    if (!in.cell(scratch_)) return bad_quotes(name_, line);
    if (as_words_[g]) {
      if (scratch_.empty()) return not_a_number(line, c, false);
      gathered_[g].add_word(scratch_);
      return true;
    }
    double value = 0;
    const char* at = scratch_.data();
    const char* const end = at + scratch_.size();
    const Parsed parsed = parse_number(at, end, value);
    if (parsed == Parsed::number && at == end) {  // it was in quotes
      gathered_[g].numbers.push_back(value);
      return true;
    }
    if (groups_[g].words && !scratch_.empty()) wants_words_ = g;
    return not_a_number(line, c, parsed == Parsed::too_large && at == end);
  }

  [[nodiscard]] Error not_a_number(std::size_t line, std::size_t c, bool too_large) const {
    Error e{.code = Errc::bad_input,
            .place = {.array = name_,
                      .spelled = name_ + ": line " + std::to_string(line) + ", column " + in_quotes(names_[c])},
            .remedy = "every cell of a column that is read must be a number"};
    if (scratch_.empty()) {
      e.what = "the cell is empty";
      e.remedy = "fill the cell or remove its row: a missing number is not a prediction";
    } else {
      e.what = quoted(scratch_) + (too_large ? " is too large for a number" : " is not a number");
      if (scratch_.find_first_not_of("+-0123456789,") == std::string::npos) e.remedy = "write decimals with a point";
    }
    return e;
  }

  [[nodiscard]] Error wrong_width(std::size_t line, const std::string& what) const {
    return {.code = Errc::bad_input,
            .what = "line " + std::to_string(line) + what + ", the header names " + std::to_string(names_.size()) +
                    " columns",
            .place = file_place(name_),
            .remedy = "every line needs one cell per column; put quotes around a cell that contains the separator"};
  }

  const std::string& name_;
  const std::vector<std::string>& names_;
  std::span<const CsvGroup> groups_;
  const std::vector<char>& as_words_;
  std::vector<Gathered> gathered_;
  std::vector<std::size_t> group_of_;
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  std::size_t rows_ = 0;
  std::string scratch_;
  std::optional<std::size_t> wants_words_;
};

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

Result<std::vector<Array>> Csv::read(std::span<const CsvGroup> groups) const {
  std::vector<char> as_words(groups.size(), 0);
  while (true) {
    Pass pass(name_, names_, groups, as_words);
    const auto done = pass.run({body_, end_, delimiter_, body_line_});
    if (done) return pass.finish();
    if (!pass.wants_words()) return done.error();
    as_words[*pass.wants_words()] = 1;  // a class name: once more, this column as words
  }
}

}  // namespace tare::inner::read
