#include "tare/infer/paired.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tare/measure/debias.hpp"
#include "tare/numeric/bin_walk.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/rng.hpp"

namespace tare::infer {
namespace {

constexpr std::uint32_t stream = 0x70616972;  // "pair"
constexpr std::array<const char*, 3> criteria = {"brier", "nll", "debias_em_squared"};
using Values = std::array<double, 3>;  // one per criterion

// A method's rows with their equal-mass bin, which resampling keeps.
struct Prepared {
  const RowLosses* losses;
  std::vector<std::uint64_t> fixed_score;
  std::vector<std::uint32_t> bin;
  std::size_t bins;
  bool finite_nll;
};

Prepared prepare(const RowLosses& losses, std::span<const double> weight, std::size_t b) {
  const std::size_t n = losses.score.size();
  const auto data = numeric::order(std::span<const double>(losses.score), losses.label, weight);
  std::vector<double> upper;  // largest score of every non-empty bin
  numeric::for_each_bin(data, numeric::Binning::mass, b,
                        [&](std::size_t, numeric::GroupRange r) { upper.push_back(data.score(r.to - 1)); });
  Prepared out{&losses, std::vector<std::uint64_t>(n), std::vector<std::uint32_t>(n), upper.size(), true};
  for (std::size_t i = 0; i < n; ++i) {
    // a row of weight 0 may lie above every bin; it is never drawn
    out.bin[i] = static_cast<std::uint32_t>(std::lower_bound(upper.begin(), upper.end(), losses.score[i]) - upper.begin());
    out.fixed_score[i] = numeric::to_fixed(losses.score[i]);
    out.finite_nll &= std::isfinite(losses.nll[i]);
  }
  return out;
}

// The three criteria of one method under row counts, `unit` of which are one row.
Values evaluate(const Prepared& m, std::span<const std::uint64_t> count, std::uint64_t unit) {
  double total = 0, brier = 0, nll = 0;
  std::vector<numeric::BinSums> bins(m.bins);
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 0) continue;
    const auto w = static_cast<double>(count[i]);
    total += w;
    brier += w * m.losses->brier[i];
    if (m.finite_nll) nll += w * m.losses->nll[i];
    bins[m.bin[i]].merge({count[i], m.losses->label[i] ? count[i] : 0,
                          static_cast<numeric::u128>(m.fixed_score[i]) * count[i]});
  }
  const auto error = measure::debias_from_bins<numeric::Binning::mass>(bins, unit, {});
  return {brier / total, nll / total, error ? *error->squared : 0};  // undefined: no bin says anything
}

// Multinomial counts: as many draws as there are rows (their weight, if weighted), rows drawn by weight.
std::vector<std::uint64_t> resample(std::size_t n, std::span<const double> cumulative, std::uint64_t seed, std::size_t r) {
  std::vector<std::uint64_t> count(n, 0);
  numeric::Rng rng(seed, stream, static_cast<std::uint32_t>(r));
  if (cumulative.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      const numeric::u128 product = static_cast<numeric::u128>(rng.u64()) * n;
      count[static_cast<std::size_t>(product >> 64)] += 1;
    }
    return count;
  }
  const auto draws = static_cast<std::size_t>(std::llround(cumulative.back()));
  for (std::size_t d = 0; d < draws; ++d) {
    const double at = rng.uniform() * cumulative.back();
    count[static_cast<std::size_t>(std::upper_bound(cumulative.begin(), cumulative.end(), at) - cumulative.begin())] += 1;
  }
  return count;
}

// Deviations of every pair and resample for one criterion -> simultaneous half-widths.
std::vector<double> half_widths(const std::vector<std::vector<double>>& deviation) {
  const std::size_t pairs = deviation.size(), resamples = deviation.empty() ? 0 : deviation[0].size();
  std::vector<double> sd(pairs);
  for (std::size_t p = 0; p < pairs; ++p) {
    double square = 0;
    for (const double d : deviation[p]) square += d * d;
    sd[p] = std::sqrt(square / static_cast<double>(resamples));
  }
  std::vector<double> largest(resamples, 0.0);
  for (std::size_t p = 0; p < pairs; ++p)
    if (sd[p] > 0)
      for (std::size_t r = 0; r < resamples; ++r) largest[r] = std::max(largest[r], std::abs(deviation[p][r]) / sd[p]);
  const auto rank = std::min(static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(resamples + 1))), resamples) - 1;
  std::nth_element(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(rank), largest.end());
  for (double& s : sd) s *= largest[rank];
  return sd;
}

}  // namespace

std::vector<std::vector<Difference>> paired_differences(const std::vector<const RowLosses*>& methods,
                                                        std::span<const double> weight, const std::vector<Pair>& pairs,
                                                        int bins, const PairedOptions& options) {
  std::vector<std::vector<Difference>> out(pairs.size());
  if (pairs.empty()) return out;
  std::vector<Prepared> prepared;
  for (const RowLosses* m : methods) prepared.push_back(prepare(*m, weight, static_cast<std::size_t>(bins)));
  const std::size_t n = methods[0]->score.size();
  std::vector<double> cumulative(weight.begin(), weight.end());
  std::partial_sum(cumulative.begin(), cumulative.end(), cumulative.begin());

  const std::uint64_t unit = numeric::mass_unit(weight);
  std::vector<std::uint64_t> once(n, 1);
  for (std::size_t i = 0; i < weight.size(); ++i) once[i] = numeric::to_mass(weight[i], unit);
  std::vector<Values> value(methods.size());
  for (std::size_t m = 0; m < methods.size(); ++m) value[m] = evaluate(prepared[m], once, unit);
  std::vector<std::vector<Values>> resampled(options.resamples, std::vector<Values>(methods.size()));
  numeric::parallel_for(options.resamples, options.threads, [&](std::size_t r) {
    const auto count = resample(n, cumulative, options.seed, r);
    for (std::size_t m = 0; m < methods.size(); ++m) resampled[r][m] = evaluate(prepared[m], count, 1);
  });

  for (std::size_t c = 0; c < criteria.size(); ++c) {
    std::vector<std::size_t> usable;  // pairs for which the criterion exists
    for (std::size_t p = 0; p < pairs.size(); ++p)
      if (c != 1 || (prepared[pairs[p].a].finite_nll && prepared[pairs[p].b].finite_nll)) usable.push_back(p);
    if (usable.empty()) continue;
    std::vector<std::vector<double>> deviation(usable.size(), std::vector<double>(options.resamples));
    for (std::size_t u = 0; u < usable.size(); ++u) {
      const Pair pair = pairs[usable[u]];
      double mean = 0;
      for (std::size_t r = 0; r < options.resamples; ++r)
        mean += deviation[u][r] = resampled[r][pair.a][c] - resampled[r][pair.b][c];
      mean /= static_cast<double>(options.resamples);
      for (double& d : deviation[u]) d -= mean;
    }
    const auto half = half_widths(deviation);
    for (std::size_t u = 0; u < usable.size(); ++u) {
      const Pair pair = pairs[usable[u]];
      const double d = value[pair.a][c] - value[pair.b][c];
      const Change change = d + half[u] < 0 ? Change::better : d - half[u] > 0 ? Change::worse : Change::noise;
      out[usable[u]].push_back({criteria[c], {}, d, d - half[u], d + half[u], change});
    }
  }
  return out;
}

}  // namespace tare::infer
