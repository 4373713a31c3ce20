#include "tare/infer/groups/every_group.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <vector>

#include "tare/infer/resample/ticker.hpp"
#include "tare/infer/tests/smooth_test.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/rng.hpp"

namespace tare::inner::infer {
namespace {

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

}  // namespace

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

}  // namespace tare::inner::infer
