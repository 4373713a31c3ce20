#include "tare/answer/compare.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <memory>

#include "tare/answer/compare_plan.hpp"
#include "tare/answer/groups.hpp"
#include "tare/answer/input_info.hpp"
#include "tare/answer/lines.hpp"
#include "tare/answer/recommendation.hpp"
#include "tare/infer/band/curve_band.hpp"
#include "tare/infer/resample/paired.hpp"
#include "tare/infer/resample/row_losses.hpp"

namespace tare::inner::answer {
namespace {

// A method at work: fitted and applied, or the reason why not.
struct Candidate {
  std::string method;
  const fit::Calibrator* calibrator = nullptr;  // null: uncalibrated
  std::string reason = {};
  FitReport fit = {};
  infer::RowLosses test = infer::RowLosses();         // on the rows that are judged
  infer::RowLosses out_of_fold = infer::RowLosses();  // on the validation rows
};

// Fits on some rows and writes the losses on others. Empty: done.
std::string fit_and_lose(const fit::Calibrator* calibrator, const MulticlassView& train, const MulticlassView& judged,
                         Reduction reduction, const std::vector<std::size_t>& rows, const CompareOptions& options,
                         infer::RowLosses& out, FitReport* report) {
  std::unique_ptr<fit::Map> map;
  if (calibrator) {
    const auto start = std::chrono::steady_clock::now();
    auto model = calibrator->fit(train, options.fit);
    if (!model) return sentence(model.error());
    model->fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (report) *report = model->fit;
    auto loaded = calibrator->load(*model);
    if (!loaded) return sentence(loaded.error());
    map = *std::move(loaded);
  }
  infer::add_losses(judged, map.get(), reduction, rows, out, options.threads);
  return {};
}

std::string cross_validate(Candidate& candidate, const MulticlassView& data, const std::vector<int>& fold,
                           Reduction reduction, const CompareOptions& options) {
  candidate.out_of_fold = infer::RowLosses(data.size());
  if (!candidate.calibrator)
    return fit_and_lose(nullptr, data, data, reduction, {}, options, candidate.out_of_fold, nullptr);
  for (int f = 0; f < options.folds; ++f) {
    std::vector<std::size_t> inside, outside;
    for (std::size_t i = 0; i < fold.size(); ++i) (fold[i] == f ? outside : inside).push_back(i);
    if (inside.empty() || outside.empty()) continue;
    const infer::RowsOf train(data, std::move(inside)), held_out(data, std::move(outside));
    if (!held_out.have_weight()) continue;  // nothing to lose
    const auto fitted = train.view(), judged = held_out.view();
    if (!fitted) return "fold " + std::to_string(f) + ": " + sentence(fitted.error());
    if (!judged) return "fold " + std::to_string(f) + ": " + sentence(judged.error());
    auto problem = fit_and_lose(candidate.calibrator, *fitted, *judged, reduction, held_out.rows(), options,
                                candidate.out_of_fold, nullptr);
    if (!problem.empty()) return problem;
  }
  return {};
}

// What the same estimators would show, were the method's own output perfectly calibrated.
void add_floors(const measure::Sample& sample, const std::vector<measure::Choice>& columns,
                const CompareOptions& options, std::vector<Measured>& estimates) {
  constexpr std::size_t redrawings = 199;
  std::vector<infer::Line> lines;
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

Result<BinaryView> judged_view(const Candidate& c, std::span<const double> weight) {
  return binary_view(std::span<const double>(c.test.score), c.test.label, weight);
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
  const auto view = judged_view(c, weight);
  assert(view);  // run_candidates has looked
  // of confidences the predicted class is not known, and stays what it is: only hits count
  const auto& hit = plan.hits ? c.test.label : c.test.right;
  out.error = 1 - infer::mean_loss(std::vector<double>(hit.begin(), hit.end()), weight);
  out.brier = infer::mean_loss(c.test.brier, weight);
  const double nll = infer::mean_loss(c.test.nll, weight);
  if (std::isfinite(nll)) out.nll = nll;
  out.nll_infinite_rows = infinite_rows(c.test.nll, weight);
  const measure::Sample sample(*view, options.threads);
  for (const measure::Choice& column : plan.columns) out.estimates.push_back(measure_line(column, sample));
  add_floors(sample, plan.columns, options, out.estimates);
  out.curve = infer::curve_band(sample.ordered());
  const double selection = infer::mean_loss(plan.criterion == Criterion::nll ? c.out_of_fold.nll : c.out_of_fold.brier,
                                            plan.validation.weight());
  if (std::isfinite(selection)) out.selection = selection;
  return out;
}

std::vector<Candidate> run_candidates(const ComparePlan& plan, bool has_test, const CompareOptions& options) {
  std::vector<Candidate> candidates{{.method = uncalibrated_name}};
  for (const fit::Calibrator* c : plan.methods) candidates.push_back({.method = std::string(c->name), .calibrator = c});
  // the score of a confidence is the confidence itself, as that of class 1 would be
  const Reduction losses = plan.hits ? Reduction::positive : plan.reduction;
  const auto fold = infer::random_folds(plan.validation.label(), options.folds, options.seed);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    Candidate& candidate = candidates[c];
    if (options.progress) options.progress("calibrators", c, candidates.size());
    candidate.test = infer::RowLosses(plan.judged.size());
    candidate.reason = fit_and_lose(candidate.calibrator, plan.validation, plan.judged, losses, {}, options,
                                    candidate.test, &candidate.fit);
    if (candidate.reason.empty()) candidate.reason = cross_validate(candidate, plan.validation, fold, losses, options);
    if (!has_test && candidate.reason.empty()) candidate.test = candidate.out_of_fold;
    if (candidate.reason.empty())
      if (const auto view = judged_view(candidate, plan.judged.weight()); !view)
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
    const auto& loss = plan.criterion == Criterion::nll ? c.out_of_fold.nll : c.out_of_fold.brier;
    methods.push_back({c.method, c.calibrator ? c.calibrator->complexity : 0,
                       c.reason.empty() ? std::span<const double>(loss) : std::span<const double>(),
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
    if (candidates[c].reason.empty()) fitted.push_back(&candidates[c].test);
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
    auto found = groups(*judged_view(candidates[c], checked->judged.weight()), checked->groupings,
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

}  // namespace tare::inner::answer
