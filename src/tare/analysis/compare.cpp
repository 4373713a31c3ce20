#include "tare/analysis/compare.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "tare/analysis/compare_plan.hpp"
#include "tare/analysis/estimate_rows.hpp"
#include "tare/analysis/groups.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/analysis/recommendation.hpp"
#include "tare/core/errors.hpp"
#include "tare/core/results.hpp"
#include "tare/infer/band/curve_band.hpp"
#include "tare/infer/resample/folds.hpp"
#include "tare/infer/resample/paired.hpp"
#include "tare/measure/estimators.hpp"

namespace tare::detail::analysis {
namespace {

// A method at work: fitted and applied, or the reason why not.
struct Candidate {
  std::string method;
  const fit::Calibrator* calibrator = nullptr;  // null: uncalibrated
  std::string reason = {};
  FitReport fit = {};
  infer::RowLosses test = infer::RowLosses();         // on the rows that are judged; none where these are the others
  infer::RowLosses out_of_fold = infer::RowLosses();  // on the validation rows
  std::optional<BinaryView> judged = {};              // the binary problem that errors of calibration are measured on
};

// Where no rows were kept for a test, those out of fold are judged.
const infer::RowLosses& judged_losses(const Candidate& c) { return c.test.score.empty() ? c.out_of_fold : c.test; }

// What the winner is chosen by.
auto& selection_losses(auto& candidate, const ComparePlan& plan) {
  return plan.criterion == Criterion::nll ? candidate.out_of_fold.nll : candidate.out_of_fold.brier;
}

// Its map, or nothing: the reason has been noted. The losses of the fit are for the report.
std::unique_ptr<fit::Map> fitted_map(Candidate& candidate, const MulticlassView& rows, fit::Options options,
                                     FitReport* report) {
  options.losses = report != nullptr;
  const auto start = std::chrono::steady_clock::now();
  auto model = candidate.calibrator->fit(rows, options);
  if (!model) {
    candidate.reason = sentence(model.error());
    return nullptr;
  }
  model->fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report) *report = model->fit;
  auto loaded = candidate.calibrator->load(*model);
  if (!loaded) candidate.reason = sentence(loaded.error());
  return loaded ? *std::move(loaded) : nullptr;
}

// What the same estimators would show, were the method's own output perfectly calibrated.
void add_floors(const measure::Sample& sample, const std::vector<measure::Choice>& columns,
                const CompareOptions& options, std::vector<Measured>& estimates) {
  constexpr std::size_t redrawings = 199;
  std::vector<infer::ResampledChoice> lines;
  for (std::size_t l = 0; l < columns.size(); ++l) {
    lines.push_back({columns[l]});
    const measure::Estimator& estimator = *columns[l].estimator;
    if (estimator.is_error && estimates[l].estimate)
      lines.back().resamples = std::min(redrawings, static_cast<std::size_t>(estimator.resamples));
  }
  const auto values =
      infer::null_values(infer::floor_cells(sample.ordered(), options.bins), lines, options.seed, 0, options.threads);
  for (std::size_t l = 0; l < lines.size(); ++l) add_floor(estimates[l], values[l]);
}

// Rows that count and gave probability 0 to what happened.
std::size_t infinite_rows(std::span<const double> nll, std::span<const double> weight) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < nll.size(); ++i) out += !std::isfinite(nll[i]) && (weight.empty() || weight[i] > 0);
  return out;
}

MethodResult summarise(const Candidate& c, const ComparePlan& plan, const CompareOptions& options) {
  MethodResult out{.method = c.method, .reason = c.reason, .fit = c.fit};
  if (!c.reason.empty()) return out;
  const auto weight = plan.judged.weight();
  const infer::RowLosses& losses = judged_losses(c);
  // of confidences the predicted class is not known, and stays what it is: only hits count
  const auto& hit = plan.hits ? losses.label : losses.right;
  out.error = 1 - infer::mean_loss(std::vector<double>(hit.begin(), hit.end()), weight);
  out.brier = infer::mean_loss(losses.brier, weight);
  const double nll = infer::mean_loss(losses.nll, weight);
  if (std::isfinite(nll)) out.nll = nll;
  out.nll_infinite_rows = infinite_rows(losses.nll, weight);
  const measure::Sample sample(*c.judged, options.threads);
  for (const measure::Choice& column : plan.columns) out.estimates.push_back(measure_estimate_row(column, sample));
  add_floors(sample, plan.columns, options, out.estimates);
  out.curve = infer::curve_band(sample.ordered());
  const double selection = infer::mean_loss(selection_losses(c, plan), plan.validation.weight());
  if (std::isfinite(selection)) out.selection = selection;
  return out;
}

// Every method on every fold. The rows of a fold are copied once, for all methods.
void cross_validate(std::vector<Candidate>& candidates, const ComparePlan& plan, Reduction reduction,
                    const CompareOptions& options, const std::function<void()>& step) {
  const MulticlassView& data = plan.validation;
  infer::add_losses(data, nullptr, reduction, {}, candidates.front().out_of_fold, options.threads);
  const auto fold = infer::random_folds(data.label(), options.folds, options.seed);
  for (int f = 0; f < options.folds; ++f) {
    std::vector<std::size_t> inside, outside;
    for (std::size_t i = 0; i < fold.size(); ++i) (fold[i] == f ? outside : inside).push_back(i);
    if (inside.empty() || outside.empty()) continue;
    const infer::RowsOf train(data, std::move(inside)), held_out(data, std::move(outside));
    if (!held_out.have_weight()) continue;  // nothing to lose
    const auto fitted = train.view(), judged = held_out.view();
    for (std::size_t c = 1; c < candidates.size(); ++c) {
      Candidate& candidate = candidates[c];
      step();
      if (!candidate.reason.empty()) continue;
      if (!fitted || !judged) {
        candidate.reason = "fold " + std::to_string(f) + ": " + sentence((fitted ? judged : fitted).error());
        continue;
      }
      if (const auto map = fitted_map(candidate, *fitted, options.fit, nullptr))
        infer::add_losses(*judged, map.get(), reduction, held_out.rows(), candidate.out_of_fold, options.threads);
    }
  }
}

std::vector<Candidate> run_candidates(const ComparePlan& plan, bool has_test, const CompareOptions& options) {
  std::vector<Candidate> candidates{{.method = uncalibrated_name}};
  for (const fit::Calibrator* c : plan.methods) candidates.push_back({.method = std::string(c->name), .calibrator = c});
  const std::size_t fits = candidates.size() + plan.methods.size() * static_cast<std::size_t>(options.folds);
  std::size_t done = 0;
  const auto step = [&] {
    if (options.progress) options.progress("calibrators", done++, fits);
  };
  // the score of a confidence is the confidence itself, as that of class 1 would be
  const Reduction losses = plan.hits ? Reduction::positive : plan.reduction;
  for (Candidate& candidate : candidates) {
    step();
    if (has_test) {
      candidate.test = infer::RowLosses(plan.judged.size());
      selection_losses(candidate, plan).resize(plan.validation.size());
    } else {
      candidate.out_of_fold = infer::RowLosses(plan.validation.size());
    }
    std::unique_ptr<fit::Map> map;
    if (candidate.calibrator) map = fitted_map(candidate, plan.validation, options.fit, &candidate.fit);
    if (has_test && candidate.reason.empty())
      infer::add_losses(plan.judged, map.get(), losses, {}, candidate.test, options.threads);
  }
  cross_validate(candidates, plan, losses, options, step);
  for (Candidate& candidate : candidates) {
    if (!candidate.reason.empty()) continue;
    const infer::RowLosses& judged = judged_losses(candidate);
    const auto view = binary_view(std::span<const double>(judged.score), judged.label, plan.judged.weight());
    if (view)
      candidate.judged = *view;
    else
      candidate.reason = "its output cannot be measured: " + sentence(view.error());
  }
  return candidates;
}

// summaries: of the candidates.
Winner winner_of(const std::vector<Candidate>& candidates, const std::vector<MethodResult>& summaries,
                 const ComparePlan& plan, int folds) {
  std::vector<OutOfFold> methods;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& c = candidates[i];
    methods.push_back(
        {c.method, c.calibrator ? c.calibrator->complexity : 0,
         c.reason.empty() ? std::span<const double>(selection_losses(c, plan)) : std::span<const double>(),
         summaries[i].selection.value_or(HUGE_VAL)});
  }
  Winner out = recommend(methods, plan.validation.weight(), plan.criterion);
  out.how = std::to_string(folds) + "-fold, pooled out-of-fold, validation data only";
  return out;
}

// Every method against "uncalibrated", then every other one against the winner.
void add_differences(const std::vector<Candidate>& candidates, std::size_t winner, const ComparePlan& plan,
                     const CompareOptions& options, Comparison& out) {
  std::vector<const infer::RowLosses*> fitted;
  std::vector<std::size_t> place(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    place[c] = fitted.size();
    if (candidates[c].reason.empty()) fitted.push_back(&judged_losses(candidates[c]));
  }
  std::vector<infer::Pair> pairs;
  std::vector<infer::Pair> who;  // the same pairs by candidate
  const auto add = [&](std::size_t a, std::size_t b) {
    if (a == b || !candidates[a].reason.empty() || !candidates[b].reason.empty()) return;
    pairs.push_back({place[a], place[b]});
    who.push_back({a, b});
  };
  for (std::size_t c = 1; c < candidates.size(); ++c) add(c, 0);
  if (winner != 0)
    for (std::size_t c = 1; c < candidates.size(); ++c) add(c, winner);
  out.resamples = infer::affordable_resamples(options.resamples, plan.judged.size(), fitted.size());
  out.interval = "simultaneous 95% over all methods, paired bootstrap of rows, fitted maps held fixed";
  auto differences = infer::paired_differences(fitted, plan.judged.weight(), pairs, options.bins,
                                               {out.resamples, options.seed, options.threads});
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (Difference& d : differences[p]) {
      d.against = candidates[who[p].b].method;
      out.methods[who[p].a].differences.push_back(std::move(d));
    }
}

}  // namespace

Result<Comparison> compare(const Predictions& validation, const Predictions* test, const CompareOptions& options) {
  const auto checked = compare_plan(validation, test, options);
  if (!checked) return checked.error();
  const auto candidates = run_candidates(*checked, test != nullptr, options);
  Comparison out{.validation = input_info(validation, checked->reduction),
                 .test = input_info(test ? *test : validation, checked->reduction),
                 .cross_validated = test == nullptr,
                 .folds = options.folds,
                 .seed = options.seed};
  for (const Candidate& c : candidates) out.methods.push_back(summarise(c, *checked, options));
  for (std::size_t c = 0; c < candidates.size() && !checked->groupings.empty(); ++c) {
    if (!candidates[c].reason.empty()) continue;
    auto found = groups(*candidates[c].judged, checked->groupings,
                        {.seed = options.seed, .threads = options.threads, .progress = options.progress});
    if (!found) return found.error();
    found->input = out.test;
    out.methods[c].groups = *std::move(found);
  }
  out.winner = winner_of(candidates, out.methods, *checked, options.folds);
  const auto winner =
      static_cast<std::size_t>(std::find_if(candidates.begin(), candidates.end(),
                                            [&](const Candidate& c) { return c.method == out.winner.method; }) -
                               candidates.begin());
  if (options.progress) options.progress("paired intervals", candidates.size(), candidates.size());
  add_differences(candidates, winner, *checked, options, out);
  const auto first = out.methods.begin();
  std::rotate(first, first + static_cast<std::ptrdiff_t>(winner), first + static_cast<std::ptrdiff_t>(winner) + 1);
  return out;
}

}  // namespace tare::detail::analysis
