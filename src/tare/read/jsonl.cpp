#include "tare/read/jsonl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tare/read/csv_cell.hpp"
#include "tare/read/json.hpp"
#include "tare/read/roles.hpp"
#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::detail::read {
namespace {

Error no_objects(const std::string& name, bool empty) {
  return bad_file(name, empty ? "the file is empty" : "does not begin with a JSON object", one_object_per_line);
}

// Numbers by their value, then texts: the same order whatever that of the objects in the file.
bool is_before(const std::string& a, const std::string& b) {
  if (is_count(a) != is_count(b)) return is_count(a);
  return is_count(a) && a.size() != b.size() ? a.size() < b.size() : a < b;
}

// The members of the first object, and what the first that has a value of each says about it.
class FirstObjects {
 public:
  bool look_at(JsonDocument& object, bool first) {
    return each_member(object, [&](std::string_view key, JsonValue& value) {
      auto at = place_.find(std::string(key));
      if (first) {
        if (at != place_.end()) return false;  // twice
        at = place_.emplace(key, names.size()).first;
        names.emplace_back(key);
        members.emplace_back();
        seen_.push_back(0);
      }
      const char next = first_letter(token_of(value));
      if (at == place_.end() || seen_[at->second] || next == 'n') return check_json(value);
      JsonMember& member = members[at->second];
      seen_[at->second] = 1;
      member.scalar = next != '[' && next != '{';
      if (next != '{') return check_json(value);
      const bool read = each_member(value, [&](std::string_view name, JsonValue& inner) {
        member.classes.emplace_back(name);
        return check_json(inner);
      });
      std::sort(member.classes.begin(), member.classes.end(), is_before);
      return read;
    });
  }
  [[nodiscard]] bool know_all() const { return std::count(seen_.begin(), seen_.end(), 0) == 0; }

  std::vector<std::string> names;
  std::vector<JsonMember> members;

 private:
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<char> seen_;
};

}  // namespace

Result<bool> Jsonl::check_head(std::span<const std::byte> head, bool all, const std::string& name) {
  constexpr std::size_t most_blanks = std::size_t{1} << 20;
  if (head.size() < 3 && !all) return false;
  const std::string_view text = text_of(head);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos)
    return text[first] == '{' || text[first] == '[' ? Result<bool>(true) : no_objects(name, false);
  if (all || text.size() > most_blanks) return no_objects(name, true);
  return false;
}

Result<Jsonl> Jsonl::open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner) {
  constexpr int most_objects = 64;
  const std::string_view text = trimmed(text_of(bytes));
  JsonObjects objects(text, name, one_object_per_line);
  Jsonl out;
  out.name_ = name;
  out.owner_ = std::move(owner);
  out.array_ = objects.array();
  out.body_ = objects.at();
  out.body_line_ = objects.line();
  out.end_ = text.data() + text.size();
  if (!objects.more()) return no_objects(name, objects.at() == out.end_);
  FirstObjects first;
  for (int i = 0; i < most_objects && objects.more() && (i == 0 || !first.know_all()); ++i) {
    bool fine = false;
    const auto read = objects.read(1, [&](JsonReader& reader, std::size_t) -> Result<void> {
      fine = first.look_at(reader.document(), i == 0);
      return fine ? Result<void>() : no_objects(name, false);
    });
    if (i == 0 && !fine) return objects.is_utf8() ? no_objects(name, false) : read.error();
    if (!read) break;  // where it is read the fault has a line
  }
  if (first.names.empty()) return no_objects(name, false);
  out.names_ = std::move(first.names);
  out.members_ = std::move(first.members);
  return out;
}

bool Jsonl::is_end(const TablePlace& place) const {
  const char* const next = skip_space(place.at, end_);
  return next == end_ || (array_ && *next == ']');
}

// The objects of JSON lines: their members into arrays.
namespace {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

// What one group has gathered so far.
struct JsonRows {
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

  // Objects from `in` on, until `bytes` of them are read; at least one.
  Result<void> run(JsonObjects& in, std::size_t bytes) {
    in_ = &in;
    return in.read(bytes, [this](JsonReader& reader, std::size_t line) {
      lines_->add(n_, line);
      auto read = object(reader.document());
      ++n_;
      return read;
    });
  }

  std::vector<Array> finish() {
    std::vector<Array> out;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      auto kept = std::make_shared<JsonRows>(std::move(rows_[g]));
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

  // False, with the fault where the reader stands.
  bool refuse(const std::string& what, const std::string& remedy = {}) {
    fault_ = in_->wrong(what, remedy);
    return false;
  }

  Result<void> object(JsonDocument& object) {
    for (const std::size_t c : wanted_) seen_[c] = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].columns.size() > 1) {
        rows_[g].width = groups_[g].columns.size();
        rows_[g].add_row();
      }
    std::size_t expected = 0;
    bool read = each_member(object, [&](std::string_view key, JsonValue& v) {
      const std::size_t c = column(key, expected++);
      if (c < names_.size() && targets_[c]) return value(v, c);
      return check_json(v) || refuse("member " + read::quoted(key) + " is not JSON");
    });
    if (!read && !fault_) refuse("is not a JSON object");
    for (const std::size_t c : wanted_) read = read && (seen_[c] || no_value(c));
    return fault_ ? Result<void>(*fault_) : Result<void>();
  }

  // Members mostly come in the order of the first object.
  [[nodiscard]] std::size_t column(std::string_view key, std::size_t expected) const {
    if (expected < names_.size() && names_[expected] == key) return expected;
    const auto at = place_of_.find(key);
    return at == place_of_.end() ? names_.size() : at->second;
  }

  bool value(JsonValue& v, std::size_t c) {
    const std::size_t g = targets_[c]->group;
    if (seen_[c]) return refuse("two members are named " + read::quoted(names_[c]), "give every member its own name");
    const std::string_view token = token_of(v);
    if (token == "null") return true;  // as if it were not there
    seen_[c] = 1;
    const char next = first_letter(token);
    if ((next == '[' || next == '{') && groups_[g].columns.size() == 1 && !as_words_[g])
      return next == '[' ? list(v, rows_[g], c) : dictionary(v, rows_[g], c);
    return scalar(token, g, c);
  }

  bool scalar(std::string_view token, std::size_t g, std::size_t c) {
    double number = 0;
    if (token == "true" || token == "false") {
      number = token == "true";
    } else if (json_text(token, text_)) {
      if (may_miss(g) && is_missing(text_)) {
        seen_[c] = 0;
        return true;
      }
      token = text_;
      // "0.9" and "90%" are numbers, too
      if (!as_words_[g] && parse_spelled(text_, ',', rules_.percent, number) != Parsed::number)
        return refuse(read::quoted(names_[c]) + " is " + read::quoted(text_) + ", not a number",
                      "every value of a member that is read must be a number");
    } else if (!json_number(token, number)) {
      return refuse(read::quoted(names_[c]) + " is not a number",
                    "a value is a number, or a list of numbers of the same length in each line");
    }
    JsonRows& rows = rows_[g];
    if (as_words_[g]) {
      rows.words.add(token);
    } else if (groups_[g].columns.size() > 1) {
      rows.numbers[n_ * rows.width + targets_[c]->place] = number;
    } else {
      if (rows.width == 0) rows.begin(1);
      if (rows.width != 1 || !rows.classes.empty()) return same_width(rows, c, 1, false);
      rows.numbers.push_back(number);
    }
    return true;
  }

  bool list(JsonValue& v, JsonRows& rows, std::size_t c) {
    std::size_t count = 0;
    const bool read = each_item(v, [&](JsonValue& item) {
      double number = not_there;
      if (const auto token = token_of(item); token != "null" && !json_number(token, number))
        return refuse("number " + std::to_string(count) + " of " + read::quoted(names_[c]) + " is not a number");
      rows.numbers.push_back(number);
      ++count;
      return true;
    });
    if (fault_) return false;
    if (!read) return refuse("the list " + read::quoted(names_[c]) + " does not end");
    return same_width(rows, c, count, false);
  }

  bool same_width(JsonRows& rows, std::size_t c, std::size_t count, bool named) {
    if (rows.width == 0) rows.begin(count);
    if (count > 0 && rows.width == count && (rows.classes.empty() || named)) return true;
    return refuse(read::quoted(names_[c]) + " has " + std::to_string(count) + " numbers, and before it had " +
                      std::to_string(rows.width) + (rows.classes.empty() ? "" : " with names"),
                  "each row needs one number per class, written in the same way");
  }

  // {"cat": 0.2, "dog": 0.8}: the classes are those of the first such object.
  bool dictionary(JsonValue& v, JsonRows& rows, std::size_t c) {
    std::size_t count = 0;
    const std::size_t from = rows.numbers.size();
    rows.add_row();
    if (rows.classes.empty()) return refuse(read::quoted(names_[c]) + " is an object, and before it was none");
    const bool read = each_member(v, [&](std::string_view name, JsonValue& inner) {
      double number = 0;
      if (!json_number(token_of(inner), number)) return false;
      const auto at = rows.place_of.find(name);
      if (at == rows.place_of.end()) return refuse("class " + read::quoted(name) + " is not in the lines before");
      if (!std::isnan(rows.numbers[from + at->second]))
        return refuse("class " + read::quoted(name) + " is there twice");
      rows.numbers[from + at->second] = number;
      ++count;
      return true;
    });
    if (fault_) return false;
    if (!read) return refuse(read::quoted(names_[c]) + " is not an object of numbers");
    return same_width(rows, c, count, true);
  }

  bool no_value(std::size_t c) {
    const std::size_t g = targets_[c]->group;
    JsonRows& rows = rows_[g];
    if (!may_miss(g))
      return refuse("has no " + read::quoted(names_[c]), "fill it, or leave out such rows: `drop_missing`");
    if (groups_[g].columns.size() > 1) return true;  // NaN is there
    if (as_words_[g])
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
  std::vector<JsonRows> rows_;
  std::vector<std::optional<Target>> targets_;
  std::vector<char> seen_;
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  std::size_t n_ = 0;
  std::string text_;
  JsonObjects* in_ = nullptr;
  std::optional<Error> fault_;
};

}  // namespace

Result<std::vector<Array>> Jsonl::read(std::span<const CsvGroup> groups, const CellRules& rules, TablePlace& at,
                                       std::size_t bytes) const {
  JsonPass pass(name_, names_, members_, groups, rules);
  JsonObjects in(at.at, end_, at.line, array_, name_, one_object_per_line);
  if (const auto done = pass.run(in, bytes); !done) return done.error();
  at = {in.at(), in.line()};
  return pass.finish();
}

}  // namespace tare::detail::read
