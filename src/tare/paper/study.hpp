// The kinds of study a data file can ask for: settings in, rows out. What is studied is in the data files.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/model.hpp"
#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/paper/frame.hpp"
#include "tare/paper/value.hpp"
#include "tare/simulate/engine.hpp"

namespace tare::detail::paper {

struct Context {
  std::string data;  // the folder with the sample networks
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
  const std::atomic<bool>* cancel = nullptr;
  std::string scratch = {};  // begins the names of files from which an interrupted study goes on; empty: none
};

using Study = Result<Frame>(const Settings& settings, const Context& context);

struct StudyKind {
  std::string_view name;
  std::string_view summary;
  Study* run = nullptr;
};

std::span<const StudyKind> kinds();
const StudyKind* find_kind(std::string_view name);

Study bias_study, distribution_study, detection_study, curves_study;            // truth_studies.cpp
Study fits_study, choice_study, recalibration_study, bins_study, timing_study;  // network_studies.cpp
Study records_study;

inline Error interrupted() {
  return {.code = Errc::cancelled, .what = "interrupted", .remedy = "the same command goes on from here"};
}

// Truths, estimators and networks as data files name them (paper/README.md).

struct NamedTruth {
  Cells labels;  // columns that tell it apart
  simulate::Truth truth;
  TrueError error = {};
};

// The objects under `key`. Each says "models" (names of the paper's networks) or "scores" and "curve"; "perfect"
// replaces the curve by the identity, "strength" shrinks it to fractions of its error, "round" puts scores on a grid,
// "for" runs through numbers that stand for {} in the curve. All other members become columns.
std::vector<NamedTruth> truths(const Settings& settings, std::string_view key);

struct NamedTask {
  Cells labels;
  measure::Choice task;
  std::string part = {};  // of the estimate's parts, where its value is not meant
};

// The names, or objects with "estimator" and options, under "estimators"; those that use bins once per number in "bins"
// (the usual number).
std::vector<NamedTask> tasks(const Settings& settings);

std::vector<measure::Choice> plain(const std::vector<NamedTask>& named);

std::vector<std::size_t> sizes(const Settings& settings);

// The networks under "networks": objects with "network" (a file of the data folder without its ending); other members
// become columns.
struct NamedNetwork {
  Cells labels;
  std::string file;
};
std::vector<NamedNetwork> networks(const Settings& settings, const Context& context);
Result<Predictions> fold_of(const NamedNetwork& network, const std::string& split, const Context& context);

// The methods, as names or as objects with "method", "bins", "binning" or "step", under "methods". "uncalibrated" is
// the network as it is.
struct NamedMethod {
  std::string name;  // shown
  std::string method;
  int bins = options::bins.usual;
  numeric::Binning binning = numeric::Binning::width;
  bool step = false;
};
std::vector<NamedMethod> methods(const Settings& settings);

// Fitted on the first, applied to the second; `model` gets the fit where it is not null.
Result<Predictions> recalibrated(const NamedMethod& method, const Predictions& validation, const Predictions& test,
                                 const Context& context, Model* model);

// One method on one network: the test fold, what the method made of it, and its fit.
struct Recalibration {
  const NamedNetwork& network;
  const NamedMethod& method;
  const Predictions& test;
  const Predictions& output;
  const Model& model;
};

// The rows that `add` makes of every method on every network.
using AddRecalibration = std::function<Result<bool>(const Recalibration&, Frame&)>;
Result<Frame> over_recalibrations(const Settings& settings, const Context& context, const AddRecalibration& add);

}  // namespace tare::detail::paper
