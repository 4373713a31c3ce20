#include "tare/measure/ece.hpp"

#include "tare/measure/binned.hpp"

namespace tare::detail::measure {
namespace {

template <numeric::Binning binning>
Result<Estimate> ece_from_bins(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options) {
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};
  out.value = binned_error(out.per_bin, *norm);
  return out;
}

}  // namespace

Result<Estimate> ece_ew(const Sample& sample, const Options& options) {
  return from_bins<numeric::Binning::width>(sample, options, ece_from_bins<numeric::Binning::width>);
}
Result<Estimate> ece_em(const Sample& sample, const Options& options) {
  return from_bins<numeric::Binning::mass>(sample, options, ece_from_bins<numeric::Binning::mass>);
}

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
    {.run = ece_ew, .from_bins = ece_from_bins<numeric::Binning::width>}};

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
    {.run = ece_em, .from_bins = ece_from_bins<numeric::Binning::mass>}};

}  // namespace tare::detail::measure
