// An option of a call, whatever its type: its name, range and help, and where its value is kept. The tables of
// call_options.hpp are made of these. Who takes options walks a table: the command line declares and reads them, the
// library checks them, the public interface copies them, Python makes keywords of them.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"

namespace tare::detail {

// A value that words stand for: the place of its word in OptionEntry::words.
struct Chosen {
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

// Where a value is kept. No reduction: the rule of choose_reduction. Integers in a vector are norms.
using OptionValue =
    std::variant<bool*, int*, std::size_t*, double*, std::optional<double>*, std::optional<std::size_t>*, std::string*,
                 std::vector<std::string>*, std::vector<std::size_t>*, std::vector<double>*, std::vector<int>*,
                 std::optional<Reduction>*, Chosen>;
using OptionRange = std::variant<std::monostate, const Option<int>*, const Option<std::size_t>*, const Option<double>*>;

// What an entry may say beside name, value and help.
struct OptionDetails {
  std::string type = {};    // how a value is written on a help page; empty: by its kind
  std::string usual = {};   // what the help says of the default; empty: its value, if it has one
  std::string flag = {};    // its name on the command line, where that is another
  bool typed_only = false;  // on the command line alone
};

struct OptionEntry {
  std::string name;  // that of Python's keyword and of messages
  OptionValue value;
  // What it is, with names of options and commands in backquotes; of a switch that is on: what it means to turn it off.
  std::string help;
  std::vector<std::string> words = {};  // those that it may be; empty: any
  OptionRange range = {};
  OptionDetails more = {};
  std::string heading = {};

  [[nodiscard]] bool on() const { return std::holds_alternative<bool*>(value) && *std::get<bool*>(value); }
  // Its name on the command line: max-iterations, or no-bias for a switch that is on.
  [[nodiscard]] std::string flag() const;
  // How a value is written on a help page: N, A,B, brier|nll. Empty: it has none.
  [[nodiscard]] std::string type() const;
  // The default in words, from a table of options that nobody has set; empty: there is nothing to say.
  [[nodiscard]] std::string usual() const;
};

class OptionTable {
 public:
  explicit OptionTable(std::string heading) : heading_(std::move(heading)) {}

  // Entries that follow are shown under this heading.
  void under(std::string heading) { heading_ = std::move(heading); }

  template <class T>
  void number(const Option<std::type_identity_t<T>>& range, T& to, std::string help, OptionDetails more = {}) {
    add({std::string(range.name), &to, std::move(help), {}, &range, std::move(more)});
  }
  template <class T>
  void number(const Option<std::type_identity_t<T>>& range, std::optional<T>& to, std::string help,
              OptionDetails more = {}) {
    add({std::string(range.name), &to, std::move(help), {}, &range, std::move(more)});
  }
  void counts(const Option<std::size_t>& range, std::vector<std::size_t>& to, std::string help,
              OptionDetails more = {}) {
    add({std::string(range.name), &to, std::move(help), {}, &range, std::move(more)});
  }
  // A switch, a text, names, or real numbers.
  template <class T>
  void plain(std::string name, T& to, std::string help, OptionDetails more = {}) {
    add({std::move(name), &to, std::move(help), {}, {}, std::move(more)});
  }
  // One of these words, as it is; the library says what is wrong with another.
  void word(std::string name, std::string& to, std::vector<std::string> words, std::string help,
            OptionDetails more = {}) {
    add({std::move(name), &to, std::move(help), std::move(words), {}, std::move(more)});
  }
  // One of these words, each for a value.
  template <class T>
  void choice(std::string name, T& to, std::initializer_list<std::pair<const char*, T>> choices, std::string help) {
    std::vector<std::string> words;
    std::vector<T> values;
    for (const auto& [word, value] : choices) {
      words.emplace_back(word);
      values.push_back(value);
    }
    Chosen chosen{.get =
                      [&to, values] {
                        std::size_t at = 0;
                        while (values[at] != to) ++at;
                        return at;
                      },
                  .set = [&to, values](std::size_t at) { to = values[at]; }};
    add({std::move(name), std::move(chosen), std::move(help), std::move(words)});
  }
  void reduction(std::optional<Reduction>& to, std::vector<std::string> words, std::string help) {
    add({"reduction", &to, std::move(help), std::move(words), {}, {.type = "R"}});
  }
  void norm(int& to, std::string help) { add({"norm", &to, std::move(help), {"1", "2"}, &options::norm}); }
  void norms(std::vector<int>& to, std::string help) {
    add({"norm", &to, std::move(help), {"1", "2", "both"}, &options::norm});
  }
  // Those that the public interface has in tare::Run: it copies them itself.
  template <class O>
  void run(O& o, std::string seed_help) {
    if constexpr (requires { o.seed; }) number(options::seed, o.seed, std::move(seed_help));
    if constexpr (requires { o.threads; })
      number(options::threads, o.threads, "threads; the answer does not depend on it", {.usual = "all cores"});
  }

  // Of these names alone, or all but these.
  [[nodiscard]] OptionTable only(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] OptionTable without(std::initializer_list<std::string_view> names) const;

  // The same under another heading.
  [[nodiscard]] OptionTable headed(const std::string& heading) const;

  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  [[nodiscard]] auto begin() { return entries_.begin(); }
  [[nodiscard]] auto end() { return entries_.end(); }
  [[nodiscard]] const OptionEntry* find(std::string_view name) const;

 private:
  void add(OptionEntry entry);
  std::string heading_;
  std::vector<OptionEntry> entries_ = {};
};

std::vector<int> norms_of(std::string_view word);                       // 1, 2 or both
std::optional<Reduction> reduction_of(std::string_view word);           // empty: of another word
std::size_t place_of(const OptionEntry& entry, std::string_view word);  // among its words; their number: none of them

// The first that is not in its range.
Result<void> check(const OptionTable& table);
// The same for the options of a call: check(measure_options, options).
template <class Table, class O>
Result<void> check(const Table& table, const O& options) {
  O copy = options;
  return check(table(copy));
}

// The values of the one table in the other, of all options that both have.
void copy(const OptionTable& from, OptionTable to);

}  // namespace tare::detail
