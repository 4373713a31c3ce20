// Arguments that several commands share: which data, what to measure, where the answer goes.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/answer/survey.hpp"
#include "tare/cli/output.hpp"
#include "tare/core/options.hpp"
#include "tare/core/result.hpp"
#include "tare/read/dataset.hpp"

namespace tare::inner::cli {

// Reads the word as a number of the option, and asks the table of options whether it is one. CLI11 reads -1 as 2^64 - 1
// and 1e3 as 1; a count is digits.
CLI::Validator number_of(const Option<int>& option);
CLI::Validator number_of(const Option<std::size_t>& option);
CLI::Validator number_of(const Option<double>& option);
// Its name is the mark and the words, for completions (shell_words.hpp).
CLI::Validator one_of(std::vector<std::string> words);
inline constexpr std::string_view choice_mark = "one of ";

// Lists with commas between. An empty place is an error: CLI11's own splitting reads "," as no value and takes the next
// option for one.
CLI::Option* add_words(CLI::App& app, const std::string& name, std::vector<std::string>& to, const std::string& help);
CLI::Option* add_counts(CLI::App& app, const std::string& name, std::vector<std::size_t>& to, const std::string& help,
                        const Option<std::size_t>& option);
CLI::Option* add_reals(CLI::App& app, const std::string& name, std::vector<double>& to, const std::string& help);

// Options of several commands, each under the heading of its command. `help` says what it is there.

// A number of the table of options, by its name there; the help ends with the default.
template <class T>
CLI::Option* add_number(CLI::App& app, T& to, const Option<T>& option, const std::string& help,
                        const std::string& group);
void add_bins(CLI::App& app, int& to, const std::string& group, const std::string& help = "number of bins");
void add_seed(CLI::App& app, std::uint64_t& to, const std::string& group,
              const std::string& help = "seed (1); the same seed gives the same bits");
void add_reduction(CLI::App& app, std::string& to, const std::string& group, std::vector<std::string> words,
                   const std::string& help = "top_label (the default for K > 2) or positive (for two classes)");
void add_norms(CLI::App& app, std::string& to, const std::string& group, const std::string& help);  // 1, 2 or both
void add_methods(CLI::App& app, std::vector<std::string>& to, const std::string& group);
void add_criterion(CLI::App& app, std::string& to, const std::string& group);
void add_threads(CLI::App& app, int& to, const std::string& group);
void add_quiet(CLI::App& app, bool& to);
void add_title(CLI::App& app, std::string& to);

// What was typed there, as the library takes it.
std::optional<Reduction> reduction_of(std::string_view typed);  // empty: nothing was typed
std::vector<int> norms_of(std::string_view typed);
int threads_of(int typed);  // 0: all cores

void add_fold(CLI::App& app, read::Fold& fold);
void add_groups(CLI::App& app, read::Fold& fold);         // for commands that judge rows
void add_reading(CLI::App& app, read::Reading& reading);  // how the numbers are to be read

// All rows of the data set (state::load), with notes that spell options as they are typed.
Result<Predictions> read_rows(const read::Dataset& data, int threads);

// The notes of the reader, for answers that do not show them.
void say_notes(const Predictions& predictions, bool quiet);

// What was typed; options() says what it means.
struct MeasureArgs {
  std::string reduction = {};
  int bins = options::bins.usual;
  std::string norm = "both";
  std::vector<std::string> estimators = {};
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
  bool no_interval = false;
  bool bias = false;  // simulate, too: minutes instead of seconds
  bool all = false;   // every estimator in the terminal
  bool gate = false;  // exit with 1 where the verdict is miscalibrated

  void add(CLI::App& app);
  [[nodiscard]] answer::SurveyOptions options() const;
};

struct OutputArgs {
  std::string path = {}, title = {};
  bool json = false, csv = false;
  bool quiet = false;

  void add(CLI::App& app);
  void name(Predictions& predictions) const {  // as --title says
    if (!title.empty()) predictions.source = title;
  }
  [[nodiscard]] Format format() const { return json ? Format::json : csv ? Format::csv : Format::text; }
};

}  // namespace tare::inner::cli
