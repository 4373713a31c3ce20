// ECE with the number of bins chosen by the data: the largest b such that, for every count up to b, the
// bins' observed rates never decrease. Roelofs et al. 2022, Algorithm 1; equal mass (sweep_em) or width (sweep_ew).
//
// Usually some twenty counts are tried, and a count of b takes b lookups. Where the rates go on rising, that would be
// quadratic; but only neighbouring bins that hold a descent (a group of equal scores whose rate exceeds that of the
// next group) can violate the order, so after about n / 16 lookups only those are looked at: separated, nearly
// separated and few-level data stay linear.
#include <algorithm>
#include <cmath>

#include "tare/core/options.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/measure/partitions.hpp"
#include "tare/numeric/order/bin_walk.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::measure {
namespace {

using numeric::u128;

struct Fraction {
  u128 above = 0, below = 0;
};

// The fraction with the smallest denominator between a / b and c / d, both included; with the smallest numerator too.
// The whole part goes, and the rest is turned upside down.
Fraction simplest(u128 a, u128 b, u128 c, u128 d) {
  const u128 whole = (a + b - 1) / b;
  if (whole <= c / d) return {whole, 1};
  const u128 cut = whole - 1;
  const Fraction rest = simplest(d, c - cut * d, b, a - cut * b);
  return {cut * rest.above + rest.below, rest.above};
}

constexpr int score_bits = 60;

// More bins than a diagram can show are not listed in Estimate::per_bin.
constexpr std::size_t most_listed_bins = 4096;
// Scores a rounding apart part at 1e8 bins, and weights can make n larger still: the search ends before.
constexpr std::uint64_t most_searched_bins = Partitions::most_bins;

using numeric::GroupRange;
using numeric::Ordered;

// Rates as fractions, so that equal rates are equal and never a rounding away from a violation.
bool rate_above(const Ordered& data, GroupRange p, GroupRange q) {
  const std::uint64_t hits_p = data.hits_before(p.to) - data.hits_before(p.from);
  const std::uint64_t hits_q = data.hits_before(q.to) - data.hits_before(q.from);
  const std::uint64_t mass_p = data.mass_before(p.to) - data.mass_before(p.from);
  const std::uint64_t mass_q = data.mass_before(q.to) - data.mass_before(q.from);
  return static_cast<numeric::u128>(hits_p) * mass_q > static_cast<numeric::u128>(hits_q) * mass_p;
}

bool descends_after(const Ordered& data, std::size_t g) { return rate_above(data, {g, g + 1}, {g + 1, g + 2}); }

bool has_descent(const Ordered& data) {
  std::size_t g = 0;
  while (g + 1 < data.groups() && !descends_after(data, g)) ++g;
  return g + 1 < data.groups();
}

std::vector<std::size_t> descents(const Ordered& data) {
  std::vector<std::size_t> out;
  for (std::size_t g = 0; g + 1 < data.groups(); ++g)
    if (descends_after(data, g)) out.push_back(g);
  return out;
}

bool never_decreases(const Ordered& data, std::span<const std::uint32_t> starts) {
  for (std::size_t j = 2; j < starts.size(); ++j)
    if (rate_above(data, {starts[j - 2], starts[j - 1]}, {starts[j - 1], starts[j]})) return false;
  return true;
}

// All bins, one after another. `ends` are those of one bin less, and become those of b bins.
bool never_decreases_walking(const Ordered& data, Binning binning, std::size_t b, std::vector<std::size_t>& ends) {
  ends.resize(b, data.groups());
  GroupRange last{0, 0};
  for (std::size_t j = 1; j <= b && last.to < data.groups(); ++j) {
    GroupRange bin{last.to, 0};
    if (binning == Binning::width && j < b) {  // j / b lies between (j - 1) / b and j / (b - 1)
      const double edge = numeric::width_edge(j, b);
      const std::size_t guess = bin.from + (ends[j - 1] - bin.from) * (b - 1) / (b + j - 1);
      bin.to =
          numeric::first_that_near(guess, bin.from, ends[j - 1], [&](std::size_t g) { return data.score(g) > edge; });
    } else {
      bin.to = numeric::boundary(data, binning, j, b, bin.from);
    }
    ends[j - 1] = bin.to;
    if (bin.to == bin.from) continue;
    if (bin.from > 0 && rate_above(data, last, bin)) return false;
    last = bin;
  }
  return true;
}

bool never_decreases(const Ordered& data, Binning binning, std::size_t b, const std::vector<std::size_t>& descent) {
  const numeric::BinWalk walk(data, binning, b);
  GroupRange bin{0, 0};  // already compared with the bin before it
  for (std::size_t d = 0; d < descent.size();) {
    if (descent[d] >= bin.to) {  // a stretch without descents lies between: jump
      bin = walk.around(descent[d]);
      if (bin.from > 0 && rate_above(data, walk.around(bin.from - 1), bin)) return false;
    }
    if (bin.to == data.groups()) return true;
    const GroupRange next = walk.starting(bin.to);
    if (rate_above(data, bin, next)) return false;
    // past those inside the bin: no more of them than groups that are left in it
    const std::size_t left = bin.to > descent[d] ? bin.to - descent[d] : 0;
    d = numeric::first_that(d, std::min(d + left, descent.size()), [&](std::size_t i) { return descent[i] >= bin.to; });
    bin = next;
  }
  return true;
}

// Goes on from b bins, whose rates rise, over the ways in which more bins part the scores: the same end as bin by bin.
std::uint64_t last_rising(const Ordered& data, const Partitions& partitions, std::uint64_t b, std::uint64_t limit) {
  std::uint64_t out = limit;
  partitions.each_after(b, limit, [&](const Partitions::Way& way) {
    const bool rises = never_decreases(data, way.starts);
    if (!rises) out = way.bins - 1;
    return rises;
  });
  return out;
}

// The largest number of bins, at most so many, up to which the rates of all numbers rise.
std::size_t rising_bins(const Sample& sample, Binning binning, std::uint64_t limit) {
  const Ordered& data = sample.ordered();
  std::vector<std::size_t> descent, ends;
  const std::size_t sure = std::max<std::size_t>(sample.fewest_bins(binning), 2) - 1;
  std::size_t b = std::max<std::uint64_t>(has_descent(data) ? std::min(sure, limit) : limit, 1);
  std::size_t lookups = 0;
  const auto rises = [&](std::size_t count) {
    const auto starts = sample.known_starts(binning, count);
    if (!starts.empty()) return never_decreases(data, starts);
    lookups += count;
    if (lookups < data.groups() / 16 + 100) return never_decreases_walking(data, binning, count, ends);
    if (descent.empty()) descent = descents(data);
    return never_decreases(data, binning, count, descent);
  };
  // A long search is not one of single steps: there are fewer ways to part scores than numbers of bins.
  const std::uint64_t most = std::min(limit, most_searched_bins);
  const std::uint64_t patience = b + std::max<std::uint64_t>(64, data.groups() / 4);
  while (b < std::min(most, patience) && rises(b + 1)) ++b;
  if (b == patience && b < most) {
    const Partitions& partitions = binning == Binning::width
                                       ? static_cast<const Partitions&>(sample.shared<WidthPartitions>())
                                       : static_cast<const Partitions&>(sample.shared<MassPartitions>());
    if (partitions.are_few())
      b = last_rising(data, partitions, b, most);
    else
      while (b < most && rises(b + 1)) ++b;
  }
  return b;
}

Result<Estimate> sweep(const Sample& sample, const Options& options, Binning binning) {
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  if (const auto fine = in_range(options::max_bins, options.max_bins); !fine) return fine.error();
  const numeric::Ordered& data = sample.ordered();
  const std::uint64_t rows = data.total_mass() / data.unit();
  const std::uint64_t limit =
      options.max_bins > 0 ? std::min<std::uint64_t>(static_cast<std::uint64_t>(options.max_bins), rows) : rows;

  const std::size_t b = rising_bins(sample, binning, limit);
  Estimate out{.bins = static_cast<std::int64_t>(b)};
  std::vector<numeric::BinSums> sums;
  std::vector<std::size_t> index;
  numeric::u128 before = 0;
  double total = 0;
  sums.reserve(std::min<std::size_t>(b, 64));
  index.reserve(std::min<std::size_t>(b, 64));
  numeric::for_each_bin(data, binning, b, [&](std::size_t j, numeric::GroupRange r) {
    const numeric::u128 after = data.score_before(r.to);
    const numeric::BinSums s{data.mass_before(r.to) - data.mass_before(r.from),
                             data.hits_before(r.to) - data.hits_before(r.from), after - before, data.score(r.from),
                             data.score(r.to - 1)};
    before = after;
    const double gap = std::abs(s.mean_score() - s.mean_label());
    total += static_cast<double>(s.mass) * (*norm == 1 ? gap : gap * gap);
    if (sums.size() <= most_listed_bins) {
      sums.push_back(s);
      index.push_back(j);
    }
  });
  total /= static_cast<double>(data.total_mass());
  out.value = *norm == 1 ? total : std::sqrt(total);
  if (sums.size() <= most_listed_bins) out.per_bin = diagram(sums, binning, data.unit());
  if (binning == Binning::width) {
    for (std::size_t i = 0; i < out.per_bin.size(); ++i) {  // empty bins were left out: restore the edges
      out.per_bin[i].lower = numeric::width_edge(index[i], b);
      out.per_bin[i].upper = numeric::width_edge(index[i] + 1, b);
    }
  }
  return out;
}

}  // namespace

std::uint64_t first_denominator(u128 low, u128 high, u128 of, std::uint64_t most) {
  const u128 found = simplest(low, of, high, of).below;
  return found <= most ? static_cast<std::uint64_t>(found) : 0;
}

Partitions::Partitions(const numeric::Ordered& data, numeric::Binning binning)
    : binning_(binning), total_(data.total_mass()), groups_(static_cast<std::uint32_t>(data.groups())) {
  const auto rank = [&](std::size_t g) {
    return numeric::twice_middle_rank(data.mass_before(g), data.mass_before(g + 1));
  };
  // Scores in whole units, outwards by more than the edges of bins are rounded.
  const auto units = [&](double score, double by) {
    return static_cast<u128>(std::clamp(std::ldexp(score + by, score_bits), 0.0, 0x1p60));
  };
  const auto ever_parted = [&](std::size_t g) {
    if (binning == numeric::Binning::width)
      return first_denominator(units(data.score(g), -0x1p-51), units(data.score(g + 1), 0x1p-51), u128{1} << score_bits,
                               most_bins) != 0;
    // a bin begins above the one and not above the other: of fractions with these denominators none lies nearer
    return first_denominator(u128{rank(g)} * most_bins + 1, u128{rank(g + 1)} * most_bins, u128{2} * total_ * most_bins,
                             most_bins) != 0;
  };
  for (std::size_t g = 0; g < data.groups(); ++g) {
    if (g == 0 || ever_parted(g - 1)) {
      if (parts_.size() > most_parts) return;  // too many
      parts_.push_back({.from = static_cast<std::uint32_t>(g), .low = rank(g), .low_score = data.score(g)});
    }
    parts_.back().high = rank(g);
    parts_.back().high_score = data.score(g);
  }
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const double gap = binning == numeric::Binning::width ? parts_[i].low_score - parts_[i - 1].high_score
                                                          : static_cast<double>(parts_[i].low - parts_[i - 1].high) /
                                                                (2 * static_cast<double>(total_));
    const double bins = std::ceil((1 + 0x1p-20) / gap) + 2;
    enough_ = std::max(enough_, bins < static_cast<double>(most_bins) ? static_cast<std::uint64_t>(bins) : most_bins);
  }
}

bool Partitions::are_parted(const BinBounds& left, const BinBounds& right, std::uint64_t bins) const {
  if (binning_ == numeric::Binning::width)
    return numeric::width_bin(left.high_score, bins) != numeric::width_bin(right.low_score, bins);
  const u128 twice = u128{2} * total_;
  return u128{left.high} * bins / twice != u128{right.low} * bins / twice;
}

std::shared_ptr<const Partitions::Block> Partitions::make_block(std::uint64_t first, std::uint64_t last) const {
  auto out = std::make_shared<Block>();
  out->last = last;
  std::vector<std::uint32_t> starts;
  std::set<std::vector<std::uint32_t>> fresh;
  for (std::uint64_t bins = first; bins <= std::min(last, enough_); ++bins) {
    numeric::stop_if_asked_at(bins);
    starts.assign(1, 0);
    for (std::size_t i = 1; i < parts_.size(); ++i)
      if (are_parted(parts_[i - 1], parts_[i], bins)) starts.push_back(parts_[i].from);
    starts.push_back(groups_);
    if (!known_.contains(starts) && fresh.insert(starts).second) out->ways.push_back({bins, starts});
  }
  known_.merge(fresh);  // needs no memory: all of it or, where an exception came before, nothing
  return out;
}

std::shared_ptr<const Partitions::Block> Partitions::block(std::size_t i) const {
  const std::lock_guard lock(mutex_);
  while (blocks_.size() <= i) {
    blocks_.reserve(blocks_.size() + 1);
    const std::uint64_t before = blocks_.empty() ? 0 : blocks_.back()->last;
    blocks_.push_back(make_block(before + 1, std::max<std::uint64_t>(2 * before, 256)));
  }
  return blocks_[i];
}

Result<Estimate> sweep_ew(const Sample& s, const Options& o) { return sweep(s, o, Binning::width); }
Result<Estimate> sweep_em(const Sample& s, const Options& o) { return sweep(s, o, Binning::mass); }

constinit const Estimator sweep_ew_estimator{
    {.name = "sweep_ew",
     .title = "monotonic sweep, equal-width bins",
     .summary = "mean gap over the largest number of equal-width bins whose rates still rise",
     .citation = "Roelofs et al. 2022, Algorithm 1",
     .estimand = "tce",
     .norms = Norms::both,
     .binning = Binning::width,
     .left_alone = adds_noise},
    {.run = sweep_ew, .cube_root = true}};

constinit const Estimator sweep_em_estimator{
    {.name = "sweep_em",
     .title = "monotonic sweep, equal-mass bins",
     .summary = "mean gap over the largest number of equal-mass bins whose rates still rise",
     .citation = "Roelofs et al. 2022, Algorithm 1",
     .estimand = "tce",
     .norms = Norms::both,
     .binning = Binning::mass,
     .left_alone = adds_noise,
     .roles = {.tested = true, .bias_drawn = true, .compared = 4, .quoted = 2},
     .panel = {"monotonic sweep", "the monotonic sweep"}},
    {.run = sweep_em, .cube_root = true}};

}  // namespace tare::detail::measure
