// Errors over a fixed number of bins.
#include "tare/measure/estimators.hpp"

#include <algorithm>
#include <cmath>

#include "tare/core/options.hpp"
#include "tare/numeric/order/bin_walk.hpp"

namespace tare::detail::measure {
namespace {

// An error from sums over bins, and the same as functions of the two kinds of bins.
using OfSums = Result<Estimate>(const std::vector<numeric::BinSums>&, std::uint64_t unit, const Options&, Binning);

template <OfSums error, Binning binning>
Result<Estimate> of_bins(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options) {
  return error(sums, unit, options, binning);
}

template <OfSums error, Binning binning>
Result<Estimate> of_sample(const Sample& sample, const Options& options) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  return error(sample.bins(binning, *b), sample.unit(), options, binning);
}

}  // namespace

Result<std::size_t> checked_bins(const Options& options) {
  if (const auto fine = in_range(options::bins, options.bins); !fine) return fine.error();
  return static_cast<std::size_t>(options.bins);
}

Result<int> checked_norm(const Options& options) {
  if (const auto fine = in_range(options::norm, options.norm); !fine) return fine.error();
  return options.norm;
}

std::vector<Bin> diagram(const std::vector<numeric::BinSums>& sums, Binning binning, std::uint64_t unit) {
  std::vector<Bin> out;
  out.reserve(std::min<std::size_t>(sums.size(), 64));
  const numeric::BinSums* previous = nullptr;
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const auto& s = sums[j];
    if (s.mass == 0) continue;
    Bin bin{0, 1, static_cast<double>(s.mass) / static_cast<double>(unit), s.mean_score(), s.mean_label()};
    if (binning == Binning::width) {
      bin.lower = numeric::width_edge(j, sums.size());
      bin.upper = numeric::width_edge(j + 1, sums.size());
    } else if (previous != nullptr) {
      bin.lower = out.back().upper = previous->last + (s.first - previous->last) / 2;
    }
    out.push_back(bin);
    previous = &s;
  }
  return out;
}

double binned_error(const std::vector<Bin>& bins, int norm) {
  double sum = 0, n = 0;
  for (const Bin& b : bins) {
    const double gap = std::abs(b.mean_score - b.mean_label);
    sum += b.count * (norm == 1 ? gap : gap * gap);
    n += b.count;
  }
  return norm == 1 ? sum / n : std::sqrt(sum / n);
}

// Expected calibration error over a fixed number of bins, of equal width (ece_ew) or equal
// mass (ece_em): (sum_k (n_k/n) |f_k - a_k|^p)^(1/p), f_k the mean score of bin k and a_k its
// mean label. Guo et al. 2017, Eq. 3 (p = 1); Roelofs et al. 2022, Eq. 3 (p = 2).

namespace {

Result<Estimate> ece(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options,
                     Binning binning) {
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};
  out.value = binned_error(out.per_bin, *norm);
  return out;
}

}  // namespace

Result<Estimate> ece_ew(const Sample& s, const Options& o) { return of_sample<ece, Binning::width>(s, o); }
Result<Estimate> ece_em(const Sample& s, const Options& o) { return of_sample<ece, Binning::mass>(s, o); }

constinit const Estimator ece_ew_estimator{
    {.name = "ece_ew",
     .title = "ECE, equal-width bins",
     .summary = "mean gap between confidence and accuracy over bins of equal width",
     .citation = "Guo et al. 2017, Eq. 3",
     .short_title = "ECE",
     .estimand = "tce",
     .norms = Norms::both,
     .uses_bins = true,
     .binning = Binning::width,
     .roles = {.reference = true, .bias_drawn = true, .compared = 1, .quoted = 1},
     .panel = {"equal width", "equal width"}},
    {.run = ece_ew, .from_bins = of_bins<ece, Binning::width>}};

constinit const Estimator ece_em_estimator{
    {.name = "ece_em",
     .title = "ECE, equal-mass bins",
     .summary = "mean gap between confidence and accuracy over bins of equal counts",
     .citation = "Roelofs et al. 2022, Eq. 3",
     .estimand = "tce",
     .norms = Norms::both,
     .uses_bins = true,
     .binning = Binning::mass,
     .roles = {.reference = true, .bias_drawn = true},
     .panel = {"equal mass", "equal mass"}},
    {.run = ece_em, .from_bins = of_bins<ece, Binning::mass>}};

// Maximum calibration error: the largest gap |f_k - a_k| over the non-empty bins.
// Guo et al. 2017, Eq. 5. A bin of one row can decide it: read it beside the counts.

namespace {

Result<Estimate> mce(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options,
                     Binning binning) {
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};
  for (const Bin& bin : out.per_bin) out.value = std::max(out.value, std::abs(bin.mean_score - bin.mean_label));
  return out;
}

}  // namespace

Result<Estimate> mce_ew(const Sample& s, const Options& o) { return of_sample<mce, Binning::width>(s, o); }
Result<Estimate> mce_em(const Sample& s, const Options& o) { return of_sample<mce, Binning::mass>(s, o); }

constinit const Estimator mce_ew_estimator{
    {.name = "mce_ew",
     .title = "MCE, equal-width bins",
     .summary = "largest gap between confidence and accuracy over bins of equal width",
     .citation = "Guo et al. 2017, Eq. 5",
     .uses_bins = true,
     .binning = Binning::width},
    {.run = mce_ew, .from_bins = of_bins<mce, Binning::width>}};

constinit const Estimator mce_em_estimator{
    {.name = "mce_em",
     .title = "MCE, equal-mass bins",
     .summary = "largest gap between confidence and accuracy over bins of equal counts",
     .citation = "Guo et al. 2017, Eq. 5, on equal-mass bins",
     .uses_bins = true,
     .binning = Binning::mass},
    {.run = mce_em, .from_bins = of_bins<mce, Binning::mass>}};

// Label-binned calibration error: every score against the mean label of its bin,
// ((1/n) sum_k sum_{i in k} |s_i - a_k|^p)^(1/p). Roelofs et al. 2022, Eq. 5 (whose right side carries a
// misprinted sum sign). Never below the binned error of the same bins.

namespace {

// Adds mass * of(|score - rate|) over the groups of a bin. A function of its own, which keeps the sum in a register.
template <class Of>
[[gnu::noinline]] double added(double sum, const numeric::Ordered& data, numeric::GroupRange r, double rate, Of of) {
  for (std::size_t g = r.from; g < r.to; ++g)
    sum += static_cast<double>(data.mass(g)) * of(std::abs(data.score(g) - rate));
  return sum;
}

Result<Estimate> lb(const Sample& sample, const Options& options, Binning binning) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  const numeric::Ordered& data = sample.ordered();
  Estimate out{.bins = options.bins, .per_bin = diagram(sample.bins(binning, *b), binning, data.unit())};
  double sum = 0;
  numeric::for_each_bin(data, binning, *b, [&](std::size_t, numeric::GroupRange r) {
    const double rate = static_cast<double>(data.hits_before(r.to) - data.hits_before(r.from)) /
                        static_cast<double>(data.mass_before(r.to) - data.mass_before(r.from));
    sum = *norm == 1 ? added(sum, data, r, rate, [](double gap) { return gap; })
                     : added(sum, data, r, rate, [](double gap) { return gap * gap; });
  });
  sum /= static_cast<double>(data.total_mass());
  out.value = *norm == 1 ? sum : std::sqrt(sum);
  return out;
}

}  // namespace

Result<Estimate> lb_ew(const Sample& s, const Options& o) { return lb(s, o, Binning::width); }
Result<Estimate> lb_em(const Sample& s, const Options& o) { return lb(s, o, Binning::mass); }

constinit const Estimator lb_ew_estimator{
    {.name = "lb_ew",
     .title = "label-binned error, equal-width bins",
     .summary = "distance of every score from its bin's accuracy, bins of equal width",
     .citation = "Roelofs et al. 2022, Eq. 5",
     .estimand = "tce",
     .norms = Norms::both,
     .uses_bins = true,
     .binning = Binning::width},
    {.run = lb_ew}};

constinit const Estimator lb_em_estimator{
    {.name = "lb_em",
     .title = "label-binned error, equal-mass bins",
     .summary = "distance of every score from its bin's accuracy, bins of equal counts",
     .citation = "Roelofs et al. 2022, Eq. 5",
     .estimand = "tce",
     .norms = Norms::both,
     .uses_bins = true,
     .binning = Binning::mass},
    {.run = lb_em}};

// Debiased squared calibration error: D = sum_k (n_k/n) [ (f_k - a_k)^2 - a_k(1-a_k)/(n_k-1) ], whose
// expectation is the squared binned error; the value is sqrt(max(D, 0)) and `squared` is D itself.
// Bröcker 2012; Ferro and Fricker 2012; Kumar, Liang and Ma 2019. Norm 2 only.

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

Result<Estimate> debias(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options,
                        Binning binning) {
  if (options.norm != 2) return norm_refusal("the debiased error", 2, options.norm);
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};

  double n = 0;
  for (const Bin& bin : out.per_bin) n += bin.count;
  // A bin of one row has no estimate of its own noise: it contributes nothing, its gap included (Kumar et al.).
  // Where all bins are such, nothing is left to estimate from: a zero would look like a model without error.
  const auto says_something = [](const Bin& bin) { return bin.count > 1; };
  if (std::ranges::none_of(out.per_bin, says_something)) return only_single_rows(n, out.per_bin.size());
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

Result<Estimate> debias_ew(const Sample& s, const Options& o) { return of_sample<debias, Binning::width>(s, o); }
Result<Estimate> debias_em(const Sample& s, const Options& o) { return of_sample<debias, Binning::mass>(s, o); }

constinit const Estimator debias_ew_estimator{{.name = "debias_ew",
                                               .title = "debiased error, equal-width bins",
                                               .summary = "squared gap less its own noise, over bins of equal width",
                                               .citation = "Bröcker 2012; Ferro and Fricker 2012; Kumar et al. 2019",
                                               .estimand = "tce",
                                               .norms = Norms::two,
                                               .uses_bins = true,
                                               .interval = debias_interval,
                                               .binning = Binning::width},
                                              {.run = debias_ew, .from_bins = of_bins<debias, Binning::width>}};

constinit const Estimator debias_em_estimator{{.name = "debias_em",
                                               .title = "debiased error, equal-mass bins",
                                               .summary = "squared gap less its own noise, over bins of equal counts",
                                               .citation = "Bröcker 2012; Ferro and Fricker 2012; Kumar et al. 2019",
                                               .estimand = "tce",
                                               .norms = Norms::two,
                                               .uses_bins = true,
                                               .interval = debias_interval,
                                               .binning = Binning::mass,
                                               .roles = {.tested = true, .bias_drawn = true, .compared = 5}},
                                              {.run = debias_em, .from_bins = of_bins<debias, Binning::mass>}};

}  // namespace tare::detail::measure
