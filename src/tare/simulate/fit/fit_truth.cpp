#include "tare/simulate/fit/fit_truth.hpp"

#include "tare/numeric/order/pav.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/simulate/curves.hpp"
#include "tare/simulate/fit/beta_scores.hpp"

namespace tare::detail::simulate {
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

namespace {

// Saturated scores tied at 0 and 1.
numeric::Ordered tied(const numeric::Ordered& data) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    if (data.mass(g) == 0) continue;
    const double c = data.score(g), to = saturated_high(c) ? 1 : saturated_low(c) ? 0 : c;
    if (score.empty() || score.back() != to) {
      score.push_back(to);
      mass.push_back(0);
      hits.push_back(0);
    }
    mass.back() += data.mass(g);
    hits.back() += data.hits(g);
  }
  return {std::move(score), mass, hits, data.unit()};
}

}  // namespace

Curve fit_isotonic(const numeric::Ordered& data) {
  const numeric::Ordered groups = tied(data);
  Curve out{.family = find_curve("isotonic")};
  auto& knots = out.coefficients;
  const auto knot = [&](double x, double y) {
    const std::size_t n = knots.size();
    if (n >= 2 && knots[n - 2] == x && knots[n - 1] == y) return;
    knots.push_back(x);
    knots.push_back(y);
  };
  for (const numeric::PavBlock& block : numeric::pav(groups)) {
    const double first = groups.score(block.first), last = groups.score(block.last - 1);
    knot(first, block.rate());
    knot(last, block.rate());
  }
  return out;
}

}  // namespace tare::detail::simulate
