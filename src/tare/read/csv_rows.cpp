// The lines of a table below the first: cells into arrays.
#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "tare/read/csv.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

struct Hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};

// What one group has gathered so far.
struct Gathered {
  std::vector<double> numbers = {};
  std::vector<std::int32_t> codes = {};
  std::vector<std::string> words = {};
  int decimals = 0;  // the most digits after the point
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of = {};

  void see(std::string_view number) { decimals = std::max(decimals, decimals_of(number)); }
  void add_word(const std::string& word) {
    const auto [at, fresh] = code_of.try_emplace(word, static_cast<std::int32_t>(words.size()));
    if (fresh) words.push_back(word);
    codes.push_back(at->second);
  }
  void add_missing(bool word) {
    if (word)
      codes.push_back(-1);
    else
      numbers.push_back(std::numeric_limits<double>::quiet_NaN());
  }
};

class Pass {
 public:
  Pass(const std::string& name, const std::vector<std::string>& names, std::span<const CsvGroup> groups,
       const std::vector<char>& as_words, bool missing)
      : name_(name), names_(names), groups_(groups), as_words_(as_words), missing_(missing), gathered_(groups.size()) {
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
        in_order(groups_[g].columns, kept->numbers);
        a.decimals = kept->decimals;
        a.data = reinterpret_cast<const std::byte*>(kept->numbers.data());
      }
      a.owner = std::move(kept);
      out.push_back(std::move(a));
    }
    return out;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::size_t rows_looked_at = 4096;  // for their decimals

  // The numbers of each row are as the columns stand in the file: puts them in the order of `columns`.
  static void in_order(const std::vector<std::size_t>& columns, std::vector<double>& numbers) {
    if (std::is_sorted(columns.begin(), columns.end())) return;
    std::vector<std::size_t> sorted = columns, from;
    std::sort(sorted.begin(), sorted.end());
    for (const std::size_t c : columns)
      from.push_back(static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), c) - sorted.begin()));
    std::vector<double> row(columns.size());
    for (std::size_t at = 0; at < numbers.size(); at += row.size()) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = numbers[at + from[j]];
      std::copy(row.begin(), row.end(), numbers.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

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
        if (rows_ < rows_looked_at) gathered_[g].see({start, in.at});
        gathered_[g].numbers.push_back(value);
        return true;
      }
      in.at = start;
    }
    if (!in.cell(scratch_)) return bad_quotes(name_, line);
    if (missing_ && is_missing(scratch_)) {
      gathered_[g].add_missing(as_words_[g] != 0);
      return true;
    }
    if (as_words_[g]) {
      if (scratch_.empty()) return not_a_number(line, c, false);
      gathered_[g].add_word(scratch_);
      return true;
    }
    double value = 0;
    const std::string number = plain_number(in.delimiter);
    const char* at = number.data();
    const char* const end = at + number.size();
    const Parsed parsed = parse_number(at, end, value);
    if (parsed == Parsed::number && at == end) {  // it was in quotes, or as spreadsheets write it
      if (rows_ < rows_looked_at) gathered_[g].see(number);
      gathered_[g].numbers.push_back(value);
      return true;
    }
    if (groups_[g].words && !scratch_.empty()) wants_words_ = g;
    return not_a_number(line, c, parsed == Parsed::too_large && at == end);
  }

  // 0,25 between semicolons is 0.25, and 25% is 25.
  [[nodiscard]] std::string plain_number(char delimiter) const {
    std::string out = scratch_;
    const std::size_t comma = out.find(',');
    if (delimiter == ';' && comma != out.npos && out.find_first_of(".,", comma + 1) == out.npos) out[comma] = '.';
    if (out.size() > 1 && out.back() == '%') out.pop_back();
    return out;
  }

  [[nodiscard]] Error not_a_number(std::size_t line, std::size_t c, bool too_large) const {
    Error e{.code = Errc::bad_input,
            .place = {.array = name_,
                      .spelled = name_ + ": line " + std::to_string(line) + ", column " + in_quotes(names_[c])},
            .remedy = "every cell of a column that is read must be a number"};
    if (scratch_.empty()) {
      e.what = "the cell is empty";
      e.remedy = "fill the cell, or leave out such rows: `drop_missing`";
    } else {
      e.what = read::quoted(scratch_) + (too_large ? " is too large for a number" : " is not a number");
      if (scratch_.find_first_not_of("+-0123456789,") == std::string::npos) e.remedy = "write decimals with a point";
      if (is_missing(scratch_)) e.remedy = "leave out rows with missing numbers: `drop_missing`";
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
  bool missing_;
  std::vector<Gathered> gathered_;
  std::vector<std::size_t> group_of_;
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  std::size_t rows_ = 0;
  std::string scratch_;
  std::optional<std::size_t> wants_words_;
};

}  // namespace

Result<std::vector<Array>> Csv::read(std::span<const CsvGroup> groups, bool missing) const {
  std::vector<char> as_words(groups.size(), 0);
  while (true) {
    Pass pass(name_, names_, groups, as_words, missing);
    const auto done = pass.run({body_, end_, delimiter_, body_line_});
    if (done) return pass.finish();
    if (!pass.wants_words()) return done.error();
    as_words[*pass.wants_words()] = 1;  // a class name: once more, this column as words
  }
}

}  // namespace tare::inner::read
