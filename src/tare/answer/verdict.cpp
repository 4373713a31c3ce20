#include "tare/answer/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "tare/answer/lines.hpp"
#include "tare/infer/tests/cox.hpp"
#include "tare/infer/tests/smooth_test.hpp"
#include "tare/measure/rank_poly/certain_rows.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/normal.hpp"

namespace tare::inner::answer {
namespace {

using numeric::z95;

ErrorRange estimated(const measure::Sample& rows, std::span<const Measured> known, bool Roles::*role) {
  const measure::Estimator& estimator = measure::with_role(role);
  const auto at = std::find_if(known.begin(), known.end(), [&](const Measured& m) { return m.name == estimator.name; });
  Measured made;
  if (at == known.end()) {
    made = measure_line({&estimator, {.norm = usual_norm(estimator)}}, rows);
    add_interval(made, rows.ordered().weight());
  }
  const Measured& m = at == known.end() ? made : *at;
  ErrorRange out{.estimator = m.name, .low = m.low, .high = m.high};
  if (m.estimate) out.value = m.estimate->value, out.note = m.estimate->note;
  return out;
}

// Mean score less mean label. `limit` standard deviations each way, and no fewer than noise alone has: so it holds 0
// whenever the level of the test is accepted.
Range mean_gap(const numeric::Ordered& rows, double limit) {
  numeric::Moments moments;
  double variance = 0;
  for (std::size_t g = 0; g < rows.groups(); ++g) {
    const std::uint64_t hits = rows.hits(g), misses = rows.mass(g) - hits;
    if (hits > 0) moments.add(rows.score(g) - 1, hits);
    if (misses > 0) moments.add(rows.score(g), misses);
    variance += static_cast<double>(rows.mass(g)) * rows.score(g) * (1 - rows.score(g));
  }
  Range out{.value = moments.mean()};
  if (const auto se = moments.se(rows.unit())) {
    const double null = std::sqrt(variance / static_cast<double>(rows.unit())) / rows.weight();
    const double half = limit * std::max(*se, null);
    out.low = std::max(-1.0, out.value - half);
    out.high = std::min(1.0, out.value + half);
  }
  return out;
}

// Nothing to begin at (another test than the first of the table rejects, and knows no size): no interval.
// Where the estimate is below that, the mean gap is a better one: no error is smaller.
void begin_at(ErrorRange& range, double least, double mean_gap) {
  if (!range.value) return;
  if (!(least > 0)) {
    range.low = range.high = std::nullopt;
    return;
  }
  range.low = std::max(range.low.value_or(0), least);
  if (*range.value < *range.low) range.value = std::max(*range.low, std::min(mean_gap, range.high.value_or(1)));
  range.high = std::max(range.high.value_or(1), *range.value);
}

void begin_above_zero(Verdict& v, const infer::LeastError& least, double total) {
  double mean = 0, square = 0;
  if (v.certain.wrong() > 0) {
    const double rate = measure::least_wrong(v.certain.wrong(), v.certain.rows), share = v.certain.rows / total;
    mean = rate * share;
    square = rate * std::sqrt(share);
  }
  const double gap = std::abs(v.mean_gap.value);
  if (v.square.low.value_or(0) == 0) begin_at(v.square, std::max(square, least.square), gap);
  if (v.mean.low.value_or(0) == 0) begin_at(v.mean, std::max(mean, least.mean), gap);
}

void begin_at_zero(ErrorRange& range) {
  if (range.low) range.low = 0;
}

// Which way; and the shape where that matters more: where gaps of both signs cancel, the mean gap is less than half of
// the mean size of the gaps.
void add_direction(Verdict& v, const measure::Sample& rows) {
  const auto excludes = [](const Range& r, double x) { return r.low && r.high && (*r.low > x || *r.high < x); };
  if (excludes(v.mean_gap, 0)) v.direction = v.mean_gap.value > 0 ? Direction::over : Direction::under;
  const auto line = infer::cox_line(rows);
  if (!line) return;
  v.slope = Range{line->slope, line->slope - z95 * line->se, line->slope + z95 * line->se};
  if (excludes(*v.slope, 1) && v.mean.value && std::abs(v.mean_gap.value) < *v.mean.value / 2)
    v.shape = v.slope->value < 1 ? Shape::too_extreme : Shape::too_timid;
}

}  // namespace

Certain certain_in(const numeric::Ordered& rows) {
  const auto [low, high] = measure::certain_rows(rows).rows;
  return {.misses_at_one = high.wrong,
          .hits_at_zero = low.wrong,
          .rows = low.rows + high.rows,
          .expected = low.rows * low.doubt + high.rows * high.doubt};
}

double p_of_certain(const Certain& certain) {
  if (!(certain.wrong() > 0)) return 1;
  return std::min(1.0, std::max(std::max(certain.wrong(), 1.0) * measure::certain_within, 10 * certain.expected));
}

Verdict verdict_of(const measure::Sample& rows, const measure::Sample& cells, const TestReport& report,
                   std::span<const Measured> known) {
  const TestResult& first = report.tests.front();
  Verdict out{.p_value = first.p_value, .test = first.name, .alpha = report.alpha};
  out.certain = certain_in(rows.ordered());
  out.square = estimated(rows, known, &Roles::headline);
  out.mean = estimated(rows, known, &Roles::mean_gap);
  const bool smooth = first.name == infer::all_tests().front().name;
  infer::LeastError least{.level_limit = z95};
  if (smooth && first.accepted_high) least = infer::least_error(cells, *first.accepted_high);
  out.mean_gap = mean_gap(rows.ordered(), std::max(z95, least.level_limit));
  const auto& sums = rows.ordered();
  out.mean_label = static_cast<double>(sums.hits_before(sums.groups())) / static_cast<double>(sums.total_mass());
  out.mean_score = out.mean_label + out.mean_gap.value;

  if (out.p_value && *out.p_value < out.alpha) {
    out.outcome = Outcome::miscalibrated;
    begin_above_zero(out, least, sums.weight());
    add_direction(out, rows);
  } else {
    begin_at_zero(out.square);
    begin_at_zero(out.mean);
    if (out.mean_gap.low) {  // rounding, where the level is as far away as it may be
      out.mean_gap.low = std::min(*out.mean_gap.low, 0.0);
      out.mean_gap.high = std::max(*out.mean_gap.high, 0.0);
    }
  }
  if (report.detectable && report.detectable->tce) out.detectable = report.detectable->tce;
  if (out.outcome != Outcome::miscalibrated) {
    if (out.square.high) out.detectable = std::max(out.detectable.value_or(0), *out.square.high);
    if (out.p_value && out.detectable && *out.detectable <= useful_error) out.outcome = Outcome::nothing_found;
  }
  return out;
}

}  // namespace tare::inner::answer
