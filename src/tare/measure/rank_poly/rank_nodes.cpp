#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "tare/measure/rank_poly/rank_basis.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::measure {
namespace {

constexpr std::size_t points = RankNodes::points;

// Twice the middle rank of a group, a whole number.
std::uint64_t middle(const numeric::Ordered& data, std::size_t g) {
  return data.mass_before(g) + data.mass_before(g + 1);
}

// The first of the groups from .. to whose middle rank is above a bound, or `to`.
std::size_t first_above(const numeric::Ordered& data, std::size_t from, std::size_t to, std::uint64_t bound) {
  return numeric::first_that(from, to, [&](std::size_t g) { return middle(data, g) > bound; });
}

struct ChebyshevPoints {
  std::array<double, points> t = {};
  alignas(64) PointWeights weight = {};
  ChebyshevPoints() {
    for (std::size_t i = 0; i < points; ++i) {
      const double angle = std::numbers::pi * (2 * static_cast<double>(i) + 1) / (2 * points);
      t[i] = -std::cos(angle);  // ascending
      for (std::size_t j = 0; j < points; ++j)
        weight[j][i] = (j == 0 ? 1.0 : 2.0) / points * std::cos(static_cast<double>(j) * (std::numbers::pi - angle));
    }
  }
};
const ChebyshevPoints& chebyshev() {
  static const ChebyshevPoints made;
  return made;
}

// Groups that hold at least one part in `parts` of all mass: the others lie close together, as a polynomial of degree
// 15 sees it.
std::vector<std::size_t> heavy_groups(const numeric::Ordered& data, std::uint64_t parts) {
  std::vector<std::size_t> out;
  const std::uint64_t least = data.total_mass() / parts + 1;
  const auto after = data.mass_totals().subspan(1);
  for (std::uint64_t mass = least; mass <= data.total_mass(); mass += least) {  // a heavy group holds one of these
    const auto g = static_cast<std::size_t>(std::ranges::lower_bound(after, mass) - after.begin());
    if (data.mass(g) >= least && (out.empty() || out.back() != g)) out.push_back(g);
  }
  return out;
}

constexpr std::size_t stretches_at_first = 64;
constexpr std::uint64_t heavy_parts = 1024;
constexpr std::size_t worth_threads = 1 << 16;

// Carries the values of the groups to the nodes. The stretches decide what is summed with what, never the threads.
template <std::size_t values>
void carry_all(const numeric::Ordered& data, std::span<const RankNodes::Stretch> stretches,
               const std::array<double*, values>& out, int threads) {
  const double share = 1 / static_cast<double>(data.total_mass());
  numeric::parallel_for(stretches.size(), data.groups() < worth_threads ? 1 : threads, [&](std::size_t at) {
    const auto& s = stretches[at];
    const std::uint64_t first = middle(data, s.from), width = middle(data, s.to - 1) - first;
    const GroupInput in{data.scores().data(), data.mass_totals().data(), data.hit_totals().data(), first,
                        width == 0 ? 0 : 2 / static_cast<double>(width)};
    std::array<double*, values> to{};
    for (std::size_t v = 0; v < values; ++v) to[v] = out[v] + s.node;
    transfer(values, in, s, chebyshev().weight, share, to.data());
  });
}

}  // namespace

RankNodes::RankNodes(const numeric::Ordered& data, std::size_t alone) {
  const std::size_t groups = data.groups();
  std::vector<std::size_t> cut{0, groups};
  if (groups > alone) {
    for (const std::size_t g : heavy_groups(data, heavy_parts)) {
      cut.push_back(g);
      cut.push_back(g + 1);
    }
    // Equal steps of the angle arccos x: polynomials bend most near the ends.
    const std::uint64_t first = middle(data, 0), last = middle(data, groups - 1);
    for (std::size_t j = 1; j < stretches_at_first; ++j) {
      const double part = (1 - std::cos(std::numbers::pi * static_cast<double>(j) / stretches_at_first)) / 2;
      const auto step = static_cast<std::uint64_t>(part * static_cast<double>(last - first));
      cut.push_back(first_above(data, 0, groups, first + step));
    }
    std::ranges::sort(cut);
    cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
  }
  for (std::size_t i = 0; i + 1 < cut.size(); ++i)
    stretches_.push_back({cut[i], cut[i + 1], 0, groups > alone && cut[i + 1] - cut[i] > points});
  number();
}

void RankNodes::number() {
  size_ = 0;
  for (Stretch& s : stretches_) {
    s.node = size_;
    size_ += s.nodes();
  }
}

void RankNodes::split(const numeric::Ordered& data, const std::vector<bool>& marked) {
  std::vector<Stretch> out;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch s = stretches_[i];
    if (!marked[i]) {
      out.push_back(s);
      continue;
    }
    const std::uint64_t first = middle(data, s.from), last = middle(data, s.to - 1);
    const std::size_t half = first_above(data, s.from, s.to, first + (last - first) / 2);
    out.push_back({s.from, half, 0, half - s.from > points});
    out.push_back({half, s.to, 0, s.to - half > points});
  }
  stretches_ = std::move(out);
  number();
}

numeric::AlignedArray<double> RankNodes::places(const numeric::Ordered& data) const {
  numeric::AlignedArray<double> out(size_, 0.0);
  const std::uint64_t first = middle(data, 0), all = middle(data, data.groups() - 1) - first;
  if (all == 0) return out;
  const double scale = 2 / static_cast<double>(all);
  const auto place = [&](std::size_t g) { return static_cast<double>(middle(data, g) - first) * scale - 1; };
  for (const Stretch& s : stretches_) {
    const double low = place(s.from), high = place(s.to - 1);
    for (std::size_t i = 0; i < s.nodes(); ++i)
      out[s.node + i] = s.pooled ? (low + high) / 2 + (high - low) / 2 * chebyshev().t[i] : place(s.from + i);
  }
  return out;
}

void RankNodes::masses(const numeric::Ordered& data, double* out, int threads) const {
  carry_all(data, stretches_, std::array{out}, threads);
}

void RankNodes::variances(const numeric::Ordered& data, const std::array<double*, 2>& out, int threads) const {
  carry_all(data, stretches_, out, threads);
}

void RankNodes::gaps(const numeric::Ordered& data, const std::array<double*, 4>& out, int threads) const {
  carry_all(data, stretches_, out, threads);
}

void RankNodes::add_flips(const numeric::Ordered& data, std::span<const Flip> flips,
                          const std::array<double*, 4>& out) const {
  for (const Flip& flip : flips) {
    const std::size_t g = flip.group;
    const double share = static_cast<double>(flip.mass) / static_cast<double>(data.total_mass());
    const double was = (flip.hit ? 1 : 0) - data.score(g), is = (flip.hit ? 0 : 1) - data.score(g);
    const Stretch& s = *std::prev(std::ranges::upper_bound(stretches_, g, {}, &Stretch::from));
    std::array<double, points> part = {};  // of each node of a pooled stretch
    if (s.pooled) {
      const std::uint64_t first = middle(data, s.from), width = middle(data, s.to - 1) - first;
      const double t = 2 * static_cast<double>(middle(data, g) - first) / static_cast<double>(width) - 1;
      double before = t, chebyshev_of_t = 1;  // T_1 = T_-1, and T_0
      for (std::size_t j = 0; j < points; ++j) {
        for (std::size_t i = 0; i < points; ++i) part[i] += chebyshev().weight[j][i] * chebyshev_of_t;
        before = std::exchange(chebyshev_of_t, 2 * t * chebyshev_of_t - before);
      }
    } else {
      part[0] = 1;
    }
    const std::size_t node = s.pooled ? s.node : s.node + (g - s.from), nodes = s.pooled ? points : 1;
    double was_power = share, is_power = share;
    for (double* values : out) {
      was_power *= was, is_power *= is;
      for (std::size_t i = 0; i < nodes; ++i) values[node + i] += part[i] * (is_power - was_power);
    }
  }
}

double RankNodes::roughness(const double* values) {
  double out = 0;
  for (const std::size_t j : {points - 2, points - 1}) {
    double coefficient = 0;
    for (std::size_t i = 0; i < points; ++i) coefficient += chebyshev().weight[j][i] * values[i];
    out += std::abs(coefficient);
  }
  return out;
}

}  // namespace tare::detail::measure
