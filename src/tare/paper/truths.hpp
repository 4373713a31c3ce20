// Truths, estimators and networks as data files name them (paper/README.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tare/core/model.hpp"
#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/paper/frame.hpp"
#include "tare/paper/study.hpp"
#include "tare/simulate/engine.hpp"

namespace tare::detail::paper {

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

Cells joined(Cells a, const Cells& b);

}  // namespace tare::detail::paper
