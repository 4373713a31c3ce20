// The options that name data and say how they are read: of read::Fold and read::Reading, as those of calls are in
// call_options.hpp.
#pragma once

#include "tare/core/option_table.hpp"

namespace tare::detail {

namespace options {
inline constexpr Option<int> first_label{"first_label", "what labels call the first class", 0, 0, 1};
}  // namespace options

inline constexpr auto fold_options = [](auto& o) {
  OptionTable t("INPUT");
  const auto array = [&](const char* name, std::string& to, const char* help) {
    t.plain(name, to, help, {.type = "F"});
  };
  array("logits", o.logits, "scores before the softmax: n rows of K numbers, or n log-odds of class 1");
  array("probs", o.probs, "probabilities: n rows of K numbers, or n probabilities of class 1");
  array("log_probs", o.log_probs,
        "natural logarithms of probabilities, as for `probs`; with `correct`, or with `predictions`, those of the "
        "predicted class");
  array("labels", o.labels, "the true class of each row, 0 to K-1");
  array("confidences", o.confidences,
        "the confidence of the predicted class; with `correct`, or with `predictions` and `labels`");
  array("correct", o.correct, "1 where the prediction was right, 0 where it was wrong");
  array("predictions", o.predictions, "the predicted class of each row");
  array("weights", o.weights, "frequency weights: 2 means the row twice");
  t.word("split", o.split, {"test", "val", "train"},
         "which part of a file with test_* and val_* arrays (test), or with a column that says train, val or test for "
         "each row (all)");
  return t;
};

inline constexpr auto reading_options = [](auto& o) {
  OptionTable t("READING");
  t.word("format", o.format,
         {"npy", "npz", "safetensors", "csv", "tsv", "jsonl", "json", "eval", "csv.gz", "tsv.gz", "jsonl.gz"},
         "of files without a known ending, and of pipes: npy, npz, safetensors, csv, tsv, jsonl or eval, also csv.gz "
         "(csv for pipes)",
         {.type = "FORMAT"});
  t.plain("class_names", o.class_names,
          "names of the columns in their order, with commas between, or a file with one per line: labels may then be "
          "names",
          {.type = "A,B|F", .typed_only = true});
  t.plain("positive", o.positive,
          "the label that is class 1; of several columns the one of this class, against all others", {.type = "LABEL"});
  t.number(options::first_label, o.first_label, "what labels call the first class: 0 or 1", {.type = "0|1"});
  t.plain("percent", o.percent, "probabilities are percentages: divide them by 100");
  t.plain("renormalize", o.renormalize, "divide each row of probabilities by its sum");
  t.plain("no_header", o.no_header, "the first line of a table is data; its columns are named 0, 1, 2, ...");
  t.plain("delimiter", o.delimiter,
          "what separates the cells of a table: one character, tab or space (comma, tab, semicolon, bar or blanks, "
          "whichever the first line has)",
          {.type = "C"});
  t.plain("drop_missing", o.drop_missing, "leave out rows with missing values, and count them");
  t.under("READING LOGS OF LANGUAGE MODELS");
  t.plain("options", o.options, "batch results, Inspect: what the model may answer, by its tokens (A,B,C,D)");
  t.plain("answers", o.answers, "batch results: a table of right answers, F or F:COLUMN, by their ids", {.type = "F"});
  t.plain("id", o.id, "its column of ids (custom_id or id)", {.type = "COLUMN"});
  t.plain("length_normalized", o.length_normalized,
          "lm-evaluation-harness: divide log-likelihoods by the lengths of the options, as acc_norm does");
  t.plain("filter", o.filter, "lm-evaluation-harness: which of several filters", {.type = "NAME"});
  t.plain("scorer", o.scorer, "Inspect: which of several scores says what is right", {.type = "NAME"});
  t.plain("confidence_from", o.confidence_from,
          "Inspect: a number of each sample instead of logprobs: scores.NAME.metadata.confidence", {.type = "PATH"});
  return t;
};

}  // namespace tare::detail
