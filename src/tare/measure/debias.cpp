#include "tare/measure/debias.hpp"

#include <algorithm>

#include "tare/measure/binned.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::measure {
namespace {

// Many bins: nearer to normal than the few degrees of rank_poly.
constexpr IntervalRule debias_interval{.method = IntervalMethod::inverted_square,
                                       .skew = 2.5,
                                       .words = "inverted 95% of the squared error of the binned model"};

Error only_single_rows(double n, std::size_t bins) {
  const bool weighted = n != static_cast<double>(bins);
  return {.code = Errc::undefined,
          .what = weighted ? "no bin holds a total weight above 1, and one row cannot tell its error from its noise"
                           : "every bin holds one row, and one row cannot tell its error from its noise",
          .remedy = "ask for fewer bins than rows"};
}

template <numeric::Binning binning>
Result<Estimate> debias_from_bins(const std::vector<numeric::BinSums>& sums, std::uint64_t unit,
                                  const Options& options) {
  if (options.norm != 2) return norm_refusal("the debiased error", 2, options.norm);
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};

  double n = 0;
  for (const Bin& bin : out.per_bin) n += bin.count;
  // A bin of one row has no estimate of its own noise: it contributes nothing, its gap included (Kumar et al.).
  // Where all bins are such, nothing is left to estimate from: a zero would look like a model without error.
  const auto says_something = [](const Bin& bin) { return bin.count > 1; };
  if (std::none_of(out.per_bin.begin(), out.per_bin.end(), says_something))
    return only_single_rows(n, out.per_bin.size());
  double d = 0, null = 0, away = 0, gaps = 0, fourth = 0;
  for (const Bin& bin : out.per_bin) {
    if (!says_something(bin)) continue;
    const double share = bin.count / n;
    const double gap = bin.mean_score - bin.mean_label;
    const double variance = bin.mean_label * (1 - bin.mean_label) / (bin.count - 1);  // of the mean label
    const double gap2 = gap * gap - variance;
    d += share * gap2;
    // Var (g + e)^2 = 4 g^2 v + 2 v^2 for a normal error e of variance v
    const double true_gap2 = std::max(gap2, 0.0);
    null += share * share * 2 * variance * variance;
    away += share * share * 4 * true_gap2 * variance;
    gaps += share * true_gap2;
    fourth += share * true_gap2 * true_gap2;
  }
  out.squared = d;
  // The second term is the sampling of the scores: another sample puts other shares into the bins.
  const double d_plus = std::max(d, 0.0);
  away += std::max(fourth - d_plus * d_plus, 0.0) / n;
  out.squared_se = std::sqrt(null + away);
  out.spread = SquareSpread{.squared = d, .se_null = std::sqrt(null), .per_square = gaps > 0 ? away / gaps : 0};
  out.parts = {{"se_null", out.spread->se_null}, {"per_square", out.spread->per_square}};
  out.value = std::sqrt(d_plus);
  return out;
}

}  // namespace

Result<Estimate> debias_ew(const Sample& sample, const Options& options) {
  return from_bins<numeric::Binning::width>(sample, options, debias_from_bins<numeric::Binning::width>);
}
Result<Estimate> debias_em(const Sample& sample, const Options& options) {
  return from_bins<numeric::Binning::mass>(sample, options, debias_from_bins<numeric::Binning::mass>);
}

constinit const Estimator debias_ew_estimator{
    {.name = "debias_ew",
     .title = "debiased error, equal-width bins",
     .summary = "squared gap less its own noise, over bins of equal width",
     .citation = "Bröcker 2012; Ferro and Fricker 2012; Kumar et al. 2019",
     .estimand = "tce",
     .norms = Norms::two,
     .uses_bins = true,
     .interval = debias_interval,
     .binning = Binning::width},
    {.run = debias_ew, .from_bins = debias_from_bins<numeric::Binning::width>}};

constinit const Estimator debias_em_estimator{
    {.name = "debias_em",
     .title = "debiased error, equal-mass bins",
     .summary = "squared gap less its own noise, over bins of equal counts",
     .citation = "Bröcker 2012; Ferro and Fricker 2012; Kumar et al. 2019",
     .estimand = "tce",
     .norms = Norms::two,
     .uses_bins = true,
     .interval = debias_interval,
     .binning = Binning::mass,
     .roles = {.tested = true, .bias_drawn = true, .compared = 5}},
    {.run = debias_em, .from_bins = debias_from_bins<numeric::Binning::mass>}};

}  // namespace tare::detail::measure
