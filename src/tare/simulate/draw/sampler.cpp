#include "tare/simulate/draw/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/rng.hpp"

namespace tare::detail::simulate {
namespace {

constexpr std::uint64_t label_mask = (1U << label_bits) - 1;

Result<int> check(const Truth& truth) {
  if (truth.curve.family == nullptr) return Error{Errc::bad_option, "the truth has no calibration curve"};
  const Scores& s = truth.scores;
  if (s.kind == ScoreKind::empirical && s.values.empty())
    return Error{Errc::bad_input, "there are no scores to resample"};
  if (s.kind == ScoreKind::beta)
    for (const double x : {s.alpha, s.beta})
      if (!(x > 1e-4 && x < 1e6))
        return Error{.code = Errc::bad_option,
                     .what = fmt::format("{} is not a usable parameter of a Beta distribution", x),
                     .remedy = "both must lie between 0.0001 and 1000000"};
  return 0;
}

}  // namespace

Result<Sampler> Sampler::of(const Truth& truth) {
  if (const auto fine = check(truth); !fine) return fine.error();
  Sampler out;
  if (truth.scores.kind == ScoreKind::empirical)
    out.empirical_ = std::make_shared<const Scores>(truth.scores);
  else
    out.quantile_ = std::make_shared<const Quantile>(truth.scores);
  return out.with(truth.curve);
}

Sampler Sampler::with(const Curve& curve) const {
  Sampler out = *this;
  out.curve_ = curve;
  out.set_bounds();
  return out;
}

double Sampler::miss(ScorePoint p) const { return std::clamp(curve_.miss(p), 0.0, 1.0); }

// A curve is monotone, and so is u, so the probability of a miss lies between its values at the two ends of a cell. It
// is a weighted mean of the two, and they may run in opposite directions: each is bounded on its own.
void Sampler::set_bounds() {
  if (empirical_) {
    value_miss_.clear();
    for (const ScorePoint& p : empirical_->values) value_miss_.push_back(miss(p));
    return;
  }
  cells_ = quantile_->cells();
  constexpr double scale = 1U << label_bits, slack = 1e-3;  // of one step of the label bits: 6e-11
  struct Ends {
    double curve, u;
  };
  const auto ends = [&](Side side, double x) {
    const ScorePoint p = side == Side::above ? quantile_->at(x, 1 - x) : quantile_->at(1 - x, x);
    return Ends{curve_.family->miss(p, curve_.coefficients), p.u};
  };
  const double s = curve_.strength;
  for (const Side side : {Side::above, Side::below}) {
    Ends right = ends(side, 0.5);
    for (std::size_t i = cells_.per_side() - 2; i > 0; --i) {
      const Ends left = ends(side, cells_.left(i));
      const double low = s * std::min(left.curve, right.curve) + (1 - s) * std::min(left.u, right.u);
      const double high = s * std::max(left.curve, right.curve) + (1 - s) * std::max(left.u, right.u);
      right = left;
      // where neither a score nor a bound is known, every label stays undecided
      Cell& cell = cells_.at(side, i);
      if (cell.coefficient[0] == 0 || !(low <= high)) continue;
      cell.set_bounds(static_cast<std::uint32_t>(std::floor(std::clamp(low * scale - slack, 0.0, scale))),
                      static_cast<std::uint32_t>(std::ceil(std::clamp(high * scale + slack, 0.0, scale))));
    }
  }
}

void Sampler::draw(std::size_t n, std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate, Scratch& scratch,
                   numeric::Ordered& out) const {
  assert(n > 0 && n <= largest_n);
  const numeric::RandomKey key{seed, stream, replicate, static_cast<std::uint32_t>(n)};
  scratch.spacings.draw(key, n);
  numeric::stop_if_asked();
  if (const std::size_t length = numeric::whole_batches(n); scratch.score.size() < length) {
    scratch.score.resize(length);
    scratch.label.resize(length);
  }
  if (empirical_)
    resample_rows(scratch);
  else
    draw_rows(scratch);
  const std::uint8_t* const labels = scratch.label.data();
  const auto find = [&](std::size_t from) {
    const void* at = from < n ? std::memchr(labels + from, Cells::undecided, n - from) : nullptr;
    return at ? static_cast<std::size_t>(static_cast<const std::uint8_t*>(at) - labels) : n;
  };
  std::size_t decided = 0;
  for (std::size_t i = find(0); i < n; i = find(i + 1)) {
    if (decided++ % 1024 == 0) numeric::stop_if_asked();  // a decision is slow: it may need a quantile
    decide(key, i, scratch);
  }
  out.assign_sorted({scratch.score.data(), n}, {labels, n});
}

void Sampler::draw_rows(Scratch& s) const {
  cells_.look_up(s.spacings.sum(), s.spacings.total(), s.spacings.word(), s.spacings.size(), s.score.data(),
                 s.label.data());
}

// The value that covers a position in [0, weight).
std::size_t Sampler::value_at(double position) const {
  const auto& ends = empirical_->ends;
  const auto at = ends.empty() ? static_cast<std::size_t>(position)
                               : static_cast<std::size_t>(std::ranges::upper_bound(ends, position) - ends.begin());
  return std::min(at, empirical_->values.size() - 1);
}

// Sorted uniform numbers make sorted places: drawing with replacement without sorting.
void Sampler::resample_rows(Scratch& s) const {
  const auto& values = empirical_->values;
  const auto& ends = empirical_->ends;
  const double scale = empirical_->weight() / s.spacings.total();
  std::size_t at = 0;
  for (std::size_t i = 0; i < s.spacings.size(); ++i) {
    const double position = s.spacings.sum()[i] * scale;
    if (ends.empty())
      at = value_at(position);
    else
      while (at + 1 < values.size() && ends[at] <= position) ++at;
    s.score[i] = values[at].c;
    const double limit = value_miss_[at] * (1U << label_bits);
    const auto drawn = static_cast<double>(s.spacings.word()[i] & label_mask);
    s.label[i] = drawn + 1 <= limit ? 0 : drawn >= limit ? 1 : Cells::undecided;
  }
}

// With 52 more bits, and the exact probability.
void Sampler::decide(const numeric::RandomKey& key, std::size_t i, Scratch& s) const {
  const double total = s.spacings.total(), sum = s.spacings.sum()[i];
  double chance = 0;
  if (empirical_) {
    const double scale = empirical_->weight() / total;
    chance = value_miss_[value_at(sum * scale)];
  } else {
    constexpr double least = 0x1p-60;  // a spacing that rounding has swallowed
    const double above = std::max((total - sum) / total, least), below = std::max(sum / total, least);
    const ScorePoint p = quantile_->at(above, below);
    if (!quantile_->in_cells(above, below)) s.score[i] = p.c;
    chance = miss(p);
  }
  const auto words = numeric::random_block(
      key.seed, key.stream, key.replicate,
      numeric::join(numeric::Spacings::first_free_block + static_cast<std::uint32_t>(i), key.group));
  const double rest = numeric::to_uniform(numeric::join(words[0], words[1]));
  const auto drawn = static_cast<double>(s.spacings.word()[i] & label_mask);
  // as differences: drawn + rest would lose the last bits of rest
  s.label[i] = rest >= chance * (1U << label_bits) - drawn;
}

}  // namespace tare::detail::simulate
