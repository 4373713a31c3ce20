#include "tare/measure/partitions.hpp"

#include <cmath>

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

}  // namespace tare::detail::measure
