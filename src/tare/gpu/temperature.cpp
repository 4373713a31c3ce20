#include "tare/gpu/temperature.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tare/fit/temperature.hpp"
#include "tare/gpu/temper.hpp"
#include "tare/numeric/solve/rising_root.hpp"

namespace tare::inner::gpu {
namespace {

using numeric::TemperedNll;

constexpr double v_low = 1 / fit::largest_temperature, v_high = 1 / fit::smallest_temperature;

// Where the slope changes sign: between two v at which it is known, or beyond all of them.
struct Bracket {
  double low = 0, high = 0;
  TemperedNll at_low = {}, at_high = {};
  bool found = false;
};

// The root of the cubic in log v that has the slopes and their derivatives at both ends.
double inside(const Bracket& b) {
  const double x0 = std::log(b.low), h = std::log(b.high) - x0;
  const double f0 = b.at_low.slope, f1 = b.at_high.slope;
  const double d0 = b.at_low.curvature * b.low * h, d1 = b.at_high.curvature * b.high * h;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double t = (low + high) / 2;
    const double f = f0 + t * (d0 + t * (3 * (f1 - f0) - 2 * d0 - d1 + t * (d0 + d1 - 2 * (f1 - f0))));
    (f < 0 ? low : high) = t;
  }
  return std::exp(x0 + h * (low + high) / 2);
}

class Search {
 public:
  Search(Tempered& passes, int limit) : passes_(passes), limit_(limit > 0 ? limit : 200) {}

  Result<double> run() {
    const auto bracket = look();
    if (!bracket) return bracket.error();
    if (passes_.all_right()) return no_minimum();
    if (bracket->found) return certified(inside(*bracket));
    const double end = bracket->at_low.slope >= 0 ? v_low : v_high;
    return certified(end);
  }

  FitReport report;

 private:
  // Four temperatures at a time, each twice the one before, until one set has the root inside.
  Result<Bracket> look() {
    Tempered::Four v{0.25, 0.5, 1, 2};
    Bracket out;
    bool first = true;
    for (;;) {
      const auto found = passes_.four(v);
      if (!found) return found.error();
      if (passes_.rows() == 0)
        return Error{
            .code = Errc::bad_input, .what = "there are no rows", .remedy = "at least one prediction is needed"};
      if (first) report.nll_before = (*found)[2].loss;
      const bool above = (*found)[3].slope < 0, below = (*found)[0].slope >= 0;
      for (std::size_t t = 0; t + 1 < v.size(); ++t)
        if ((*found)[t].slope < 0 && (*found)[t + 1].slope >= 0)
          return Bracket{v[t], v[t + 1], (*found)[t], (*found)[t + 1], true};
      // between two sets
      if (!first && above && out.at_low.slope >= 0) return Bracket{v[3], out.low, (*found)[3], out.at_low, true};
      if (!first && below && out.at_high.slope < 0) return Bracket{out.high, v[0], out.at_high, (*found)[0], true};
      out = {v[0], v[3], (*found)[0], (*found)[3], false};
      first = false;
      const double factor = above ? 16 : 1.0 / 16;
      if (passes_.all_right() || v[0] * factor < v_low || v[3] * factor > v_high) return out;
      for (double& x : v) x *= factor;
    }
  }

  // As fit/temperature.cpp: after a step d the slope is at most |slope + d curvature| + range curvature d^2 / 2
  // exp(range d), so that no pass is spent on finding out that the last step was a good one.
  double certified(double v) {
    numeric::RisingRoot root(v_low, v_high);
    for (;;) {
      const TemperedNll e = passes_.one(v);
      const double goal = 1e-11 + 1e-15 * passes_.range();
      if (passes_.range() == 0) return flat(e);
      if (std::abs(e.slope) <= goal) return finish(v, e, FitStatus::converged);
      if (v == v_low && e.slope > 0) return finish(v, e, FitStatus::at_bound);
      if (v == v_high && e.slope < 0) return finish(v, e, FitStatus::at_bound);
      if (passes_.passes() >= limit_) return finish(v, e, FitStatus::iteration_limit);
      const double to = root.next(v, e.slope, e.curvature);
      const double d = to - v, reach = passes_.range() * std::abs(d);
      const double bound =
          std::abs(e.slope + d * e.curvature) + reach * e.curvature * std::abs(d) / 2 * std::exp(reach);
      if (bound <= goal) {
        report.gradient = bound;
        report.nll_after = e.loss + d * (e.slope + d * e.curvature / 2);
        return to;
      }
      if (!(root.low() < root.high()) || to == v) return finish(v, e, FitStatus::converged);
      v = to;
    }
  }

  // Every label has the largest logit already. Halve T until all rows together miss the limit by less than half a row.
  double no_minimum() {
    const double limit = passes_.one(v_high).loss, enough = 0.5 / passes_.rows();
    double v = 1;
    TemperedNll e = passes_.one(v);
    if (passes_.range() == 0) return flat(e);
    while (e.loss - limit > enough && v < v_high && passes_.passes() < limit_) {
      v = std::min(2 * v, v_high);
      e = passes_.one(v);
    }
    return finish(v, e, FitStatus::unbounded);
  }

  double flat(const TemperedNll& e) {
    report = {.gradient = 0.0, .nll_before = e.loss, .nll_after = e.loss, .note = fit::flat_logits_note()};
    return 1;
  }
  double finish(double v, const TemperedNll& e, FitStatus status) {
    report.status = status;
    report.gradient = std::abs(e.slope);
    report.nll_after = e.loss;
    report.note = fit::temperature_note(status, v);
    return v;
  }

  Tempered& passes_;
  int limit_;
};

}  // namespace

Result<Model> fit_temperature(const Rows& rows, const Labels& labels, int max_iterations, Stream stream) {
  return guarded([&]() -> Result<Model> {
    if (const auto fine = readable(rows, labels); !fine) return fine.error();
    if (rows.kind != Kind::logits)
      return Error{.code = Errc::unsupported,
                   .what = "on a GPU a temperature is fitted on logits, and these are probabilities",
                   .remedy = "pass logits, or copy the array to the CPU"};
    if (rows.n == 0 || labels.data == nullptr)
      return Error{.code = Errc::bad_input, .what = "there are no rows", .remedy = "at least one prediction is needed"};
    const auto start = std::chrono::steady_clock::now();
    Tempered passes(rows, labels, stream);
    Search search(passes, max_iterations);
    const auto v = search.run();
    if (!v) return v.error();
    Model model{.method = "temperature", .k = rows.k, .columns = rows.k, .input = Kind::logits};
    model.parameters["temperature"] = 1 / *v;
    model.fit = search.report;
    model.fit.iterations = passes.passes();
    model.fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return model;
  });
}

}  // namespace tare::inner::gpu
