#include "tare/simulate/fit_truth.hpp"

#include "tare/numeric/parallel.hpp"
#include "tare/simulate/fit_isotonic.hpp"

namespace tare::simulate {
namespace {

Result<std::vector<Point>> rows_of(const numeric::Ordered& data) {
  if (data.unit() != 1)
    return Error{Errc::unsupported, "scores with weights that are not whole numbers cannot be resampled row by row",
                 "fit a Beta distribution instead"};
  std::vector<Point> out;
  out.reserve(data.total_mass());
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::heed_watch_at(g);
    out.insert(out.end(), data.mass(g), Point{data.score(g), 1 - data.score(g)});
  }
  return out;
}

}  // namespace

Result<FittedTruth> fit_truth(const measure::Sample& sample, const FitTruthOptions& options) {
  const numeric::Ordered& data = sample.ordered();
  FittedTruth out;
  const auto scores = fit_beta(data, options.saturated);
  if (scores) out.scores = *scores;
  if (options.scores == ScoreKind::beta) {
    if (!scores) return scores.error();
    out.truth.scores = {.kind = ScoreKind::beta, .alpha = scores->alpha, .beta = scores->beta};
  } else if (options.scores == ScoreKind::empirical) {
    auto values = rows_of(data);
    if (!values) return values.error();
    out.truth.scores = {.kind = ScoreKind::empirical, .values = *std::move(values)};
  }
  // without a Beta fit, saturated scores are taken as spread evenly
  auto table = fit_curves(data, out.scores.value_or(BetaFit{.saturated = options.saturated}));
  if (!table) return table.error();
  out.table = *std::move(table);
  out.truth.curve = options.curve == CurveChoice::aic ? out.table.front().curve
                                                      : fit_isotonic(data, options.curve == CurveChoice::isotonic_step);
  out.truth.name = "fitted";
  return out;
}

}  // namespace tare::simulate
