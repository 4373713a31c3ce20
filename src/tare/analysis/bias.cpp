#include "tare/analysis/bias.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/core/call_options.hpp"
#include "tare/core/errors.hpp"
#include "tare/reduce/reduce.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::analysis {
namespace {

constexpr double strengths[] = {0, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4, 1};
constexpr std::uint32_t path_stream = 0x70617468;  // "path": apart from the samples of the table

ScoreFit to_line(const simulate::BetaFit& fit) {
  return {.alpha = fit.alpha,
          .beta = fit.beta,
          .alpha_error = fit.alpha_error,
          .beta_error = fit.beta_error,
          .saturated_high = fit.high,
          .saturated_low = fit.low,
          .saturated = fit.saturated == simulate::Saturated::censor ? "censor" : "shift",
          .status = fit.status};
}

CurveLine to_line(const simulate::CurveFit& fit) {
  return {.name = fit.name,
          .coefficients = fit.curve.coefficients,
          .errors = fit.errors,
          .parameters = fit.parameters,
          .nll = fit.nll,
          .aic = fit.aic,
          .status = fit.status,
          .note = fit.note};
}

// A path needs a direction: where the identity fits best, that of the best curve that is not the identity.
Result<simulate::Truth> with_direction(const simulate::FittedTruth& fit) {
  simulate::Truth truth = fit.truth;
  const auto error = simulate::true_error(truth, 2);
  if (!error || *error > 0) return truth;
  for (const auto& line : fit.table) {
    truth.curve = line.curve;
    const auto other = simulate::true_error(truth, 2);
    if (other && *other > 0) return truth;
  }
  return Error{.code = Errc::undefined, .what = "no fitted curve differs from perfect calibration", .remedy = {}};
}

// [choice]: the path of its means. Common random numbers: the same samples of scores at every point.
Result<std::vector<Path>> paths(const simulate::Truth& truth, std::span<const measure::Choice> choices, std::size_t n,
                                const BiasOptions& options) {
  const auto sampler = simulate::Sampler::of(truth);
  if (!sampler) return sampler.error();
  double error[3] = {};
  for (const int norm : {1, 2}) {
    const auto e = simulate::true_error(truth, norm);
    if (!e) return e.error();
    error[norm] = *e;
  }
  simulate::SimOptions study{.sizes = {n},
                             .replicates = {.count = affordable_replicates(n, options.replicates),
                                            .seed = options.seed,
                                            .stream = path_stream},
                             .threads = options.threads,
                             .cancel = options.cancel};
  std::vector<Path> out(choices.size());
  std::size_t done = 0;
  for (const double strength : strengths) {
    simulate::Curve curve = truth.curve;
    curve.strength *= strength;
    const auto points = simulate::run(sampler->with(curve), choices, study);
    if (!points) return points.error();
    if (!points->complete) return Error{.code = Errc::cancelled, .what = "interrupted", .remedy = {}};
    if (options.progress) options.progress("corrections", ++done, std::size(strengths));
    for (std::size_t t = 0; t < choices.size(); ++t) {
      if (points->tallies[t].defined == 0) continue;
      out[t].error.push_back(strength * error[choices[t].norm().value_or(2)]);
      out[t].mean.push_back(points->tallies[t].mean());
    }
  }
  return out;
}

// What the table found at n, beside the corrections.
void add_simulated(BiasReport& out) {
  for (Correction& c : out.corrections)
    for (const SimRow& row : out.table.rows)
      if (row.n == out.n && row.estimator == c.estimator && row.norm == c.norm) {
        c.mean = row.mean;
        c.sd = row.sd;
        c.bias = row.bias;
        c.rmse = row.rmse;
        if (c.reason.empty()) c.reason = row.reason;
      }
}

}  // namespace

std::size_t simulated_size(const InputInfo& input) {
  constexpr std::size_t most = 100'000;
  const double limit = static_cast<double>(std::max(most, input.n));
  return static_cast<std::size_t>(std::llround(std::clamp(input.total_weight, 1.0, limit)));
}

std::size_t affordable_replicates(std::size_t n, std::size_t asked, std::size_t fewest) {
  constexpr std::size_t rows = 20'000'000;
  return std::min(asked, std::max(rows / std::max<std::size_t>(n, 1), fewest));
}

double inverted(const Path& path, double observed) {
  const double y = observed * observed;
  double below_error = 0, below_mean = -1;  // squares of the point before
  for (std::size_t i = 0; i < path.error.size(); ++i) {
    const double e = path.error[i] * path.error[i], m = path.mean[i] * path.mean[i];
    if (m <= below_mean) continue;  // noise of the simulation: means rise along the path
    if (y <= m) {
      if (below_mean < 0) return path.error[i];  // at most the mean of perfect calibration
      return std::sqrt(below_error + (e - below_error) * (y - below_mean) / (m - below_mean));
    }
    below_error = e;
    below_mean = m;
  }
  return std::sqrt(below_error + y - below_mean);
}

Result<std::vector<measure::Choice>> bias_choices(const BiasOptions& options) {
  if (const auto fine = check(detail::bias_options, options); !fine) return fine.error();
  const auto lines = make_choices({.bins = options.bins,
                                   .norms = options.norms,
                                   .estimators = options.estimators,
                                   .resample = false,
                                   .threads = options.threads});
  if (!lines) return lines.error();
  std::vector<measure::Choice> out;
  for (const infer::ResampledChoice& line : *lines)
    if (line.estimator->estimand == "tce") out.push_back(line);
  if (out.empty())
    return bad_option("none of the estimators asked for estimates the true calibration error",
                      "bias is defined for those whose estimand is tce in `tare list --json`");
  return out;
}

Result<std::vector<Correction>> corrections(const simulate::FittedTruth& fit, std::span<const measure::Choice> choices,
                                            const measure::Sample& sample, std::size_t n, const BiasOptions& options) {
  const auto direction = with_direction(fit);
  if (!direction) return direction.error();
  const auto path = paths(*direction, choices, n, options);
  if (!path) return path.error();
  std::vector<Correction> out;
  for (std::size_t t = 0; t < choices.size(); ++t) {
    Correction c{.estimator = std::string(choices[t].estimator->name), .norm = choices[t].norm()};
    const auto estimate = choices[t].run(sample);
    if (!estimate)
      c.reason = sentence(estimate.error());
    else if ((*path)[t].error.empty())
      c.reason = "it has no value on any sample of the fitted truth";
    else if (!choices[t].estimator->left_alone.empty())
      c.reason = choices[t].estimator->left_alone;
    else
      c.corrected = inverted((*path)[t], estimate->value);
    if (estimate) c.observed = estimate->value;
    out.push_back(std::move(c));
  }
  return out;
}

namespace {

Result<SimTable> simulated(const simulate::Truth& truth, const std::vector<measure::Choice>& choices,
                           std::vector<std::size_t> sizes, const BiasOptions& options) {
  simulate::SimOptions study{.sizes = std::move(sizes),
                             .replicates = {.count = options.replicates, .seed = options.seed},
                             .threads = options.threads,
                             .progress = options.progress,
                             .cancel = options.cancel,
                             .checkpoint = options.checkpoint};
  for (const int norm : {1, 2}) {
    const auto error = simulate::true_error(truth, norm);
    if (!error) return error.error();
    (norm == 1 ? study.true_error.norm1 : study.true_error.norm2) = *error;
  }
  return simulate::study(truth, choices, study);
}

}  // namespace

Result<SimTable> bias_of(const simulate::Truth& truth, const BiasOptions& options) {
  const auto choices = bias_choices(options);
  if (!choices) return choices.error();
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {200, 500, 1000, 5000};
  return simulated(truth, *choices, std::move(sizes), options);
}

Result<BiasReport> bias(const Predictions& predictions, const BiasOptions& options) {
  const auto choices = bias_choices(options);
  if (!choices) return choices.error();
  const auto one =
      one_problem(predictions, options.reduction, options.threads,
                  "bias is simulated for top_label or positive, not classwise", "pass `reduction` top_label");
  if (!one) return one.error();
  const measure::Sample sample(one->data.view(), options.threads);
  const auto fit = simulate::fit_truth(sample, options.fit);
  if (!fit) return fit.error();

  BiasReport out{.input = input_info(predictions, one->reduction)};
  if (fit->scores) out.scores = to_line(*fit->scores);
  for (const auto& line : fit->table) out.curves.push_back(to_line(line));

  const std::size_t n = out.n = simulated_size(out.input);
  auto sizes = options.sizes;
  if (std::find(sizes.begin(), sizes.end(), n) == sizes.end()) sizes.push_back(n);
  auto table = simulated(fit->truth, *choices, std::move(sizes), options);
  if (!table) return table.error();
  out.table = *std::move(table);
  out.complete = out.table.complete;
  if (static_cast<double>(n) + 0.5 < out.input.total_weight)
    out.note = "The weights sum to more than is simulated: the samples that stand for these data have " +
               std::to_string(n) + " rows, and at their own size biases are smaller.";
  if (!out.complete) return out;

  auto corrected = corrections(*fit, *choices, sample, n, options);
  if (!corrected && options.cancel && *options.cancel) {
    out.complete = false;
    out.note += (out.note.empty() ? "" : " ") + std::string("Interrupted before the corrections were computed.");
    return out;
  }
  if (!corrected) return corrected.error();
  out.corrections = *std::move(corrected);
  out.path_replicates = affordable_replicates(n, options.replicates);
  add_simulated(out);
  return out;
}

namespace {

Result<simulate::Truth> truth_of(const NamedTruth& named) {
  if (!named.model.empty()) {
    if (!named.beta.empty() || !named.curve.empty())
      return bad_option("`model` comes with its scores and its curve", "leave `beta` and `curve` out");
    return simulate::model(named.model, named.perfect);
  }
  simulate::Truth out{.scores = {.kind = simulate::ScoreKind::uniform}, .curve = simulate::identity()};
  if (!named.beta.empty()) {
    if (named.beta.size() != 2 || !(named.beta[0] > 0) || !(named.beta[1] > 0))
      return bad_option("`beta` needs two positive numbers", "for example `beta` 2.8,0.05");
    out.scores = {.kind = simulate::ScoreKind::beta, .alpha = named.beta[0], .beta = named.beta[1]};
  }
  if (named.curve.empty() || named.perfect) return out;
  auto curve = simulate::parse_curve(named.curve);
  if (!curve) return curve.error();
  out.curve = *std::move(curve);
  return out;
}

}  // namespace

Result<SimTable> study_truth(const NamedTruth& named, const BiasOptions& options) {
  const auto truth = truth_of(named);
  if (!truth) return truth.error();
  return bias_of(*truth, options);
}

Result<BiasReport> simulated_bias(const Predictions& predictions, const SurveyOptions& options,
                                  const std::atomic<bool>* cancel) {
  const std::size_t size = simulated_size(input_info(predictions, Reduction::top_label));
  return bias(predictions, {.reduction = options.reduction,
                            .bins = options.bins,
                            .norms = options.norms,
                            .estimators = options.estimators,
                            .replicates = affordable_replicates(size, options::replicates.usual),
                            .seed = options.seed,
                            .threads = options.threads,
                            .progress = options.progress,
                            .cancel = cancel});
}

}  // namespace tare::detail::analysis
