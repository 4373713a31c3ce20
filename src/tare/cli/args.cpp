#include "tare/cli/args.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <type_traits>

#include "tare/answer/input_info.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/state/load.hpp"

namespace tare::inner::cli {

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

template <class T>
CLI::Validator validator(const Option<T>& option) {
  return CLI::Validator([&option](std::string& typed) { return fault_of(option, typed); }, "");
}

}  // namespace

CLI::Validator number_of(const Option<int>& option) { return validator(option); }
CLI::Validator number_of(const Option<std::size_t>& option) { return validator(option); }
CLI::Validator number_of(const Option<double>& option) { return validator(option); }

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

CLI::Option* add_counts(CLI::App& app, const std::string& name, std::vector<std::size_t>& to, const std::string& help,
                        const Option<std::size_t>& option) {
  return add_list(app, name, to, help,
                  [name, &option](const std::string& word) {
                    if (const std::string wrong = fault_of(option, word); !wrong.empty())
                      throw CLI::ValidationError(name, wrong);
                    return static_cast<std::size_t>(std::stoull(word));
                  })
      ->type_name("N,N");
}

CLI::Option* add_reals(CLI::App& app, const std::string& name, std::vector<double>& to, const std::string& help) {
  return add_list(app, name, to, help, [name](const std::string& word) {
    double value = 0;
    const char* end = word.data() + word.size();
    const auto [stop, fault] = std::from_chars(word.data(), end, value);
    if (fault != std::errc() || stop != end)
      throw CLI::ValidationError(name, fmt::format("'{}' is not a number", word));
    return value;
  });
}

template <class T>
CLI::Option* add_number(CLI::App& app, T& to, const Option<T>& option, const std::string& help,
                        const std::string& group) {
  return app.add_option("--" + std::string(option.name), to, fmt::format("{} ({})", help, option.usual))
      ->type_name("N")
      ->group(group)
      ->check(number_of(option));
}
template CLI::Option* add_number(CLI::App&, int&, const Option<int>&, const std::string&, const std::string&);
template CLI::Option* add_number(CLI::App&, std::size_t&, const Option<std::size_t>&, const std::string&,
                                 const std::string&);
template CLI::Option* add_number(CLI::App&, double&, const Option<double>&, const std::string&, const std::string&);

void add_bins(CLI::App& app, int& to, const std::string& group, const std::string& help) {
  add_number(app, to, options::bins, help, group);
}

void add_seed(CLI::App& app, std::uint64_t& to, const std::string& group, const std::string& help) {
  app.add_option("--seed", to, help)->type_name("N")->group(group)->check(number_of(options::seed));
}

void add_reduction(CLI::App& app, std::string& to, const std::string& group, std::vector<std::string> words,
                   const std::string& help) {
  app.add_option("--reduction", to, help)->type_name("R")->group(group)->check(one_of(std::move(words)));
}

void add_norms(CLI::App& app, std::string& to, const std::string& group, const std::string& help) {
  app.add_option("--norm", to, help)->type_name("1|2|both")->group(group)->check(one_of({"1", "2", "both"}));
}

void add_methods(CLI::App& app, std::vector<std::string>& to, const std::string& group) {
  add_words(app, "--methods", to, "only these calibrators, by the names of `tare list`, with commas between")
      ->group(group);
}

void add_criterion(CLI::App& app, std::string& to, const std::string& group) {
  app.add_option("--criterion", to, "proper score that chooses the winner: brier or nll (brier)")
      ->type_name("brier|nll")
      ->group(group)
      ->check(one_of({std::string(name(Criterion::brier)), std::string(name(Criterion::nll))}));
}

void add_threads(CLI::App& app, int& to, const std::string& group) {
  app.add_option("--threads", to, "threads (all cores); the answer does not depend on it")
      ->type_name("N")
      ->group(group)
      ->check(number_of(options::threads));
}

void add_title(CLI::App& app, std::string& to) {
  app.add_option("--title", to, "what the answer calls the data (the name of the file)")
      ->type_name("TEXT")
      ->group("OUTPUT");
}

void add_quiet(CLI::App& app, bool& to) {
  app.add_flag("--quiet", to, "nothing on standard error but errors")->group("OUTPUT");
}

std::optional<Reduction> reduction_of(std::string_view typed) {
  for (const Reduction r : {Reduction::top_label, Reduction::positive, Reduction::classwise})
    if (typed == name(r)) return r;
  return std::nullopt;
}

std::vector<int> norms_of(std::string_view typed) {
  if (typed == "both") return {1, 2};
  return {typed == "1" ? 1 : 2};
}

int threads_of(int typed) { return typed > 0 ? typed : numeric::hardware_threads(); }

void add_fold(CLI::App& app, read::Fold& fold) {
  const auto option = [&](const char* name, std::string& to, const char* help) {
    return app.add_option(name, to, help)->group("INPUT")->type_name("F");
  };
  app.add_option(
         "FILE", fold.files,
         "one .npz, .safetensors, .csv or .jsonl file whose arrays or columns are named after the options below; - is "
         "CSV on "
         "standard input")
      ->group("INPUT")
      ->type_name("F")
      ->expected(1);
  option("--logits", fold.logits, "scores before the softmax: n rows of K numbers, or n log-odds of class 1");
  option("--probs", fold.probs, "probabilities: n rows of K numbers, or n probabilities of class 1");
  option("--log-probs", fold.log_probs,
         "natural logarithms of probabilities, as for --probs; with --correct, or with "
         "--predictions, those of the predicted class");
  option("--labels", fold.labels, "the true class of each row, 0 to K-1");
  option("--confidences", fold.confidences,
         "the confidence of the predicted class; with --correct, or with --predictions and --labels");
  option("--correct", fold.correct, "1 where the prediction was right, 0 where it was wrong");
  option("--predictions", fold.predictions, "the predicted class of each row");
  option("--weights", fold.weights, "frequency weights: 2 means the row twice");
  option("--split", fold.split,
         "which part of a file with test_* and val_* arrays (test), or with a column that says train, val or test for "
         "each row (all)")
      ->type_name("test|val|train")
      ->check(one_of({"test", "val", "train"}));
  add_reading(app, fold.reading);
}

namespace {

// Of what programs that evaluate language models write.
void add_log_reading(CLI::App& app, read::Reading& reading) {
  const char* group = "READING LOGS OF LANGUAGE MODELS";
  add_words(app, "--options", reading.options,
            "batch results, Inspect: what the model may answer, by its tokens: A,B,C,D")
      ->group(group);
  const auto option = [&](const char* name, std::string& to, const char* type, const char* help) {
    app.add_option(name, to, help)->type_name(type)->group(group);
  };
  option("--answers", reading.answers, "F", "batch results: a table of right answers, F or F:COLUMN, by their ids");
  option("--id", reading.id, "COLUMN", "its column of ids (custom_id or id)");
  app.add_flag("--length-normalized", reading.length_normalized,
               "lm-evaluation-harness: divide log-likelihoods by the lengths of the options, as acc_norm does")
      ->group(group);
  option("--filter", reading.filter, "NAME", "lm-evaluation-harness: which of several filters");
  option("--scorer", reading.scorer, "NAME", "Inspect: which of several scores says what is right");
  option("--confidence-from", reading.confidence_from, "PATH",
         "Inspect: a number of each sample instead of logprobs: scores.NAME.metadata.confidence");
}

}  // namespace

void add_reading(CLI::App& app, read::Reading& reading) {
  const char* group = "READING";
  app.add_option(
         "--format", reading.format,
         "of files without a known ending, and of pipes: npy, npz, safetensors, csv, tsv, jsonl or eval, also csv.gz "
         "(csv for pipes)")
      ->type_name("FORMAT")
      ->group(group)
      ->check(
          one_of({"npy", "npz", "safetensors", "csv", "tsv", "jsonl", "json", "eval", "csv.gz", "tsv.gz", "jsonl.gz"}));
  app.add_option(
         "--class-names", reading.class_names,
         "names of the columns in their order, with commas between, or a file with one per line: labels may then "
         "be names")
      ->type_name("A,B|F")
      ->group(group);
  app.add_option("--positive", reading.positive,
                 "the label that is class 1; of several columns the one of this class, against all others")
      ->type_name("LABEL")
      ->group(group);
  app.add_option("--first-label", reading.first_label, "what labels call the first class: 0 or 1 (0)")
      ->type_name("0|1")
      ->group(group)
      ->check(one_of({"0", "1"}));
  app.add_flag("--percent", reading.percent, "probabilities are percentages: divide them by 100")->group(group);
  app.add_flag("--renormalize", reading.renormalize, "divide each row of probabilities by its sum")->group(group);
  app.add_flag("--no-header", reading.no_header,
               "the first line of a table is data; its columns are named 0, 1, 2, ...")
      ->group(group);
  app.add_option("--delimiter", reading.delimiter,
                 "what separates the cells of a table: one character, tab or space (comma, tab, semicolon, bar or "
                 "blanks, whichever the first line has)")
      ->type_name("C")
      ->group(group);
  app.add_flag("--drop-missing", reading.drop_missing, "leave out rows with missing values, and count them")
      ->group(group);
  add_log_reading(app, reading);
}

Result<Predictions> read_rows(const read::Dataset& data, int threads) {
  auto out = state::load(data, threads);
  if (out)
    for (std::string& note : out->notes) note = advice({.remedy = note}, flag);
  return out;
}

void say_notes(const Predictions& predictions, bool quiet) {
  const std::string note = answer::input_info(predictions, Reduction::top_label).note;
  if (!note.empty() && !quiet) talk("note: " + clean(note) + "\n");
}

void add_groups(CLI::App& app, read::Fold& fold) {
  app.add_option("--group", fold.groups,
                 "for which group is it wrong? a column with the group of each row: its name in FILE, or F; again for "
                 "another column")
      ->group("GROUPS")
      ->type_name("COLUMN")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--group-bins", fold.group_bins, "so many ranges of a column of numbers, with as many rows each")
      ->group("GROUPS")
      ->type_name("N")
      ->check(number_of(options::group_bins));
}

void MeasureArgs::add(CLI::App& app) {
  const char* group = "MEASURING";
  add_reduction(
      app, reduction, group, {"top_label", "positive", "classwise"},
      "how K classes become a yes-or-no question: top_label (the predicted class, hit or miss; the default for "
      "K > 2), positive (class 1 of 2; the default for two classes) or classwise (each class against the rest)");
  add_bins(app, bins, group);
  add_norms(app, norm, group, "average the absolute gap (1), its square (2), or show both (both)");
  add_words(app, "--estimators", estimators, "only these, by the names of `tare list`, with commas between")
      ->group(group);
  app.add_flag("--no-interval", no_interval, "skip all resampling: no noise floor, no interval, no verdict")
      ->group(group);
  add_seed(app, seed, group, "seed of the resampling (1); the same seed gives the same bits");
  add_threads(app, threads, group);
  app.add_flag("--all", all, "print every estimator, not only the five numbers that people quote")->group("OUTPUT");
}

answer::SurveyOptions MeasureArgs::options() const {
  answer::SurveyOptions out;
  out.reduction = reduction_of(reduction);
  out.bins = bins;
  out.norms = norms_of(norm);
  out.estimators = estimators;
  out.resample = !no_interval;
  out.seed = seed;
  out.threads = threads_of(threads);
  return out;
}

void OutputArgs::add(CLI::App& app) {
  auto* as_json = app.add_flag("--json", json, "one JSON object with every number unrounded and every bin");
  as_json->group("OUTPUT");
  app.add_flag("--csv", csv, "the table, comma-separated and unrounded; with --group that of the groups")
      ->group("OUTPUT")
      ->excludes(as_json);
  add_title(app, title);
  app.add_option("-o,--output", path, "write to a file, whole or not at all")->type_name("F")->group("OUTPUT");
  add_quiet(app, quiet);
}

}  // namespace tare::inner::cli
