#include "tare/measure/mce.hpp"

#include <algorithm>

#include "tare/measure/binned.hpp"

namespace tare::detail::measure {
namespace {

template <numeric::Binning binning>
Result<Estimate> mce_from_bins(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options) {
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};
  for (const Bin& bin : out.per_bin) out.value = std::max(out.value, std::abs(bin.mean_score - bin.mean_label));
  return out;
}

}  // namespace

Result<Estimate> mce_ew(const Sample& sample, const Options& options) {
  return from_bins<numeric::Binning::width>(sample, options, mce_from_bins<numeric::Binning::width>);
}
Result<Estimate> mce_em(const Sample& sample, const Options& options) {
  return from_bins<numeric::Binning::mass>(sample, options, mce_from_bins<numeric::Binning::mass>);
}

constinit const Estimator mce_ew_estimator{
    {.name = "mce_ew",
     .title = "MCE, equal-width bins",
     .summary = "largest gap between confidence and accuracy over bins of equal width",
     .citation = "Guo et al. 2017, Eq. 5",
     .uses_bins = true,
     .binning = Binning::width},
    {.run = mce_ew, .from_bins = mce_from_bins<numeric::Binning::width>}};

constinit const Estimator mce_em_estimator{
    {.name = "mce_em",
     .title = "MCE, equal-mass bins",
     .summary = "largest gap between confidence and accuracy over bins of equal counts",
     .citation = "Guo et al. 2017, Eq. 5, on equal-mass bins",
     .uses_bins = true,
     .binning = Binning::mass},
    {.run = mce_em, .from_bins = mce_from_bins<numeric::Binning::mass>}};

}  // namespace tare::detail::measure
