#include "tare/cli/args.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <type_traits>

#include "tare/analysis/input_info.hpp"
#include "tare/core/call_options.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/state/sample.hpp"

namespace tare::detail::cli {

namespace {

// What is wrong with the word as a value of the option; empty if nothing.
template <class T>
std::string fault_of(const Option<T>& option, const std::string& typed) {
  T value = 0;
  const char* end = typed.data() + typed.size();
  const auto [stop, fault] = std::from_chars(typed.data(), end, value);
  const std::string digits = typed.starts_with('-') ? typed.substr(1) : typed;
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
  if (std::is_floating_point_v<T> ? stop != end || fault == std::errc::invalid_argument : !whole)
    return fmt::format("'{}' is not a {}number", typed, std::is_floating_point_v<T> ? "" : "whole ");
  const bool fits = fault == std::errc() && stop == end;
  const Result<void> fine = fits ? in_range(option, value) : Result<void>(out_of_range(option, typed));
  return fine ? std::string() : fmt::format("{} is {}", typed, fine.error().what);
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string name = std::string(choice_mark) + fmt::format("{}", fmt::join(words, " "));
  return CLI::Validator(
      [words = std::move(words)](std::string& typed) {
        if (std::find(words.begin(), words.end(), typed) != words.end()) return std::string();
        return fmt::format("'{}' is not one of {}", typed, fmt::join(words, ", "));
      },
      "", name);
}

namespace {

// to_value(word): the value, or throws.
template <class T, class ToValue>
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<T>& to, const std::string& help,
                      const ToValue& to_value) {
  const auto read = [name, &to, to_value](const std::vector<std::string>& typed) {
    to.clear();
    for (const std::string& list : typed)
      for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        if (end == at)
          throw CLI::ValidationError(
              name, fmt::format("'{}' has an empty place; write one or more with commas between", list));
        to.push_back(to_value(list.substr(at, end - at)));
        at = end + 1;
      }
  };
  return app.add_option_function<std::vector<std::string>>(name, read, help)->allow_extra_args(false);
}

}  // namespace

CLI::Option* add_words(CLI::App& app, const std::string& name, std::vector<std::string>& to, const std::string& help) {
  return add_list(app, name, to, help, [](const std::string& word) { return word; })->type_name("A,B");
}

namespace {

// What is typed after an option of the table, where it goes.
struct Declaring {
  CLI::App& app;
  const OptionEntry& entry;
  std::string name, help;

  template <class T>
  [[nodiscard]] const Option<T>& range() const {
    return *std::get<const Option<T>*>(entry.range);
  }
  // A number that the table of options knows. CLI11 reads -1 as 2^64 - 1 and 1e3 as 1; a count is digits.
  template <class T>
  [[nodiscard]] CLI::Option* number(CLI::Option* option) const {
    return option->check(CLI::Validator([&of = range<T>()](std::string& typed) { return fault_of(of, typed); }, ""));
  }
  [[nodiscard]] CLI::Option* word(std::function<void(const std::string&)> set) const {
    return app.add_option_function<std::string>(name, std::move(set), help)->check(one_of(entry.words));
  }

  CLI::Option* operator()(bool* to) const {
    return app.add_flag_callback(
        name, [to, typed = !*to] { *to = typed; }, help);
  }
  CLI::Option* operator()(int* to) const { return number<int>(app.add_option(name, *to, help)); }
  CLI::Option* operator()(std::size_t* to) const { return number<std::size_t>(app.add_option(name, *to, help)); }
  CLI::Option* operator()(double* to) const { return number<double>(app.add_option(name, *to, help)); }
  template <class T>
  CLI::Option* operator()(std::optional<T>* to) const {
    return number<T>(app.add_option_function<T>(
        name, [to](const T& typed) { *to = typed; }, help));
  }
  CLI::Option* operator()(std::string* to) const {
    CLI::Option* option = app.add_option(name, *to, help);
    return entry.words.empty() ? option : option->check(one_of(entry.words));
  }
  CLI::Option* operator()(std::vector<std::string>* to) const { return add_words(app, name, *to, help); }
  CLI::Option* operator()(std::vector<std::size_t>* to) const {
    return add_list(app, name, *to, help, [name = name, &of = range<std::size_t>()](const std::string& word) {
      if (const std::string wrong = fault_of(of, word); !wrong.empty()) throw CLI::ValidationError(name, wrong);
      return static_cast<std::size_t>(std::stoull(word));
    });
  }
  CLI::Option* operator()(std::vector<double>* to) const {
    return add_list(app, name, *to, help, [name = name](const std::string& word) {
      double value = 0;
      const char* end = word.data() + word.size();
      const auto [stop, fault] = std::from_chars(word.data(), end, value);
      if (fault != std::errc() || stop != end)
        throw CLI::ValidationError(name, fmt::format("'{}' is not a number", word));
      return value;
    });
  }
  CLI::Option* operator()(std::vector<int>* to) const {
    return word([to](const std::string& typed) { *to = norms_of(typed); });
  }
  CLI::Option* operator()(std::optional<Reduction>* to) const {
    return word([to](const std::string& typed) { *to = reduction_of(typed); });
  }
  CLI::Option* operator()(const Chosen& to) const {
    return word([to, words = entry.words](const std::string& typed) {
      to.set(static_cast<std::size_t>(std::find(words.begin(), words.end(), typed) - words.begin()));
    });
  }
};

// With the default in parentheses, at the end or before the first semicolon.
std::string help_of(const OptionEntry& entry) {
  std::string out = advice({.remedy = entry.help}, flag);
  if (std::holds_alternative<std::vector<std::string>*>(entry.value)) out += ", with commas between";
  const std::string usual = entry.usual();
  if (!usual.empty()) out.insert(std::min(out.find(';'), out.size()), " (" + usual + ")");
  return out;
}

}  // namespace

void add_options(CLI::App& app, const OptionTable& table) {
  for (const OptionEntry& entry : table) know_flag(entry.name, "--" + entry.flag());
  for (const OptionEntry& entry : table) {
    if (entry.name == options::threads.name) *std::get<int*>(entry.value) = numeric::hardware_threads();
    CLI::Option* option = std::visit(Declaring{app, entry, "--" + entry.flag(), help_of(entry)}, entry.value);
    option->group(entry.heading);
    if (const std::string type = entry.type(); !type.empty()) option->type_name(type);
  }
}

void add_title(CLI::App& app, std::string& to) {
  add_option(app, "OUTPUT", "--title", to, "TEXT", "what the answer calls the data (the name of the file)");
}

void add_model(CLI::App& app, std::string& to) {
  app.add_option("MODEL", to, "a file that `tare fit` saved")->required()->type_name("F")->group("INPUT");
}

void add_quiet(CLI::App& app, bool& to) {
  app.add_flag("--quiet", to, "nothing on standard error but errors")->group("OUTPUT");
}

void add_fold(CLI::App& app, read::Fold& fold) {
  add_option(app, "INPUT", "FILE", fold.files, "F",
             "one .npz, .safetensors, .csv or .jsonl file whose arrays or columns are named after the options "
             "below; - is CSV on standard input")
      ->expected(1);
  add_options(app, fold_options(fold));
  add_reading(app, fold.reading);
}

void add_reading(CLI::App& app, read::Reading& reading) { add_options(app, reading_options(reading)); }

Result<Predictions> read_rows(const read::Dataset& data, int threads) {
  auto out = state::load(data, threads);
  if (out)
    for (std::string& note : out->notes) note = advice({.remedy = note}, flag);
  return out;
}

void say_notes(const Predictions& predictions, bool quiet) {
  const std::string note = analysis::input_info(predictions, Reduction::top_label).note;
  if (!note.empty() && !quiet) talk("note: " + clean(note) + "\n");
}

void add_groups(CLI::App& app, read::Fold& fold) {
  add_option(app, "GROUPS", "--group", fold.groups, "COLUMN",
             "for which group is it wrong? a column with the group of each row: its name in FILE, or F; again for "
             "another column")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_option(app, "GROUPS", "--group-bins", fold.group_bins, "N",
             "so many ranges of a column of numbers, with as many rows each")
      ->check(CLI::Validator([](std::string& typed) { return fault_of(options::group_bins, typed); }, ""));
}

void OutputArgs::add(CLI::App& app) {
  auto* as_json = app.add_flag("--json", json, "one JSON object with every number unrounded and every bin");
  as_json->group("OUTPUT");
  app.add_flag("--csv", csv, "the table, comma-separated and unrounded; with --group that of the groups")
      ->group("OUTPUT")
      ->excludes(as_json);
  add_title(app, title);
  add_output(app, path, "write to a file, whole or not at all");
  add_quiet(app, quiet);
}

}  // namespace tare::detail::cli
