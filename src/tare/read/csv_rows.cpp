// The lines of a table below the first: cells into arrays.
#include <algorithm>
#include <cassert>
#include <limits>

#include "tare/read/csv.hpp"
#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::detail::read {
namespace {

// What one group has gathered so far: one of the two.
struct Gathered {
  std::vector<double> numbers = {};
  WordColumn words = {};
};

class Pass {
 public:
  Pass(const std::string& name, const std::vector<std::string>& names, std::span<const CsvGroup> groups,
       const CellRules& rules)
      : name_(name), names_(names), groups_(groups), rules_(rules), gathered_(groups.size()) {
    group_of_.assign(names.size(), none);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::size_t c : groups[g].columns) {
        assert(group_of_[c] == none);
        group_of_[c] = g;
      }
  }

  // Rows from `in` on, until `bytes` of them are read; at least one.
  Result<bool> run(Cursor& in, std::size_t bytes) {
    const char* const start = in.at;
    reserve(in, bytes);
    while (!in.done() && (rows_ == 0 || static_cast<std::size_t>(in.at - start) < bytes)) {
      if (in.at_break() && only_breaks(in)) in.at = in.end;
      if (in.done()) break;
      if (in.at_break() && names_.size() > 1) return wrong_width(in.line, " is blank");
      lines_->add(rows_, in.line);
      if (auto r = row(in); !r) return r;
      ++rows_;
    }
    return true;
  }

  std::vector<Array> finish() {
    std::vector<Array> out;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Array a{.shape = {rows_}, .name = name_, .lines = lines_};
      for (const std::size_t c : groups_[g].columns) a.columns.push_back(names_[c]);
      if (a.columns.size() > 1) a.shape.push_back(a.columns.size());
      if (groups_[g].words) {
        a = std::move(gathered_[g].words).put_into(std::move(a));
      } else {
        const auto kept = std::make_shared<std::vector<double>>(std::move(gathered_[g].numbers));
        in_order(groups_[g].columns, *kept);
        a.data = reinterpret_cast<const std::byte*>(kept->data());
        a.owner = kept;
      }
      out.push_back(std::move(a));
    }
    return out;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

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

  // A cell takes at least two bytes, so that this asks for at most four times the piece. The rows of a large one are
  // guessed from its beginning: it may be all holes.
  void reserve(const Cursor& in, std::size_t most) {
    const auto bytes = std::min(most, static_cast<std::size_t>(in.end - in.at)),
               seen = std::min(bytes, std::size_t{1} << 26);
    const auto breaks = static_cast<std::size_t>(std::count(in.at, in.at + seen, '\n'));
    const auto rows =
        static_cast<std::size_t>(static_cast<double>(breaks) *
                                 (static_cast<double>(bytes) / static_cast<double>(std::max(seen, std::size_t{1})))) +
        1;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].words)
        gathered_[g].words.reserve(std::min(rows, bytes / 2 + 1));
      else
        gathered_[g].numbers.reserve(std::min(rows * groups_[g].columns.size(), bytes / 2 + 1));
  }

  static bool only_breaks(Cursor in) {
    return std::all_of(in.at, in.end, [](char c) { return is_break(c) || c == ' '; });
  }

  Result<bool> row(Cursor& in) {
    const std::size_t line = in.line;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const auto read = group_of_[c] == none ? skip(in) : cell(in, c);
      if (!read) return read;
      const bool last = c + 1 == names_.size(), more = in.next();
      if (more == last || (!more && !in.done() && !in.at_break()))
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
    if (groups_[g].words) return word(in, c);
    // Nearly every cell is a bare number followed at once by what ends it.
    const char* const start = in.at;
    double value = 0;
    in.skip_blanks();
    if (parse_number(in.at, in.end, value) == Parsed::number && (in.skip_blanks_behind(), in.at_cell_end())) {
      gathered_[g].numbers.push_back(value);
      return true;
    }
    in.at = start;
    if (!in.cell(scratch_)) return bad_quotes(name_, line);
    if (may_miss(g) && is_missing(scratch_)) {
      gathered_[g].numbers.push_back(std::numeric_limits<double>::quiet_NaN());
      return true;
    }
    const Parsed parsed = parse_spelled(scratch_, in.delimiter, rules_.percent, value);  // it was in quotes, or "25%"
    if (parsed != Parsed::number) return not_a_number(line, c, parsed == Parsed::too_large);
    gathered_[g].numbers.push_back(value);
    return true;
  }

  Result<bool> word(Cursor& in, std::size_t c) {
    WordColumn& to = gathered_[group_of_[c]].words;
    const std::size_t line = in.line;
    const char* const start = in.at;
    in.skip_plain();
    // Nearly every cell is bare, without blanks around it.
    if (in.at != start && *start != '"' && *start != ' ' && *start != '\t' && in.at[-1] != ' ' && in.at[-1] != '\t')
      scratch_.assign(start, in.at);
    else if (in.at = start; !in.cell(scratch_))
      return bad_quotes(name_, line);
    if (may_miss(group_of_[c]) ? is_missing(scratch_) : scratch_.empty()) {
      if (!may_miss(group_of_[c])) return not_a_number(line, c, false);
      to.add_missing();
      return true;
    }
    to.add(scratch_);
    return true;
  }

  [[nodiscard]] bool may_miss(std::size_t g) const { return rules_.missing || groups_[g].may_miss; }

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
    return bad_file(
        name_,
        "line " + std::to_string(line) + what + ", the header names " + std::to_string(names_.size()) + " columns",
        "every line needs one cell per column; put quotes around a cell that contains the separator");
  }

  const std::string& name_;
  const std::vector<std::string>& names_;
  std::span<const CsvGroup> groups_;
  CellRules rules_;
  std::vector<Gathered> gathered_;
  std::vector<std::size_t> group_of_;
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  std::size_t rows_ = 0;
  std::string scratch_;
};

}  // namespace

Result<std::vector<Array>> Csv::read(std::span<const CsvGroup> groups, const CellRules& rules, TablePlace& at,
                                     std::size_t bytes) const {
  Pass pass(name_, names_, groups, rules);
  Cursor in{at.at, end_, delimiter_, at.line};
  if (const auto done = pass.run(in, bytes); !done) return done.error();
  at = {in.at, in.line};
  return pass.finish();
}

}  // namespace tare::detail::read
