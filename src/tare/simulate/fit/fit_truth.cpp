#include "tare/simulate/fit/fit_truth.hpp"

#include "tare/numeric/parallel.hpp"
#include "tare/simulate/fit/fit_isotonic.hpp"

namespace tare::inner::simulate {
namespace {

// Every score once, with the weight up to it: neither memory nor time depends on what the rows weigh.
Scores scores_of(const numeric::Ordered& data) {
  Scores out{.kind = ScoreKind::empirical};
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    out.values.push_back({data.score(g), 1 - data.score(g)});
    out.ends.push_back(static_cast<double>(data.mass_before(g + 1)) / static_cast<double>(data.unit()));
  }
  return out;
}

}  // namespace

Result<FittedTruth> fit_truth(const measure::Sample& sample, const FitTruthOptions& options) {
  const numeric::Ordered& data = sample.ordered();
  FittedTruth out;
  const auto scores = fit_beta_scores(data, options.saturated);
  if (scores) out.scores = *scores;
  if (options.scores == ScoreKind::beta) {
    if (!scores) return scores.error();
    out.truth.scores = {.kind = ScoreKind::beta, .alpha = scores->alpha, .beta = scores->beta};
  } else if (options.scores == ScoreKind::empirical) {
    out.truth.scores = scores_of(data);
  }
  // without a Beta fit, saturated scores are taken as spread evenly
  auto table = fit_curves(data, out.scores.value_or(BetaFit{.saturated = options.saturated}));
  if (!table) return table.error();
  out.table = *std::move(table);
  out.truth.curve = options.curve == CurveChoice::aic ? out.table.front().curve : fit_isotonic(data);
  out.truth.name = "fitted";
  return out;
}

}  // namespace tare::inner::simulate
