// Arguments that several commands share: which data, what to measure, where the answer goes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/core/call_options.hpp"
#include "tare/read/dataset.hpp"
#include "tare/render/csv/csv.hpp"
#include "tare/render/json/json.hpp"

namespace tare::detail::cli {

// Declares the options of a table, each under its heading: whatever is typed goes where the entry says. Those of the
// struct are its defaults, but for threads: all cores.
void add_options(CLI::App& app, const OptionTable& table);

// An option that no table has, under this heading; `type` is what --help calls its value.
template <class T>
CLI::Option* add_option(CLI::App& app, const char* heading, const std::string& name, T& to, const char* type,
                        const std::string& help) {
  return app.add_option(name, to, help)->type_name(type)->group(heading);
}

// Its name is the mark and the words, for completions (completion.cpp).
CLI::Validator one_of(std::vector<std::string> words);
inline constexpr std::string_view choice_mark = "one of ";

// Lists with commas between. An empty place is an error: CLI11's own splitting reads "," as no value and takes the next
// option for one.
CLI::Option* add_words(CLI::App& app, const std::string& name, std::vector<std::string>& to, const std::string& help);

void add_model(CLI::App& app, std::string& to);  // a saved calibrator
inline void add_output(CLI::App& app, std::string& to, const std::string& help) {
  add_option(app, "OUTPUT", "-o,--output", to, "F", help);
}
void add_quiet(CLI::App& app, bool& to);
void add_title(CLI::App& app, std::string& to);

void add_fold(CLI::App& app, read::Fold& fold);
void add_groups(CLI::App& app, read::Fold& fold);         // for commands that judge rows
void add_reading(CLI::App& app, read::Reading& reading);  // how the numbers are to be read

// All rows of the data set (state::load), with notes that spell options as they are typed.
Result<Predictions> read_rows(const read::Dataset& data, int threads);

// The notes of the reader, for answers that do not show them.
void say_notes(const Predictions& predictions, bool quiet);

struct OutputArgs {
  std::string path = {}, title = {};
  bool json = false, csv = false;
  bool quiet = false;

  void add(CLI::App& app);
  void name(Predictions& predictions) const {  // as --title says
    if (!title.empty()) predictions.source = title;
  }
  // An answer in the format that was asked for.
  template <class Answer>
  [[nodiscard]] std::string shown(const Answer& answer, const render::TextOptions& style) const {
    return json ? render::json(answer) : csv ? render::csv(answer) : render::text(answer, style);
  }
  [[nodiscard]] Format format() const { return json ? Format::json : csv ? Format::csv : Format::text; }
};

}  // namespace tare::detail::cli
