#include "tare/answer/lines.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "tare/answer/verdict.hpp"
#include "tare/core/options.hpp"

namespace tare::inner::answer {
namespace {

Result<void> checked(const SurveyOptions& options) {
  if (options.norms.empty())
    return Error{.code = Errc::bad_option, .what = "no norm was asked for", .remedy = "the norms are 1 and 2"};
  for (const int norm : options.norms)
    if (const auto fine = in_range(options::norm, norm); !fine) return fine;
  return all_of({in_range(options::bins, options.bins), in_range(options::threads, options.threads)});
}

Measured blank(const infer::Line& line) {
  Measured out;
  out.name = line.row->name;
  out.norm = line.norm;
  out.estimand = line.row->estimand;
  if (line.row->run_matrix != nullptr) out.scope = "binary";
  return out;
}

Measured filled(Measured out, Result<Estimate> estimate) {
  if (estimate)
    out.estimate = *std::move(estimate);
  else
    out.reason = sentence(estimate.error());
  return out;
}

}  // namespace

Result<std::vector<infer::Line>> make_lines(const SurveyOptions& options) {
  if (const auto fine = checked(options); !fine) return fine.error();
  for (const auto& name : options.estimators)
    if (measure::find(name) == nullptr) return measure::unknown_estimator(name);
  const auto asked = [&](std::string_view name) {
    return options.estimators.empty() ||
           std::find(options.estimators.begin(), options.estimators.end(), name) != options.estimators.end();
  };
  std::vector<infer::Line> out;
  for (const auto& row : measure::all()) {
    if (!asked(row.name)) continue;
    infer::Line line{.row = &row, .options = {.bins = options.bins}};
    if (options.resample && row.is_error) line.resamples = static_cast<std::size_t>(row.resamples);
    if (row.norms == measure::Norms::none) {
      out.push_back(line);
      continue;
    }
    for (const int norm : {1, 2}) {
      if (norm == 1 && row.norms == measure::Norms::two) continue;
      if (std::find(options.norms.begin(), options.norms.end(), norm) == options.norms.end()) continue;
      line.norm = line.options.norm = norm;
      out.push_back(line);
    }
  }
  if (out.empty())
    return Error{.code = Errc::bad_option,
                 .what = "none of the estimators asked for exists in norm 1",
                 .remedy = "debias_ew, debias_em and rank_poly need norm 2"};
  return out;
}

Measured measure_line(const infer::Line& line, const measure::Sample& sample) {
  return filled(blank(line), line.row->run(sample, line.options));
}

Measured measure_line(const infer::Line& line, const MulticlassView& matrix, int threads) {
  Measured out = filled(blank(line), line.row->run_matrix(matrix, line.options, threads));
  out.scope = "multiclass";
  return out;
}

void add_interval(Measured& measured, const infer::Line& line, double n) {
  if (!measured.estimate) return;
  if (const auto interval = infer::interval_of(*line.row, *measured.estimate, n))
    set_interval(measured, *interval);
  else
    measured.interval_reason = infer::no_interval_reason(*line.row);
}

void set_interval(Measured& measured, const infer::Interval& interval) {
  measured.low = interval.low;
  measured.high = interval.high;
  measured.interval = interval.method;
  measured.interval_reason.clear();
}

void add_floor(Measured& measured, std::span<const infer::NullValue> values) {
  if (!measured.estimate || values.empty()) return;
  const auto floor = infer::floor_of(values);
  if (!floor) return;
  measured.floor = floor->mean;
  measured.floor_high = floor->high;
  measured.resamples = values.size();
  measured.verdict = verdict_of(measured.estimate->value, *floor);
}

}  // namespace tare::inner::answer
