// The objects of JSON lines: their members into arrays.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "tare/read/csv_cell.hpp"
#include "tare/read/json_text.hpp"
#include "tare/read/jsonl.hpp"
#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::inner::read {
namespace {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

// What one group has gathered so far.
struct Rows {
  std::vector<double> numbers = {};
  WordColumn words = {};
  std::size_t width = 0;                                            // numbers in a row; 0: no row yet
  std::vector<std::string> classes = {};                            // of an object of numbers
  std::unordered_map<std::string_view, std::size_t> place_of = {};  // of a class
  std::size_t pending = 0;  // rows without a value before the first that has one

  // The first row tells how many numbers a row has.
  void begin(std::size_t count) {
    width = count;
    numbers.insert(numbers.begin(), pending * width, not_there);
    pending = 0;
  }
  void add_row() { numbers.resize(numbers.size() + width, not_there); }
};

// Where a member of an object goes: to which group, and to which place of its row.
struct Target {
  std::size_t group = 0, place = 0;
};

class JsonPass {
 public:
  JsonPass(const std::string& name, const std::vector<std::string>& names, const std::vector<JsonMember>& members,
           std::span<const CsvGroup> groups, const CellRules& rules)
      : name_(name), names_(names), groups_(groups), rules_(rules), rows_(groups.size()) {
    targets_.resize(names.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const JsonMember& first = members[groups[g].columns.at(0)];
      as_words_.push_back(groups[g].words && first.scalar);
      if (groups[g].columns.size() == 1 && !first.classes.empty()) {
        rows_[g].classes = first.classes;
        rows_[g].width = first.classes.size();
        for (std::size_t j = 0; j < first.classes.size(); ++j) rows_[g].place_of.emplace(first.classes[j], j);
      }
      for (std::size_t j = 0; j < groups[g].columns.size(); ++j) {
        targets_[groups[g].columns[j]] = Target{g, j};
        wanted_.push_back(groups[g].columns[j]);
      }
    }
    for (std::size_t i = 0; i < names.size(); ++i) place_of_.emplace(names[i], i);
    seen_.resize(names.size());
  }

  // Objects from `in` on, until `bytes` of them are read; at least one. Commas stand between those of an array.
  Result<bool> run(JsonText& in, std::size_t& line, bool array, std::size_t bytes) {
    const char* const start = in.at;
    line_ = line;
    counted_ = in.at;
    while (!in.done() && in.peek() != ']' && (n_ == 0 || static_cast<std::size_t>(in.at - start) < bytes)) {
      count_lines(in);
      lines_->add(n_, line_);
      if (auto r = object(in); !r) return r;
      ++n_;
      if (array && !in.take(',') && in.peek() != ']') return wrong(in, "ends before its array does");
    }
    if (!array && in.peek() == ']') return wrong(in, "is not a JSON object");
    if (array && in.done()) return wrong(in, "ends before its array does");
    if (array && in.peek() == ']') {
      JsonText after = in;
      after.take(']');
      if (!after.done()) return wrong(after, "something follows the objects");
    }
    count_lines(in);
    line = line_;
    return true;
  }

  std::vector<Array> finish() {
    std::vector<Array> out;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      auto kept = std::make_shared<Rows>(std::move(rows_[g]));
      if (kept->width == 0) kept->begin(1);
      Array a{.shape = {n_}, .name = name_, .lines = lines_};
      const bool several = groups_[g].columns.size() > 1;
      for (const std::size_t c : groups_[g].columns) a.columns.push_back(names_[c]);
      if (several || kept->width > 1 || !kept->classes.empty()) a.shape.push_back(kept->width);
      if (!several && kept->width > 1) a.columns.clear();
      a.classes = kept->classes;
      a.data = reinterpret_cast<const std::byte*>(kept->numbers.data());
      a.owner = kept;
      if (as_words_[g]) a = std::move(kept->words).put_into(std::move(a));
      out.push_back(std::move(a));
    }
    return out;
  }

 private:
  [[nodiscard]] bool may_miss(std::size_t g) const { return rules_.missing || groups_[g].may_miss; }

  void count_lines(JsonText& in) {
    in.skip_space();
    line_ += static_cast<std::size_t>(std::count(counted_, in.at, '\n'));
    counted_ = in.at;
  }

  [[nodiscard]] Error wrong(JsonText& in, const std::string& what, const std::string& remedy = {}) {
    count_lines(in);
    return {
        .code = Errc::bad_input,
        .what = what,
        .place = {.array = name_, .spelled = name_ + ": line " + std::to_string(line_)},
        .remedy = remedy.empty() ? "write one object per line: {\"label\": 2, \"probs\": [0.2, 0.3, 0.5]}" : remedy};
  }

  Result<bool> object(JsonText& in) {
    if (!in.take('{')) return wrong(in, "is not a JSON object");
    for (const std::size_t c : wanted_) seen_[c] = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].columns.size() > 1) {
        rows_[g].width = groups_[g].columns.size();
        rows_[g].add_row();
      }
    std::size_t expected = 0;
    if (!in.take('}')) {
      do {
        if (!in.text(key_) || !in.take(':')) return wrong(in, "is not a JSON object");
        const std::size_t c = column(expected++);
        const auto read = c < names_.size() && targets_[c] ? value(in, c) : skip(in);
        if (!read) return read;
      } while (in.take(','));
      if (!in.take('}')) return wrong(in, "is not a JSON object");
    }
    for (const std::size_t c : wanted_)
      if (!seen_[c])
        if (auto r = no_value(in, c); !r) return r;
    return true;
  }

  // Members mostly come in the order of the first object.
  [[nodiscard]] std::size_t column(std::size_t expected) const {
    if (expected < names_.size() && names_[expected] == key_) return expected;
    const auto at = place_of_.find(key_);
    return at == place_of_.end() ? names_.size() : at->second;
  }

  Result<bool> skip(JsonText& in) {
    if (!in.skip_value()) return wrong(in, "member " + read::quoted(key_) + " is not JSON");
    return true;
  }

  Result<bool> value(JsonText& in, std::size_t c) {
    const std::size_t g = targets_[c]->group;
    if (seen_[c])
      return wrong(in, "two members are named " + read::quoted(names_[c]), "give every member its own name");
    seen_[c] = 1;
    if (in.word("null")) {
      seen_[c] = 0;  // as if it were not there
      return true;
    }
    const char next = in.peek();
    if ((next == '[' || next == '{') && groups_[g].columns.size() == 1 && !as_words_[g])
      return next == '[' ? list(in, rows_[g], c) : dictionary(in, rows_[g], c);
    return scalar(in, g, c);
  }

  Result<bool> scalar(JsonText& in, std::size_t g, std::size_t c) {
    double number = 0;
    std::string_view token;
    const bool truth = in.word("true");
    if (truth || in.word("false")) {
      token = truth ? "true" : "false";
      number = truth;
    } else if (in.text(text_)) {
      if (may_miss(g) && is_missing(text_)) {
        seen_[c] = 0;
        return true;
      }
      if (as_words_[g]) {
        rows_[g].words.add(text_);
        return true;
      }
      if (parse_spelled(text_, ',', rules_.percent, number) != Parsed::number)  // "0.9" and "90%" are numbers, too
        return wrong(in, read::quoted(names_[c]) + " is " + read::quoted(text_) + ", not a number",
                     "every value of a member that is read must be a number");
    } else if (!in.number(number, token)) {
      return wrong(in, read::quoted(names_[c]) + " is not a number",
                   "a value is a number, or a list of numbers of the same length in each line");
    }
    Rows& rows = rows_[g];
    if (!as_words_[g] && groups_[g].columns.size() == 1) {
      if (rows.width == 0) rows.begin(1);
      if (rows.width != 1 || !rows.classes.empty()) return same_width(in, rows, c, 1);
    }
    put(g, c, number, token);
    return true;
  }

  void put(std::size_t g, std::size_t c, double number, std::string_view token) {
    Rows& rows = rows_[g];
    if (as_words_[g]) {
      rows.words.add(token);
      return;
    }
    if (groups_[g].columns.size() > 1) {
      rows.numbers[n_ * rows.width + targets_[c]->place] = number;
    } else {
      rows.numbers.push_back(number);
    }
  }

  Result<bool> list(JsonText& in, Rows& rows, std::size_t c) {
    in.take('[');
    std::size_t count = 0;
    if (!in.take(']')) {
      do {
        double number = 0;
        std::string_view token;
        if (in.word("null"))
          number = not_there;
        else if (!in.number(number, token))
          return wrong(in, "number " + std::to_string(count) + " of " + read::quoted(names_[c]) + " is not a number");
        rows.numbers.push_back(number);
        ++count;
      } while (in.take(','));
      if (!in.take(']')) return wrong(in, "the list " + read::quoted(names_[c]) + " does not end");
    }
    return same_width(in, rows, c, count);
  }

  Result<bool> same_width(JsonText& in, Rows& rows, std::size_t c, std::size_t count) {
    if (rows.width == 0) rows.begin(count);
    if (count > 0 && rows.width == count && (rows.classes.empty() || in.at[-1] == '}')) return true;
    return wrong(in,
                 read::quoted(names_[c]) + " has " + std::to_string(count) + " numbers, and before it had " +
                     std::to_string(rows.width) + (rows.classes.empty() ? "" : " with names"),
                 "each row needs one number per class, written in the same way");
  }

  // {"cat": 0.2, "dog": 0.8}: the classes are those of the first such object.
  Result<bool> dictionary(JsonText& in, Rows& rows, std::size_t c) {
    in.take('{');
    std::size_t count = 0;
    const std::size_t from = rows.numbers.size();
    rows.add_row();
    if (rows.classes.empty()) return wrong(in, read::quoted(names_[c]) + " is an object, and before it was none");
    if (!in.take('}')) {
      do {
        double number = 0;
        std::string_view token;
        if (!in.text(text_) || !in.take(':') || !in.number(number, token))
          return wrong(in, read::quoted(names_[c]) + " is not an object of numbers");
        const auto at = rows.place_of.find(text_);
        if (at == rows.place_of.end()) return wrong(in, "class " + read::quoted(text_) + " is not in the lines before");
        if (!std::isnan(rows.numbers[from + at->second]))
          return wrong(in, "class " + read::quoted(text_) + " is there twice");
        rows.numbers[from + at->second] = number;
        ++count;
      } while (in.take(','));
      if (!in.take('}')) return wrong(in, read::quoted(names_[c]) + " is not an object of numbers");
    }
    return same_width(in, rows, c, count);
  }

  Result<bool> no_value(JsonText& in, std::size_t c) {
    Rows& rows = rows_[targets_[c]->group];
    if (!may_miss(targets_[c]->group))
      return wrong(in, "has no " + read::quoted(names_[c]), "fill it, or leave out such rows: `drop_missing`");
    if (groups_[targets_[c]->group].columns.size() > 1) return true;  // NaN is there
    if (as_words_[targets_[c]->group])
      rows.words.add_missing();
    else if (rows.width == 0)
      ++rows.pending;
    else
      rows.add_row();
    return true;
  }

  const std::string& name_;
  const std::vector<std::string>& names_;
  std::span<const CsvGroup> groups_;
  CellRules rules_;
  std::vector<char> as_words_;
  std::vector<std::size_t> wanted_;  // the members that are read
  std::unordered_map<std::string_view, std::size_t> place_of_;
  std::vector<Rows> rows_;
  std::vector<std::optional<Target>> targets_;
  std::vector<char> seen_;
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  std::size_t n_ = 0, line_ = 1;
  const char* counted_ = nullptr;
  std::string key_, text_;
};

}  // namespace

Result<std::vector<Array>> Jsonl::read(std::span<const CsvGroup> groups, const CellRules& rules) const {
  TablePlace at = begin();
  return read(groups, rules, at, bytes());
}

Result<std::vector<Array>> Jsonl::read(std::span<const CsvGroup> groups, const CellRules& rules, TablePlace& at,
                                       std::size_t bytes) const {
  JsonPass pass(name_, names_, members_, groups, rules);
  JsonText in{at.at, end_};
  if (const auto done = pass.run(in, at.line, array_, bytes); !done) return done.error();
  at.at = in.at;
  return pass.finish();
}

}  // namespace tare::inner::read
