#include "tare/fit/temperature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/core/result.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/zeros.hpp"
#include "tare/numeric/simd/coarse_rows.hpp"
#include "tare/numeric/simd/tempered.hpp"
#include "tare/numeric/solve/rising_root.hpp"

namespace tare::detail::fit {
namespace {

std::string note_of(FitStatus status, double v) {
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

}  // namespace

// After a step d from v the slope is at most |slope + d curvature| + range curvature d^2 / 2 exp(range d), because
// the third derivative, a third central moment, is at most range times the variance: no pass is spent on
// finding out that the last step was a good one.
double TemperatureSearch::certified(double v, const numeric::TemperedNll* at_zero) {
  numeric::RisingRoot root(lowest, highest);
  if (at_zero != nullptr) root.know(0, at_zero->slope, at_zero->curvature);
  for (;;) {
    const numeric::TemperedNll e = at(v);
    if (range() == 0) return flat(e.loss);
    const double goal = 1e-11 + 1e-15 * range();  // below that a slope is rounding
    if (std::abs(e.slope) <= goal) return finish(v, e, FitStatus::converged);
    if (v == lowest && e.slope > 0) return finish(v, e, FitStatus::at_bound);
    if (v == highest && e.slope < 0) return finish(v, e, FitStatus::at_bound);
    if (exhausted()) return finish(v, e, FitStatus::iteration_limit);
    const double to = root.next(v, e.slope, e.curvature);
    const double d = to - v, reach = range() * std::abs(d);
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

double TemperatureSearch::no_minimum(double limit, double enough) {
  double v = 1;
  numeric::TemperedNll e = at(v);
  if (range() == 0) return flat(e.loss);
  while (e.loss - limit > enough && v < highest && !exhausted()) {
    v = std::min(2 * v, highest);
    e = at(v);
  }
  return finish(v, e, FitStatus::unbounded);
}

double TemperatureSearch::flat(double nll) {
  report = {.iterations = report.iterations,
            .gradient = 0.0,
            .nll_before = nll,
            .nll_after = nll,
            .note = "the logits of every row are equal: any temperature is as good, 1 was kept"};
  return 1;
}

double TemperatureSearch::finish(double v, const numeric::TemperedNll& e, FitStatus status) {
  report.status = status;
  report.gradient = std::abs(e.slope);
  report.nll_after = e.loss;
  report.note = note_of(status, v);
  return v;
}

namespace {

using numeric::CoarseRows;
using numeric::LogitRows;
using numeric::LogitSurvey;
using numeric::RowSums;
using numeric::TemperedNll;

// Rows on the CPU: the survey guesses, and cheaper passes come first where there are many rows.
class RowSearch final : public TemperatureSearch {
 public:
  // `sums`: what the survey used, and the search may use until its last steps.
  // `coarse`: null, or rows for the first steps, which the survey has filled instead of asking at v = 1.
  RowSearch(const LogitRows& rows, const LogitSurvey& survey, RowSums sums, const CoarseRows* coarse,
            const Options& options)
      : TemperatureSearch(options.max_iterations),
        rows_(rows),
        survey_(survey),
        coarse_(coarse),
        sums_(sums),
        threads_(options.threads) {
    report.nll_before = survey.at_one.loss;
  }

  double run() {
    if (survey_.range == 0) return flat(survey_.at_one.loss);
    if (survey_.all_right) return no_minimum(survey_.limit, survey_.least_weight / 2 / survey_.total_weight);
    if (survey_.slope >= 0) {
      const TemperedNll e = at(lowest);
      if (e.slope >= 0) return finish(lowest, e, FitStatus::at_bound);
    }
    const double v = coarse_ || (sums_ == RowSums::float32 && survey_.range < 1e15) ? first_steps() : 1;
    const TemperedNll at_zero{.slope = survey_.slope, .curvature = survey_.curvature};
    return certified(v, v == 1 ? &at_zero : nullptr);
  }

 private:
  TemperedNll pass(double v) override { return pass(v, RowSums::float64); }
  [[nodiscard]] double range() const override { return survey_.range; }

  TemperedNll pass(double v, RowSums sums) {
    if (report.iterations == 1 && v == 1 && sums == sums_ && !coarse_) return survey_.at_one;
    return numeric::tempered_nll(rows_, v, survey_.range, sums, threads_);
  }
  CoarseRows::Slope slope_at(double v) {
    count_pass();
    if (coarse_) return coarse_->at(v, threads_);
    const TemperedNll e = pass(v, RowSums::float32);
    return {e.slope, e.curvature};
  }

  // Float32 rows until the step is so short that their own error (1e-8) is all that remains.
  double first_steps() {
    numeric::RisingRoot root(lowest, highest);
    root.know(0, survey_.slope, survey_.curvature);
    double v = 1;
    for (double step = 1; step > 1e-3 && !exhausted();) {
      const CoarseRows::Slope e = slope_at(v);
      const double to = root.next(v, e.slope, e.curvature);
      step = std::abs(to - v) / v;
      v = to;
    }
    return v;
  }

  const LogitRows& rows_;
  const LogitSurvey& survey_;
  const CoarseRows* coarse_;
  RowSums sums_;
  int threads_;
};

Error too_large(double largest) {
  return {.code = Errc::bad_input,
          .what = "logits reach " + number_text(largest),
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
Result<Model> with_losses_of_probabilities(Model model, const MulticlassView& view, double reach,
                                           const Options& options) {
  if (reach < 700) return with_nll_before(std::move(model), view, options);
  return with_nll(std::move(model), view, plain_temperature, options);
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
  RowSearch search(rows, survey, sums, first_coarse ? &coarse : nullptr, options);
  const double v = search.run();
  Model model = model_of(view, "temperature");
  model.parameters["temperature"] = 1 / v;
  model.fit = search.report;
  if (probabilities) return with_losses_of_probabilities(std::move(model), view, v * survey.range, options);
  if (first_coarse) return with_nll_before(std::move(model), view, options);
  return model;
}

}  // namespace

LogitRows logit_rows(const MulticlassView& view) {
  return {view.values(), view.columns(), view.kind() == Kind::probs, view.label(), view.weight()};
}

Result<Model> temperature(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit_temperature, true);
}

namespace {

constexpr RecipeFunction temperature_recipe = filled_recipe<plain_temperature, true>;

Result<Model> temperature_of_one(const MulticlassView& view, const Options& options) {
  Model model = model_of(view, "temperature");
  model.parameters["temperature"] = 1.0;
  model.fit.note = "this map changes nothing";
  return with_nll(std::move(model), view, temperature_recipe, options);
}

constexpr Calibrator of_fit(Result<Model> (*fit)(const MulticlassView&, const Options&)) {
  return {.name = "temperature",
          .title = "temperature scaling",
          .summary = "divides all logits by one number; never changes the top label",
          .citation = "Guo et al. 2017, Eq. 9",
          .complexity = 1,
          .keeps_top_label = true,
          .fit = fit,
          .recipe = temperature_recipe};
}

}  // namespace

constinit const Calibrator temperature_calibrator = of_fit(temperature);
constinit const Calibrator identity_calibrator = of_fit(temperature_of_one);

}  // namespace tare::detail::fit
