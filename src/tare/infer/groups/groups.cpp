#include "tare/infer/groups/groups.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <numeric>

#include "tare/infer/resample/ticker.hpp"
#include "tare/infer/tests/smooth_test.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/rng.hpp"

namespace tare::detail::infer {
namespace {

constexpr std::array<double, 6> widths{0.05, 0.1, 0.2, 0.4, 0.8, 1.6};  // of the priors, in log-odds
constexpr std::size_t parts = 1 + widths.size();                        // the first is the point at 0
constexpr double furthest = 4;
constexpr std::size_t points = 161;
constexpr double groups_at_zero = 10;
constexpr int rounds = 300;

using Shares = std::array<double, parts>;

// Of one group: how well each part of the prior explains it, and the mean gap under each.
struct Parts {
  Shares likelihood = {};
  Shares gap = {};
};

// Points over the whole range, or over eight standard deviations around the best where that is narrower.
Parts parts_of(const CountedHits& group) {
  const numeric::ShiftedRows& rows = group.expected->shifted();
  const double best = rows.shift_to(std::clamp(group.hits, 0.5, rows.rows() - 0.5));
  const double slope = rows.variance(best);
  const double half = std::min(2 * furthest, 8 / std::sqrt(std::max(slope, 1e-12)));
  const double low = std::max(-furthest, std::min(best, furthest) - half),
               high = std::min(furthest, std::max(best, -furthest) + half);
  const double step = (high - low) / static_cast<double>(points - 1);

  std::array<double, points> shift{}, log_likelihood{}, gap{};
  for (std::size_t i = 0; i < points; ++i) {
    shift[i] = low + step * static_cast<double>(i);
    log_likelihood[i] = shift[i] * group.hits - rows.log_moment(shift[i]);
    gap[i] = (rows.mean() - rows.mean(shift[i])) / rows.rows();
  }
  const double most = std::max(0.0, *std::ranges::max_element(log_likelihood));
  Parts out;
  out.likelihood[0] = std::exp(-most);
  for (std::size_t k = 0; k < widths.size(); ++k) {
    const double height =
        step / (widths[k] * std::sqrt(2 * std::numbers::pi) * std::erf(furthest / widths[k] / std::numbers::sqrt2));
    double sum = 0, gaps = 0;
    for (std::size_t i = 0; i < points; ++i) {
      const double z = shift[i] / widths[k], w = height * std::exp(log_likelihood[i] - most - z * z / 2);
      sum += w;
      gaps += w * gap[i];
    }
    out.likelihood[k + 1] = sum;
    out.gap[k + 1] = sum > 0 ? gaps / sum : 0;
  }
  return out;
}

// What each part weighs for one group, given its share among all.
Shares weighed(const Parts& group, const Shares& share) {
  Shares out{};
  double sum = 0;
  for (std::size_t k = 0; k < parts; ++k) sum += out[k] = share[k] * group.likelihood[k];
  for (double& w : out) w /= sum;
  return out;
}

// -log P(Z > z) of the standard normal distribution.
double minus_log_normal_tail(double z) {
  const double both = minus_log_tail(z * z, 1);
  return z >= 0 ? both + std::numbers::ln2 : -std::log1p(-std::exp(-both) / 2);
}

class Discrepancy {
 public:
  explicit Discrepancy(std::span<const CountedHits> groups) : groups_(groups) {
    double squares = 0;
    for (const CountedHits& group : groups) {
      const double v = group.expected->shifted().variance(),
                   of_square = 2 * v * v + group.expected->shifted().fourth_cumulant();
      variance_ += v;
      squares += std::max(of_square, 1e-12) / ((v + 1) * (v + 1));
    }
    spread_scale_ = std::sqrt(squares);
  }

  // hits(g): of group g.
  template <class Hits>
  [[nodiscard]] double operator()(const Hits& hits) const {
    double level = 0, spread = 0, smallest = 1;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const numeric::PoissonBinomial& expected = *groups_[g].expected;
      const double k = hits(g), r = k - expected.shifted().mean(), v = expected.shifted().variance();
      level += r;
      spread += (r * r - v) / (v + 1);
      smallest = std::min(smallest, expected.quick_two_sided(k));
    }
    const double count = static_cast<double>(groups_.size());
    const double of_one = -std::expm1(count * std::log1p(-std::min(smallest, 1 - 1e-16)));
    return std::max({minus_log_tail(level * level / variance_, 1), minus_log_normal_tail(spread / spread_scale_),
                     -std::log(std::max(of_one, 1e-300))});
  }

 private:
  std::span<const CountedHits> groups_;
  double variance_ = 0;
  double spread_scale_ = 0;
};

std::vector<std::size_t> ascending(std::span<const double> log_p) {
  std::vector<std::size_t> order(log_p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return log_p[a] < log_p[b]; });
  return order;
}

double times(double factor, double log_p) { return std::exp(std::min(0.0, std::log(factor) + log_p)); }

}  // namespace

std::vector<double> shrunken_gaps(std::span<const CountedHits> groups, int threads) {
  std::vector<Parts> all(groups.size());
  numeric::parallel_for(groups.size(), threads, [&](std::size_t g) { all[g] = parts_of(groups[g]); });
  Shares share;
  share.fill(1.0 / parts);
  for (int round = 0; round < rounds; ++round) {
    numeric::stop_if_asked();
    Shares sum{};
    sum[0] = groups_at_zero;
    for (const Parts& group : all) {
      const Shares w = weighed(group, share);
      for (std::size_t k = 0; k < parts; ++k) sum[k] += w[k];
    }
    for (std::size_t k = 0; k < parts; ++k) share[k] = sum[k] / (groups_at_zero + static_cast<double>(groups.size()));
  }
  std::vector<double> out(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Shares w = weighed(all[g], share);
    for (std::size_t k = 0; k < parts; ++k) out[g] += w[k] * all[g].gap[k];
  }
  return out;
}

double p_of_every_group(std::span<const CountedHits> groups, const EveryGroupOptions& options,
                        const Progress& progress) {
  const Discrepancy statistic(groups);
  const double observed = statistic([&](std::size_t g) { return groups[g].hits; });
  std::atomic<std::size_t> as_extreme{0};
  const Ticker ticker(progress, "redrawing groups", options.resamples);
  numeric::parallel_for(options.resamples, options.threads, [&](std::size_t r) {
    numeric::Rng rng(options.seed, options.stream, static_cast<std::uint32_t>(r));
    const double drawn = statistic([&](std::size_t g) { return groups[g].expected->draw(rng.uniform()); });
    if (drawn >= observed - 1e-9) ++as_extreme;
    ticker.done();
  });
  return static_cast<double>(1 + as_extreme) / static_cast<double>(options.resamples + 1);
}

std::vector<double> holm(std::span<const double> log_p) {
  std::vector<double> out(log_p.size());
  double largest = 0;
  std::size_t left = log_p.size();
  for (const std::size_t i : ascending(log_p))
    out[i] = largest = std::max(largest, times(static_cast<double>(left--), log_p[i]));
  return out;
}

std::vector<double> benjamini_hochberg(std::span<const double> log_p) {
  const auto order = ascending(log_p);
  std::vector<double> out(log_p.size());
  double smallest = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    out[i] = smallest =
        std::min(smallest, times(static_cast<double>(order.size()) / static_cast<double>(rank), log_p[i]));
  }
  return out;
}

}  // namespace tare::detail::infer
