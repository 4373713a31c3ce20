// CORP: the score of the forecasts against the score of their isotonic recalibration (PAV) and
// of the base rate, S = miscalibration - discrimination + uncertainty, for the Brier and the log
// score. The value is the Brier miscalibration. Dimitriadis, Gneiting and Jordan 2021.
#include "tare/measure/estimators.hpp"

#include <algorithm>

#include "tare/numeric/order/pav.hpp"

namespace tare::detail::measure {
namespace {

// Blocks as a reliability diagram; neighbours meet half-way between their scores.
std::vector<Bin> pav_diagram(const numeric::Ordered& data, const std::vector<numeric::PavBlock>& blocks) {
  std::vector<Bin> out;
  out.reserve(blocks.size());
  for (const auto& block : blocks) {
    numeric::u128 score = 0;
    for (std::size_t g = block.first; g < block.last; ++g)
      score += static_cast<numeric::u128>(numeric::to_fixed(data.score(g))) * data.mass(g);
    const auto mass = static_cast<double>(block.mass);
    Bin bin{0, 1, mass / static_cast<double>(data.unit()), static_cast<double>(score) / (mass * numeric::score_scale),
            block.rate()};
    if (!out.empty()) {
      const double last = data.score(block.first - 1);
      bin.lower = out.back().upper = last + (data.score(block.first) - last) / 2;
    }
    out.push_back(bin);
  }
  return out;
}

// Mean of loss(rate) over the blocks, exactly summed.
template <class Loss>
double recalibrated(const std::vector<numeric::PavBlock>& blocks, const Loss& loss) {
  numeric::Moments out;
  for (const auto& block : blocks) out.add(loss(block.rate()), block.mass);
  return out.mean();
}

double brier_at_rate(double a) { return a * (1 - a); }
double entropy(double a) { return a == 0 || a == 1 ? 0 : a * hit_loss(a) + (1 - a) * miss_loss(a); }

}  // namespace

Result<Estimate> corp(const Sample& sample, const Options& options) {
  const numeric::Ordered& data = sample.ordered();
  const auto blocks = numeric::pav(data);
  const double base = static_cast<double>(data.total_hits()) / static_cast<double>(data.total_mass());

  Estimate out;
  const auto decompose = [&](const std::string& name, double score, auto at_rate) {
    const double best = recalibrated(blocks, at_rate);
    const double uncertainty = at_rate(base);
    // No isotonic map beats PAV, the identity and the constant included: what is below 0 is rounding.
    const double miscalibration = std::max(score - best, 0.0);
    out.parts.push_back({name + "_mcb", miscalibration});
    out.parts.push_back({name + "_dsc", std::max(uncertainty - best, 0.0)});
    out.parts.push_back({name + "_unc", uncertainty});
    return miscalibration;
  };
  out.value = decompose("brier", square_loss(data).mean(), brier_at_rate);
  if (!options.details) return out;
  // An infinite log score has no miscalibration to report: the parts are left out.
  if (const LogLoss loss = log_loss(data); loss.finite()) decompose("log", loss.moments.mean(), entropy);
  out.per_bin = pav_diagram(data, blocks);
  return out;
}

constinit const Estimator corp_estimator{
    {.name = "corp",
     .title = "CORP miscalibration",
     .summary = "Brier score lost against the best monotone recalibration of the same scores",
     .citation = "Dimitriadis, Gneiting and Jordan 2021",
     .unit = Unit::score,
     .roles = {.monotone = true}},
    {.run = corp, .cube_root = true, .fine_scale = true}};

}  // namespace tare::detail::measure
