#include "tare/analysis/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/infer/tests/classical.hpp"
#include "tare/infer/tests/smooth_test.hpp"
#include "tare/measure/rank_poly/certain_rows.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::analysis {
namespace {

using numeric::z95;

// What was measured of an error: the line that is known already, or made now.
Measured measured(const measure::Sample& rows, std::span<const Measured> known, bool Roles::*role) {
  const measure::Estimator& estimator = measure::with_role(role);
  const auto at = std::find_if(known.begin(), known.end(), [&](const Measured& m) { return m.name == estimator.name; });
  if (at != known.end()) return *at;
  Measured made = measure_estimate_row({&estimator, {.norm = usual_norm(estimator)}}, rows);
  add_interval(made, rows.ordered().weight());
  return made;
}

// Mean score less mean label. `limit` standard deviations each way, and no fewer than noise alone has: so it holds 0
// whenever the level of the test is accepted, but for rounding where the level is as far away as it may be.
IntervalEstimate mean_gap(const numeric::Ordered& rows, double limit, bool rejected) {
  numeric::Moments moments;
  double variance = 0;
  for (std::size_t g = 0; g < rows.groups(); ++g) {
    const std::uint64_t hits = rows.hits(g), misses = rows.mass(g) - hits;
    if (hits > 0) moments.add(rows.score(g) - 1, hits);
    if (misses > 0) moments.add(rows.score(g), misses);
    variance += static_cast<double>(rows.mass(g)) * rows.score(g) * (1 - rows.score(g));
  }
  IntervalEstimate out{.value = moments.mean()};
  if (const auto se = moments.se(rows.unit())) {
    const double null = std::sqrt(variance / static_cast<double>(rows.unit())) / rows.weight();
    const double half = limit * std::max(*se, null);
    const double low = std::max(-1.0, out.value - half), high = std::min(1.0, out.value + half);
    out.low = rejected ? low : std::min(low, 0.0);
    out.high = rejected ? high : std::max(high, 0.0);
  }
  return out;
}

// The range of an error: from 0 unless the test rejects, and then from what is sure, `least`. Nothing is sure (another
// test than the first of the table rejects, and knows no size): no interval. Where the estimate is below what is sure,
// the mean gap is a better one: no error is smaller.
ErrorRange error_range(const Measured& m, bool rejected, double least, double mean_gap) {
  ErrorRange out{.estimator = m.name, .low = m.low, .high = m.high};
  if (m.estimate) out.value = m.estimate->value, out.note = m.estimate->note;
  if (!rejected) {
    if (out.low) out.low = 0;
    return out;
  }
  if (!out.value || out.low.value_or(0) != 0) return out;
  if (!(least > 0)) {
    out.low = out.high = std::nullopt;
    return out;
  }
  out.low = std::max(out.low.value_or(0), least);
  if (*out.value < *out.low) out.value = std::max(*out.low, std::min(mean_gap, out.high.value_or(1)));
  out.high = std::max(out.high.value_or(1), *out.value);
  return out;
}

// What is sure of an error beside what the test says: certain rows that are wrong are so at least that often.
infer::LeastError with_certain(infer::LeastError least, const Certain& certain, double total) {
  if (!(certain.wrong() > 0)) return least;
  const double rate = measure::least_wrong(certain.wrong(), certain.rows), share = certain.rows / total;
  least.mean = std::max(rate * share, least.mean);
  least.square = std::max(rate * std::sqrt(share), least.square);
  return least;
}

// An error of this size would have been found. Empty: not known.
std::optional<double> detectable_error(const TestReport& report, const ErrorRange& square, bool rejected) {
  auto out = report.detectable ? report.detectable->tce : std::nullopt;
  if (!rejected && square.high) out = std::max(out.value_or(0), *square.high);
  return out;
}

// Which way; and the shape where that matters more: where gaps of both signs cancel, the mean gap is less than half of
// the mean size of the gaps.
void add_direction(Verdict& v, const measure::Sample& rows) {
  const auto excludes = [](const IntervalEstimate& r, double x) {
    return r.low && r.high && (*r.low > x || *r.high < x);
  };
  if (excludes(v.mean_gap, 0)) v.direction = v.mean_gap.value > 0 ? Direction::over : Direction::under;
  const auto line = infer::cox_line(rows);
  if (!line) return;
  v.slope = IntervalEstimate{line->slope, line->slope - z95 * line->se, line->slope + z95 * line->se};
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
  const bool rejected = first.p_value && *first.p_value < report.alpha;
  const auto& sums = rows.ordered();
  Verdict out{.p_value = first.p_value, .test = first.name, .alpha = report.alpha, .certain = certain_in(sums)};
  infer::LeastError least{.level_limit = z95};
  if (first.name == infer::all_tests().front().name && first.accepted_high)
    least = infer::least_error(cells, *first.accepted_high);
  out.mean_gap = mean_gap(sums, std::max(z95, least.level_limit), rejected);
  out.mean_label = static_cast<double>(sums.hits_before(sums.groups())) / static_cast<double>(sums.total_mass());
  out.mean_score = out.mean_label + out.mean_gap.value;
  const double gap = std::abs(out.mean_gap.value);
  least = with_certain(least, out.certain, sums.weight());
  out.square = error_range(measured(rows, known, &Roles::headline), rejected, least.square, gap);
  out.mean = error_range(measured(rows, known, &Roles::mean_gap), rejected, least.mean, gap);
  out.detectable = detectable_error(report, out.square, rejected);
  const bool enough = out.p_value && out.detectable && *out.detectable <= useful_error;
  out.outcome = rejected ? Outcome::miscalibrated : enough ? Outcome::nothing_found : Outcome::cannot_tell;
  if (rejected) add_direction(out, rows);
  return out;
}

}  // namespace tare::detail::analysis
