#include "tare/fit/temperature_search.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace tare::detail::fit
