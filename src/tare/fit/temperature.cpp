#include "tare/fit/temperature.hpp"

#include <cmath>
#include <limits>

#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/zeros.hpp"
#include "tare/numeric/simd/coarse_rows.hpp"
#include "tare/numeric/simd/logit_rows.hpp"
#include "tare/numeric/solve/rising_root.hpp"

namespace tare::inner::fit {
namespace {

using numeric::CoarseRows;
using numeric::LogitRows;
using numeric::LogitSurvey;
using numeric::RowSums;
using numeric::TemperedNll;

constexpr double v_low = 1 / largest_temperature, v_high = 1 / smallest_temperature;

class Search {
 public:
  // `sums`: what the survey used, and the search may use until its last steps.
  Search(const LogitRows& rows, const LogitSurvey& survey, RowSums sums, const Options& options)
      : rows_(rows),
        survey_(survey),
        sums_(sums),
        threads_(options.threads),
        limit_(options.max_iterations > 0 ? options.max_iterations : 200) {
    report.nll_before = survey.at_one.loss;
  }

  // The same, with rows for the first steps, which the survey has filled instead of asking at v = 1.
  Search(const LogitRows& rows, const LogitSurvey& survey, const CoarseRows& coarse, const Options& options)
      : Search(rows, survey, RowSums::float64, options) {
    coarse_ = &coarse;
  }

  TemperedNll at(double v, RowSums sums = RowSums::float64) {
    if (++report.iterations == 1 && v == 1 && sums == sums_ && !coarse_) return survey_.at_one;
    return numeric::tempered_nll(rows_, v, survey_.range, sums, threads_);
  }

  double minimum();
  double no_minimum();

  FitReport report;

 private:
  double coarse(double v);
  double fine(double v);
  bool exhausted() const { return report.iterations >= limit_; }
  double finish(double v, const TemperedNll& e, FitStatus status) {
    report.status = status;
    report.gradient = std::abs(e.slope);
    report.nll_after = e.loss;
    return v;
  }
  CoarseRows::Slope slope_at(double v) {
    if (!coarse_) {
      const TemperedNll e = at(v, RowSums::float32);
      return {e.slope, e.curvature};
    }
    ++report.iterations;
    return coarse_->at(v, threads_);
  }

  const LogitRows& rows_;
  const LogitSurvey& survey_;
  const CoarseRows* coarse_ = nullptr;
  RowSums sums_;
  int threads_;
  int limit_;
};

// Float32 rows until the step is so short that their own error (1e-8) is all that remains.
double Search::coarse(double v) {
  numeric::RisingRoot root(v_low, v_high);
  root.know(0, survey_.slope, survey_.curvature);
  for (double step = 1; step > 1e-3 && !exhausted();) {
    const CoarseRows::Slope e = slope_at(v);
    const double to = root.next(v, e.slope, e.curvature);
    step = std::abs(to - v) / v;
    v = to;
  }
  return v;
}

// After a step d from v the slope is at most |slope + d curvature| + range curvature d^2 / 2 exp(range d), because
// the third derivative, a third central moment, is at most range times the variance: no pass is spent on
// finding out that the last step was a good one.
double Search::fine(double v) {
  const double goal = 1e-11 + 1e-15 * survey_.range;  // below that a slope is rounding
  numeric::RisingRoot root(v_low, v_high);
  if (v == 1) root.know(0, survey_.slope, survey_.curvature);
  for (;;) {
    const TemperedNll e = at(v);
    if (std::abs(e.slope) <= goal) return finish(v, e, FitStatus::converged);
    if (v == v_low && e.slope > 0) return finish(v, e, FitStatus::at_bound);
    if (v == v_high && e.slope < 0) return finish(v, e, FitStatus::at_bound);
    if (exhausted()) return finish(v, e, FitStatus::iteration_limit);
    const double to = root.next(v, e.slope, e.curvature);
    const double d = to - v, reach = survey_.range * std::abs(d);
    const double bound = std::abs(e.slope + d * e.curvature) + reach * e.curvature * std::abs(d) / 2 * std::exp(reach);
    if (bound <= goal) {
      report.gradient = bound;
      report.nll_after = e.loss + d * (e.slope + d * e.curvature / 2);
      return to;
    }
    if (!(root.low() < root.high()) || to == v) return finish(v, e, FitStatus::converged);
    v = to;
  }
}

double Search::minimum() {
  if (survey_.slope >= 0) {
    const TemperedNll e = at(v_low);
    if (e.slope >= 0) return finish(v_low, e, FitStatus::at_bound);
  }
  return fine(coarse_ || (sums_ == RowSums::float32 && survey_.range < 1e15) ? coarse(1) : 1);
}

// Every label already has the largest logit: the NLL falls for ever as T falls. Stop where all rows together
// miss the limit by less than half a row: the data cannot show more.
double Search::no_minimum() {
  const double enough = survey_.least_weight / 2 / survey_.total_weight;
  double v = 1;
  TemperedNll e = at(v);
  while (e.loss - survey_.limit > enough && v < v_high && !exhausted()) {
    v = std::min(2 * v, v_high);
    e = at(v);
  }
  return finish(v, e, FitStatus::unbounded);
}

Error too_large(double largest) {
  return {.code = Errc::bad_input,
          .what = "logits reach " + std::to_string(largest),
          .remedy = "logits of a network are below 1e4; check the file"};
}

Result<Recipe> plain_temperature(const Model& model) {
  const auto t = number(model, "temperature", {smallest_temperature * (1 - 1e-9), largest_temperature * (1 + 1e-9)});
  if (!t) return t.error();
  return recipe_of(model, Recipe::Tempered{.v = 1 / *t});
}

// Passes over many rows ask for logarithms each time. They are taken once where there is room for them: 512 MiB.
numeric::LargeArray<double> take_logits_once(LogitRows& rows, int threads) {
  constexpr std::size_t room = std::size_t{1} << 26;
  if (!rows.probabilities || rows.values.size() > room) return {};
  numeric::LargeArray<double> logits = numeric::logits_of(rows, threads);
  rows.values = std::span<const double>(logits);
  rows.probabilities = false;
  return logits;
}

// What the fit says about losses comes from its own sums. Two things are not in them: clipped probabilities, and
// probabilities that the map rounds to 0.
Result<Model> with_losses_of_probabilities(Model model, const MulticlassView& view, double reach, int threads) {
  if (reach < 700) return with_nll_before(std::move(model), view, threads);
  return with_nll(std::move(model), view, plain_temperature, threads);
}

Result<Model> fit_temperature(const MulticlassView& view, const Options& options) {
  LogitRows rows = logit_rows(view);
  const bool probabilities = rows.probabilities;
  constexpr std::size_t many = std::size_t{1} << 20;  // below, passes in float64 cost nothing
  // 512 MiB where logarithms would be kept as well; 32 MiB beside logits, which are not copied where they are large
  const std::size_t room = std::size_t{1} << (probabilities ? 27 : 23);
  const std::size_t size = view.values().size();
  CoarseRows coarse;
  numeric::LargeArray<double> logits;
  LogitSurvey survey{.range = std::numeric_limits<double>::infinity()};
  RowSums sums = RowSums::float64;
  if (size > many && size <= room) survey = numeric::survey(rows, coarse, options.threads);
  const bool first_coarse = survey.range <= numeric::most_coarse_range && !survey.all_right;
  if (!first_coarse) {
    logits = take_logits_once(rows, options.threads);
    if (view.values().is_float32() && !probabilities && rows.k > 1 && size > many) sums = RowSums::float32;
    survey = numeric::survey(rows, sums, options.threads);
  }
  if (!(survey.largest < 1e100)) return too_large(survey.largest);
  Search search = first_coarse ? Search(rows, survey, coarse, options) : Search(rows, survey, sums, options);
  double v = 1;
  if (survey.range == 0) {
    const double nll = survey.at_one.loss;
    search.report = {.gradient = 0.0, .nll_before = nll, .nll_after = nll, .note = flat_logits_note()};
  } else {
    v = survey.all_right ? search.no_minimum() : search.minimum();
    search.report.note = temperature_note(search.report.status, v);
  }
  Model model = model_of(view, "temperature");
  model.parameters["temperature"] = 1 / v;
  model.fit = search.report;
  if (probabilities) return with_losses_of_probabilities(std::move(model), view, v * survey.range, options.threads);
  if (first_coarse) return with_nll_before(std::move(model), view, options.threads);
  return model;
}

}  // namespace

std::string temperature_note(FitStatus status, double v) {
  switch (status) {
    case FitStatus::converged:
      return "";
    case FitStatus::iteration_limit:
      return "stopped by max_iterations; allow more";
    case FitStatus::at_bound:
      return v < 1 ? "the labels do not follow the logits: the best temperature is infinite, 1e6 was kept; check that "
                     "logits and labels belong together"
                   : "the best temperature is below 1e-6, which was kept; check the scale of the logits";
    case FitStatus::unbounded:
      return "every row is classified right, so the NLL falls for ever as T goes to 0; T was halved from 1 until all "
             "rows together were within half a row of the limit; fit on more rows, some of them misclassified";
  }
  return "";
}

std::string flat_logits_note() { return "the logits of every row are equal: any temperature is as good, 1 was kept"; }

LogitRows logit_rows(const MulticlassView& view) {
  return {view.values(), view.columns(), view.kind() == Kind::probs, view.label(), view.weight()};
}

Result<Model> temperature(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit_temperature, true);
}

Result<Recipe> temperature_recipe(const Model& model) { return filled_recipe(model, plain_temperature, true); }

constinit const Calibrator temperature_calibrator{
    .name = "temperature",
    .title = "temperature scaling",
    .summary = "divides all logits by one number; never changes the top label",
    .citation = "Guo et al. 2017, Eq. 9",
    .complexity = 1,
    .keeps_top_label = true,
    .fit = temperature,
    .recipe = temperature_recipe};

}  // namespace tare::inner::fit
