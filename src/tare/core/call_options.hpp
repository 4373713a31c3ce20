// The options of every call, one table each. A table is made for the struct of the call (analysis::SurveyOptions) or
// for that of the public interface (tare::MeasureOptions), whose members have the same names; where the public
// interface has no such member, `requires` asks. Defaults are those of the members. CONTRIBUTING.md says how to add an
// option.
#pragma once

#include "tare/core/criterion.hpp"
#include "tare/core/option_table.hpp"

namespace tare::detail {

inline constexpr auto measure_options = [](auto& o) {
  OptionTable t("MEASURING");
  t.reduction(
      o.reduction, {"top_label", "positive", "classwise"},
      "how K classes become a yes-or-no question: top_label (the predicted class, hit or miss; the default for "
      "K > 2), positive (class 1 of 2; the default for two classes) or classwise (each class against the rest)");
  t.number(options::bins, o.bins, "number of bins");
  t.norms(o.norms, "average the absolute gap (1), its square (2), or show both");
  t.plain("estimators", o.estimators, "only these, by the names of `tare list`");
  t.plain("intervals", o.resample, "skip all resampling: no noise floor, no interval, no verdict",
          {.flag = "no-interval"});
  t.run(o, "seed of the resampling; the same seed gives the same bits");
  if constexpr (requires { o.bias; })
    t.plain("bias", o.bias,
            "the bias of each estimator of the true error on data like these, and its value corrected for it (some "
            "seconds of simulation; not classwise)");
  return t;
};

inline constexpr auto test_options = [](auto& o) {
  OptionTable t("TESTING");
  t.plain("statistics", o.statistics, "only these, by the names of `tare list`",
          {.usual = "the tests, and debias_em, sweep_em, ks", .flag = "statistic"});
  t.number(options::alpha, o.alpha, "the level: how often a calibrated model may be rejected", {.type = "A"});
  if constexpr (requires { o.gate; })
    t.plain("gate", o.gate, "exit with 1 if the statistic rejects calibration", {.typed_only = true});
  t.number(options::resamples, o.resamples, "redrawings of the labels");
  t.plain("detectable", o.detectable, "skip the search for the smallest error this n could detect");
  t.number(options::power, o.power, "how often that error must be found", {.type = "P"});
  t.reduction(o.reduction, {"top_label", "positive", "classwise"},
              "top_label (the default for K > 2) or positive (for two classes)");
  t.number(options::bins, o.bins, "number of bins of binned estimators");
  t.norm(o.norm, "norm of estimators that have one");
  t.run(o, "seed of the redrawings; the same seed gives the same bits");
  return t;
};

// Of bbc and bias.
inline constexpr auto bias_options = [](auto& o) {
  OptionTable t("FITTING DATA");
  if constexpr (requires { o.fit; }) {
    using ScoresOf = std::remove_cvref_t<decltype(o.fit.scores)>;
    using CurveOf = std::remove_cvref_t<decltype(o.fit.curve)>;
    using SaturatedOf = std::remove_cvref_t<decltype(o.fit.saturated)>;
    t.choice("scores", o.fit.scores, {{"empirical", ScoresOf::empirical}, {"beta", ScoresOf::beta}},
             "empirical: the data's own scores, resampled, or beta: a distribution fitted to them, as in the paper");
    t.choice("fitted_curve", o.fit.curve, {{"aic", CurveOf::aic}, {"isotonic", CurveOf::isotonic}},
             "aic: the best of 13 curves, or isotonic: the best one that never falls");
    t.choice("saturated", o.fit.saturated, {{"censor", SaturatedOf::censor}, {"shift", SaturatedOf::shift}},
             "scores within 2^-20 of 0 or 1: censor, or shift as the paper does");
  }
  t.reduction(o.reduction, {"top_label", "positive"},
              "top_label (the default for K > 2) or positive (for two classes)");
  t.under("SIMULATING");
  t.counts(options::n, o.sizes, "sizes of the samples; with data: their own n alone, and these beside it",
           {.usual = "200,500,1000,5000"});
  t.number(options::replicates, o.replicates, "samples per size");
  t.plain("estimators", o.estimators, "only these", {.usual = "all that estimate the true error"});
  t.number(options::bins, o.bins, "number of bins of binned estimators");
  t.norms(o.norms, "average the absolute gap (1), its square (2), or both");
  t.run(o, "seed; the same seed gives the same bits");
  if constexpr (requires { o.checkpoint; })
    t.plain("checkpoint", o.checkpoint, "a file from which the same command goes on after an interruption",
            {.type = "F", .typed_only = true});
  return t;
};

// A truth instead of data, for bbc.
inline constexpr auto truth_options = [](auto& o) {
  OptionTable t("A TRUTH INSTEAD OF DATA");
  t.plain("model", o.model, "a network of Roelofs et al. 2022, by the names of `tare list`", {.type = "NAME"});
  t.plain("perfect", o.perfect, "the same scores, perfectly calibrated");
  t.plain("beta", o.beta, "scores from a Beta distribution; uniform if only `curve` is given", {.type = "A,B"});
  t.plain("curve", o.curve, "hit rates: FAMILY:x,y, such as logit_logit:0.1,0.8 or power:2", {.type = "C"});
  return t;
};

// Which calibrators, and what chooses among them: of compare and report.
template <class O>
void add_choosing(OptionTable& t, O& o) {
  t.word("criterion", o.criterion, {std::string(name(Criterion::brier)), std::string(name(Criterion::nll))},
         "proper score that chooses the winner: brier or nll");
  t.number(options::folds, o.folds, "folds of the cross-validation that chooses it");
}

inline constexpr auto compare_options = [](auto& o) {
  OptionTable t("COMPARING");
  t.plain("methods", o.methods, "only these calibrators, by the names of `tare list`");
  t.plain("estimators", o.estimators, "columns of the table: NAME, NAME:1 or NAME:2",
          {.usual = "ece_ew:1, rank_sign:1, rank_poly:2, sweep_em:2, debias_em:2"});
  add_choosing(t, o);
  t.reduction(o.reduction, {"top_label", "positive"}, "top_label or positive, as in `tare measure`");
  t.number(options::bins, o.bins, "number of bins");
  t.number(options::paired_resamples, o.resamples, "resamples of the paired intervals");
  t.run(o, "seed of folds and resampling");
  return t;
};

inline constexpr auto report_options = [](auto& o) {
  OptionTable t("REPORT");
  t.reduction(o.reduction, {"top_label", "positive"},
              "top_label (the default for K > 2) or positive (for two classes)");
  t.number(options::bins, o.bins, "number of bins");
  t.plain("methods", o.methods, "only these calibrators, by the names of `tare list`");
  add_choosing(t, o);
  t.number(options::report_replicates, o.replicates, "simulated samples for the bias, fewer from n = 20,000 on");
  t.plain("bias", o.bias, "skip the simulation of the bias");
  t.plain("classes", o.classes, "skip the section on classes");
  t.run(o, "seed of all that is drawn; the same seed gives the same page");
  return t;
};

// Of a running state.
inline constexpr auto state_options = [](auto& o) {
  OptionTable t("STATE");
  t.reduction(o.reduction, {"top_label", "positive", "classwise"},
              "how K classes become a yes-or-no question, as for `tare measure`; classwise keeps cells of each class");
  t.number(options::bins, o.bins, "bins of equal width whose edges no cell crosses");
  t.number(options::cells, o.cells, "most cells of the state", {.usual = "65,536; classwise 4,096 for each class"});
  return t;
};

// Of a query that makes a state.
inline constexpr auto sql_options = [](auto& o) {
  OptionTable t("QUERY");
  t.plain("score", o.score, "the score of a row", {.type = "SQL"});
  t.plain("label", o.label, "what happened: 0 or 1, or a truth value", {.type = "SQL"});
  t.plain("table", o.table, "where the rows are", {.type = "SQL"});
  t.plain("by", o.by, "columns that part the rows into groups");
  t.plain("dialect", o.dialect, "spark, duckdb, bigquery, postgres or sqlite", {.type = "D"});
  t.choice("reduction", o.reduction, {{"positive", Reduction::positive}, {"top_label", Reduction::top_label}},
           "what the score is: positive or top_label");
  t.number(options::bins, o.bins, "bins of equal width whose edges no cell crosses");
  t.number(options::sql_step, o.step, "fineness of the cells: about 2.75 times 2^N at most");
  return t;
};

inline constexpr auto watch_options = [](auto& o) {
  OptionTable t("WATCHING");
  t.number(options::alpha, o.alpha,
           "how often there may be a false alarm: ever for lost and changed, each day for moved and drifted");
  t.number(options::run_length, o.run_length, std::string(options::run_length.what), {.type = "DAYS"});
  t.number(options::watch_resamples, o.resamples, "redrawings of a day's labels");
  t.run(o, "seed; the same seed gives the same bits");
  return t;
};

// Each calibrator reads some of them (fit::Calibrator::options).
inline constexpr auto fit_options = [](auto& o) {
  OptionTable t("METHOD OPTIONS");
  t.number(options::bins, o.bins, "number of bins");
  const char* binning = "bins of equal width, or of equal mass: with equally many rows";
  if constexpr (requires { o.binning; }) {
    using Bins = std::remove_cvref_t<decltype(o.binning)>;
    t.choice("binning", o.binning, {{"width", Bins::width}, {"mass", Bins::mass}}, binning);
  } else {
    t.choice("binning", o.equal_mass, {{"width", false}, {"mass", true}}, binning);
  }
  t.choice("shape", o.step, {{"linear", false}, {"step", true}}, "linear between the blocks, or a step function");
  t.number(options::lambda, o.lambda, "weight of the squared off-diagonal entries", {.type = "X"});
  t.number(options::mu, o.mu, "weight of the squared intercepts", {.type = "X"});
  t.plain("smooth_targets", o.smooth_targets, "Platt's targets of 1999 instead of 0 and 1");
  t.plain("share_rows", o.share_rows, "all rows for each of its three steps, as the authors' program does");
  t.plain("share_prior", o.share_prior,
          "a prior of two rows for all bins together, as in the paper's text, not for each");
  t.plain("prior", o.prior,
          "shares of the classes that the model was calibrated for; with them, labels are neither needed nor used");
  t.number(options::max_iterations, o.max_iterations, "stop an iterative fit here",
           {.usual = "the method's own limit"});
  t.run(o, "");
  return t;
};

// ---- The options that name data and say how they are read: of read::Fold and read::Reading.

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
