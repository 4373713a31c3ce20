#include "tare/infer/resample/paired.hpp"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>

#include "tare/fit/rows/map.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/order/bin_walk.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/rng.hpp"

namespace tare::detail::infer {
namespace {

constexpr std::uint32_t pair_stream = 0x70616972;                   // "pair"
using Values = std::array<std::optional<double>, criteria.size()>;  // one per criterion, where it exists

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
    // a row without mass may lie above every bin; it is never drawn
    out.bin[i] = static_cast<std::uint32_t>(std::ranges::lower_bound(upper, losses.score[i]) - upper.begin());
    out.fixed_score[i] = numeric::to_fixed(losses.score[i]);
    out.finite_nll &= std::isfinite(losses.nll[i]) || (!weight.empty() && weight[i] == 0);
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
    bins[m.bin[i]].merge(
        {count[i], m.losses->label[i] ? count[i] : 0, static_cast<numeric::u128>(m.fixed_score[i]) * count[i]});
  }
  const auto error = measure::debias_em_estimator.from_bins(bins, unit, {});
  Values out{brier / total, {}, {}};
  if (m.finite_nll) out[1] = nll / total;
  if (error) out[2] = error->squared;
  return out;
}

// The rows as they are: what each counts, in `unit`s of one prediction.
struct ResampledRows {
  std::vector<std::uint64_t> mass = {};  // empty: one each
  std::size_t n = 0;
  std::uint64_t unit = 1;
  std::uint64_t total = 0;
};

ResampledRows rows_of(std::size_t n, std::span<const double> weight) {
  ResampledRows out{.n = n, .unit = numeric::mass_unit(weight), .total = n};
  if (weight.empty()) return out;
  out.total = 0;
  for (const double w : weight) out.total += out.mass.emplace_back(numeric::to_mass(w, out.unit));
  return out;
}

// Multinomial counts: as many draws as there are predictions, rows drawn by weight. With weights, row after row takes
// its binomial share of the draws that are left, so that the cost is that of the rows whatever they weigh.
std::vector<std::uint64_t> resample(const ResampledRows& rows, std::uint64_t seed, std::size_t r) {
  std::vector<std::uint64_t> count(rows.n, 0);
  numeric::Rng rng(seed, pair_stream, static_cast<std::uint32_t>(r));
  if (rows.mass.empty()) {
    for (std::size_t i = 0; i < rows.n; ++i) {
      const numeric::u128 product = static_cast<numeric::u128>(rng.u64()) * rows.n;
      count[static_cast<std::size_t>(product >> 64)] += 1;
    }
    return count;
  }
  std::uint64_t draws = std::max<std::uint64_t>((rows.total + rows.unit / 2) / rows.unit, 1), mass = rows.total;
  for (std::size_t i = 0; i < rows.n && draws > 0; ++i) {
    if (rows.mass[i] == 0) continue;
    count[i] = draws;  // the last row takes what is left
    if (rows.mass[i] < mass) {
      const double share = static_cast<double>(rows.mass[i]) / static_cast<double>(mass);
      boost::random::binomial_distribution<std::int64_t> binomial(static_cast<std::int64_t>(draws),
                                                                  std::min(share, 1.0));
      count[i] = static_cast<std::uint64_t>(binomial(rng));
    }
    draws -= count[i];
    mass -= rows.mass[i];
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
  const auto rank =
      std::min(static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(resamples + 1))), resamples) - 1;
  std::nth_element(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(rank), largest.end());
  for (double& s : sd) s *= largest[rank];
  return sd;
}

constexpr std::size_t block_rows = 512;

Reals block_of(const MulticlassView& view, std::size_t from, std::size_t count) {
  const std::size_t k = view.columns();
  return view.values().visit([&](auto values) { return Reals(values.subspan(from * k, count * k)); });
}

// The probabilities as they are.
void uncalibrated(Kind kind, std::size_t k, Reals in, std::span<double> out) {
  in.visit([&](auto z) {
    if (kind == Kind::probs) {
      std::ranges::copy(z, out.begin());
      return;
    }
    if (k == 1) {
      for (std::size_t i = 0; i < z.size(); ++i) out[i] = 1 / (1 + std::exp(-static_cast<double>(z[i])));
      return;
    }
    for (std::size_t at = 0; at < z.size(); at += k) {
      const auto row = z.subspan(at, k);
      const double top = static_cast<double>(*std::ranges::max_element(row));
      double sum = 0;
      for (std::size_t j = 0; j < k; ++j) sum += out[at + j] = std::exp(static_cast<double>(row[j]) - top);
      for (std::size_t j = 0; j < k; ++j) out[at + j] /= sum;
    }
  });
}

void add_loss(std::span<const double> p, std::size_t label, Reduction reduction, std::size_t to, RowLosses& out) {
  const auto put = [to](auto& list, auto value) {
    if (!list.empty()) list[to] = value;
  };
  if (p.size() <= 2) {
    const double one = p.back(), zero = p.size() == 2 ? p[0] : 1 - one, y = label == 1 ? 1 : 0;
    const bool right = (p.size() == 2 ? one > zero : one > 0.5) == (label == 1);
    const bool top = reduction == Reduction::top_label;
    put(out.right, right);
    put(out.brier, (one - y) * (one - y));
    if (!out.nll.empty()) out.nll[to] = -std::log(label == 1 ? one : zero);
    put(out.score, std::min(top ? std::max(one, zero) : one, 1.0));
    put(out.label, top ? right : label == 1);
    return;
  }
  const auto top = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
  put(out.right, top == label);
  put(out.score, std::min(p[top], 1.0));
  put(out.label, top == label);
  if (!out.nll.empty()) out.nll[to] = -std::log(p[label]);
  if (out.brier.empty()) return;
  double square = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const double d = p[j] - (j == label ? 1 : 0);
    square += d * d;
  }
  out.brier[to] = square;
}

}  // namespace

std::size_t affordable_resamples(std::size_t asked, std::size_t n, std::size_t methods) {
  constexpr double budget = 2e9;
  const double most = budget / (static_cast<double>(n) * static_cast<double>(methods));
  return std::min(asked, static_cast<std::size_t>(std::max(most, 200.0)));
}

std::vector<std::vector<Difference>> paired_differences(const std::vector<const RowLosses*>& methods,
                                                        std::span<const double> weight, const std::vector<Pair>& pairs,
                                                        int bins, const PairedOptions& options) {
  std::vector<std::vector<Difference>> out(pairs.size());
  if (pairs.empty()) return out;
  std::vector<Prepared> prepared;
  for (const RowLosses* m : methods) prepared.push_back(prepare(*m, weight, static_cast<std::size_t>(bins)));
  const ResampledRows rows = rows_of(methods[0]->score.size(), weight);
  const std::vector<std::uint64_t> once = rows.mass.empty() ? std::vector<std::uint64_t>(rows.n, 1) : rows.mass;
  std::vector<Values> value(methods.size());
  for (std::size_t m = 0; m < methods.size(); ++m) value[m] = evaluate(prepared[m], once, rows.unit);
  std::vector<std::vector<Values>> resampled(options.resamples, std::vector<Values>(methods.size()));
  numeric::parallel_for(options.resamples, options.threads, [&](std::size_t r) {
    const auto count = resample(rows, options.seed, r);
    for (std::size_t m = 0; m < methods.size(); ++m) resampled[r][m] = evaluate(prepared[m], count, 1);
  });

  for (std::size_t c = 0; c < criteria.size(); ++c) {
    std::vector<std::size_t> usable;  // pairs for which the criterion exists
    for (std::size_t p = 0; p < pairs.size(); ++p)
      if (value[pairs[p].a][c] && value[pairs[p].b][c]) usable.push_back(p);
    if (usable.empty()) continue;
    std::vector<std::vector<double>> deviation(usable.size(), std::vector<double>(options.resamples));
    for (std::size_t u = 0; u < usable.size(); ++u) {
      const Pair pair = pairs[usable[u]];
      // a resample with no two rows in one bin says nothing about the debiased error: its terms are 0
      const auto at = [&](std::size_t r, std::size_t m) { return resampled[r][m][c].value_or(0); };
      double mean = 0;
      for (std::size_t r = 0; r < options.resamples; ++r) mean += deviation[u][r] = at(r, pair.a) - at(r, pair.b);
      mean /= static_cast<double>(options.resamples);
      for (double& d : deviation[u]) d -= mean;
    }
    const auto half = half_widths(deviation);
    for (std::size_t u = 0; u < usable.size(); ++u) {
      if (!std::isfinite(half[u])) continue;  // losses too far apart for their squares: no difference can be told
      const Pair pair = pairs[usable[u]];
      const double d = *value[pair.a][c] - *value[pair.b][c];
      // sums of doubles are good to about 1e-13: a smaller difference is one of arithmetic, not of methods
      const bool real = std::abs(d) > 1e-12 * (1 + std::abs(*value[pair.a][c]));
      const Change change = real && d + half[u] < 0   ? Change::better
                            : real && d - half[u] > 0 ? Change::worse
                                                      : Change::noise;
      out[usable[u]].push_back({criteria[c].criterion, {}, d, d - half[u], d + half[u], change});
    }
  }
  return out;
}

void add_losses(const MulticlassView& view, const fit::Map* map, Reduction reduction,
                const std::vector<std::size_t>& rows, RowLosses& out, int threads) {
  const std::size_t n = view.size(), k = view.columns();
  numeric::parallel_for((n + block_rows - 1) / block_rows, threads, [&](std::size_t chunk) {
    const std::size_t from = chunk * block_rows, count = std::min(block_rows, n - from);
    std::vector<double> p(count * k);
    const Reals in = block_of(view, from, count);
    if (map)
      map->apply(in, p);
    else
      uncalibrated(view.kind(), k, in, p);
    fit::exclude_masked(in, k, p);
    for (std::size_t i = 0; i < count; ++i)
      add_loss(std::span<const double>(p).subspan(i * k, k), static_cast<std::size_t>(view.label()[from + i]),
               reduction, rows.empty() ? from + i : rows[from + i], out);
  });
}

// Small weights are taken times a power of two: exact sums have 60 bits after the point.
double mean_loss(std::span<const double> loss, std::span<const double> weight) {
  numeric::ExactSum sum, total;
  const double largest = weight.empty() ? 1 : *std::ranges::max_element(weight);
  const double scale = largest < 1 ? std::ldexp(1, -std::ilogb(largest)) : 1;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    const double w = weight.empty() ? 1 : weight[i] * scale;
    if (w == 0) continue;
    if (!std::isfinite(loss[i])) return loss[i];
    sum.add(loss[i], w);
    total.add(w);
  }
  return sum.value() / total.value();
}

}  // namespace tare::detail::infer
