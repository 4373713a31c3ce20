#include "tare/measure/lb.hpp"

#include "tare/measure/binned.hpp"
#include "tare/numeric/order/bin_walk.hpp"

namespace tare::detail::measure {
namespace {

// Adds mass * of(|score - rate|) over the groups of a bin. A function of its own, which keeps the sum in a register.
template <class Of>
[[gnu::noinline]] double added(double sum, const numeric::Ordered& data, numeric::GroupRange r, double rate, Of of) {
  for (std::size_t g = r.from; g < r.to; ++g)
    sum += static_cast<double>(data.mass(g)) * of(std::abs(data.score(g) - rate));
  return sum;
}

Result<Estimate> lb(const Sample& sample, const Options& options, numeric::Binning binning) {
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

Result<Estimate> lb_ew(const Sample& sample, const Options& options) {
  return lb(sample, options, numeric::Binning::width);
}
Result<Estimate> lb_em(const Sample& sample, const Options& options) {
  return lb(sample, options, numeric::Binning::mass);
}

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

}  // namespace tare::detail::measure
