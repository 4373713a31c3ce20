#include "tare/fit/bbq.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "tare/numeric/order/bin_walk.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::fit {
namespace {

struct Candidate {
  std::vector<std::size_t> ends = {};  // group after the last of each bin
  double log_score = 0;
};

// The middle of a bin of the groups from .. to-1: bins meet half-way between scores, the outer ones reach 0 and 1.
double middle_of(const numeric::Ordered& data, std::size_t from, std::size_t to) {
  const double low = from == 0 ? 0 : half_way(data.score(from - 1), data.score(from));
  const double high = to == data.groups() ? 1 : half_way(data.score(to - 1), data.score(to));
  constexpr double border = 0x1p-52;  // a bin without width at 0 or 1 would have a prior that is sure
  return std::clamp(low + (high - low) / 2, border, 1 - border);
}

struct Bin {
  double alpha, beta, positives, negatives;
  Bin(const numeric::Ordered& data, std::size_t from, std::size_t to, double prior) {
    const double unit = static_cast<double>(data.unit()), middle = middle_of(data, from, to);
    const std::uint64_t hits = data.hits_before(to) - data.hits_before(from);
    const std::uint64_t mass = data.mass_before(to) - data.mass_before(from);
    alpha = prior * middle;
    beta = prior * (1 - middle);
    positives = static_cast<double>(hits) / unit;
    negatives = static_cast<double>(mass - hits) / unit;
  }
  [[nodiscard]] double mean() const { return (positives + alpha) / (positives + negatives + alpha + beta); }
};

// log G(a + count) - log G(a); exactly 0 for nothing.
double log_rising(double a, double count) {
  return count == 0 ? 0 : numeric::quick::log_gamma(a + count) - numeric::quick::log_gamma(a);
}

// Binnings below 2^-30 of the best change the average by less than one in a million together, but most edges of the
// saved file would be theirs.
constexpr double negligible = 30 * 0.6931471805599453;

std::vector<Candidate> candidates(const numeric::Ordered& data, bool share_prior) {
  const BinCounts counts = bbq_bins(data.total_mass(), data.unit());
  std::vector<Candidate> out;
  std::unordered_set<std::size_t> seen;
  double best = -INFINITY;
  for (std::size_t b = counts.fewest; b <= counts.most; ++b) {
    numeric::stop_if_asked();
    Candidate c;
    std::size_t hash = 0;
    numeric::for_each_bin(data, numeric::Binning::mass, b, [&](std::size_t, numeric::GroupRange range) {
      c.ends.push_back(range.to);
      hash = (hash ^ range.to) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 32;
    });
    if (!seen.insert(hash).second) continue;  // ties made it equal to another
    c.log_score = bbq_log_score(data, c.ends, share_prior);
    best = std::max(best, c.log_score);
    if (c.log_score >= best - negligible) out.push_back(std::move(c));
  }
  std::erase_if(out, [&](const Candidate& c) { return c.log_score < best - negligible; });
  return out;
}

}  // namespace

// In whole numbers, because the cube root of 1000 may come out above 10.
BinCounts bbq_bins(std::uint64_t mass, std::uint64_t unit) {
  using numeric::u128;
  const double root = std::cbrt(static_cast<double>(mass) / static_cast<double>(unit));
  const auto cube = [&](std::size_t b) { return static_cast<u128>(b) * b * b * unit; };
  BinCounts out;
  out.fewest = static_cast<std::size_t>(root / 10) + 1;
  while (out.fewest > 1 && cube(10 * out.fewest) > mass) --out.fewest;
  out.most = std::max<std::size_t>(1, static_cast<std::size_t>(10 * root)) - 1;
  while (cube(out.most) < static_cast<u128>(1000) * mass) ++out.most;
  out.most = std::max<std::size_t>(1, std::min<std::uint64_t>(out.most, (mass + 5 * unit - 1) / (5 * unit)));
  out.fewest = std::min(out.fewest, out.most);
  return out;
}

double bbq_prior(std::size_t bins, bool share_prior) {
  constexpr double rows = 2;
  return share_prior ? rows / static_cast<double>(bins) : rows;
}

double bbq_log_score(const numeric::Ordered& data, const std::vector<std::size_t>& ends, bool share_prior) {
  const double prior = bbq_prior(ends.size(), share_prior);
  double sum = 0;
  double last_count = -1, denominator = 0;  // equal-mass bins come in two sizes: keep the last one's term
  for (std::size_t j = 0; j < ends.size(); ++j) {
    const Bin bin(data, j == 0 ? 0 : ends[j - 1], ends[j], prior);
    const double count = bin.positives + bin.negatives;
    if (count != last_count) denominator = log_rising(prior, count);
    last_count = count;
    sum += log_rising(bin.alpha, bin.positives) + log_rising(bin.beta, bin.negatives) - denominator;
  }
  return sum;
}

// The average of step functions is a step function, constant between neighbouring scores that no binning parts.
Steps bbq_steps(const Problem& problem, bool share_prior) {
  const auto data = numeric::order(problem.score, problem.label, problem.weight, problem.threads);
  const auto binnings = candidates(data, share_prior);
  double best = -INFINITY, total = 0;
  for (const auto& b : binnings) best = std::max(best, b.log_score);
  for (const auto& b : binnings) total += std::exp(b.log_score - best);
  std::vector<double> average(data.groups(), 0);
  for (const auto& b : binnings) {
    numeric::stop_if_asked();
    const double share = std::exp(b.log_score - best) / total;
    const double prior = bbq_prior(b.ends.size(), share_prior);
    for (std::size_t j = 0; j < b.ends.size(); ++j) {
      const std::size_t from = j == 0 ? 0 : b.ends[j - 1];
      const double value = share * Bin(data, from, b.ends[j], prior).mean();
      for (std::size_t g = from; g < b.ends[j]; ++g) average[g] += value;
    }
  }
  Steps out;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    out.append(g == 0 ? 0 : half_way(data.score(g - 1), data.score(g)), std::clamp(average[g], 0.0, 1.0));
  }
  return out;
}

namespace {

Result<Recipe> bbq_recipe(const Model& model) { return steps_recipe(model, Recipe::Shape::steps); }

Result<Model> fit_bbq(const MulticlassView& view, const Options& options) {
  Model model = model_of(view, "bbq");
  save(fit_problems(view, Scale::probability, options.threads,
                    [&](const Problem& p) { return bbq_steps(p, options.share_prior); }),
       model);
  return with_nll(std::move(model), view, bbq_recipe, options);
}

}  // namespace

constinit const Calibrator bbq_calibrator{
    .name = "bbq",
    .title = "Bayesian binning into quantiles",
    .summary = "an average over many histograms, weighted by how well each explains the labels",
    .citation = "Naeini, Cooper & Hauskrecht 2015",
    .complexity = 4,
    .options = "share_prior",
    .fit = fit_bbq,
    .recipe = bbq_recipe};

}  // namespace tare::detail::fit
