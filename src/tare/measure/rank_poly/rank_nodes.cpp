#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/measure/rank_poly/rank_nodes.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"

#ifndef TARE_NUMERIC_RANK_NODES_ONCE
#define TARE_NUMERIC_RANK_NODES_ONCE

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "tare/measure/rank_poly/rank_nodes.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::inner::measure {

inline constexpr std::size_t groups_per_block = 256;

// [j][i]: (2 - [j = 0]) / points * T_j at point i; the rows are filled up to vectors of any length.
inline constexpr std::size_t padded_points = 32;
using PointWeights = std::array<std::array<double, padded_points>, RankNodes::points>;

// Some groups in a row: where they are in their stretch, and the values they carry.
struct GroupBlock {
  alignas(64) double t[groups_per_block];  // in [-1, 1]
  alignas(64) double value[4][groups_per_block];
};

struct GroupInput {
  const double* score;
  const std::uint64_t* mass;  // before every group, and after the last
  const std::uint64_t* hits;
  std::uint64_t origin;  // mass_before + mass_after of the first group of the stretch
  double per_rank;       // of t
};

}  // namespace tare::inner::measure
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::inner::measure::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// Whole numbers below 2^63.
HWY_INLINE V real(hn::Vec<hn::RebindToUnsigned<D> > v) {
  return hn::ConvertTo(D(), hn::BitCast(hn::RebindToSigned<D>(), v));
}

// One vector of groups from g on. The values are the masses (one), or the powers of the gaps (four).
template <std::size_t values>
HWY_INLINE void fill_vector(const GroupInput& in, std::size_t g, GroupBlock& out, std::size_t at) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const auto before = hn::LoadU(du, in.mass + g), after = hn::LoadU(du, in.mass + g + 1);
  const auto rank = real(hn::Sub(hn::Add(before, after), hn::Set(du, in.origin)));
  const auto one = hn::Set(d, 1.0);
  hn::Store(hn::Sub(hn::Mul(rank, hn::Set(d, in.per_rank)), one), d, out.t + at);
  const auto mass = real(hn::Sub(after, before));
  if constexpr (values == 1) {
    hn::Store(mass, d, out.value[0] + at);
  } else {
    const auto hits = real(hn::Sub(hn::LoadU(du, in.hits + g + 1), hn::LoadU(du, in.hits + g)));
    const auto s = hn::LoadU(d, in.score + g), rest = hn::Sub(one, s);
    auto a = hn::Mul(hits, rest), b = hn::Mul(hn::Sub(mass, hits), s);
    hn::Store(hn::Sub(a, b), d, out.value[0] + at);
    a = hn::Mul(a, rest), b = hn::Mul(b, s);
    hn::Store(hn::Add(a, b), d, out.value[1] + at);
    a = hn::Mul(a, rest), b = hn::Mul(b, s);
    hn::Store(hn::Sub(a, b), d, out.value[2] + at);
    a = hn::Mul(a, rest), b = hn::Mul(b, s);
    hn::Store(hn::Add(a, b), d, out.value[3] + at);
  }
}

// Groups from .. from+count-1; what fills up the last vector has the value 0.
template <std::size_t values>
HWY_INLINE void fill(const GroupInput& in, std::size_t from, std::size_t count, GroupBlock& out) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) fill_vector<values>(in, from + i, out, i);
  if (i == count) return;
  // the arrays end here: a padded copy, in which the groups after the last have no mass
  constexpr std::size_t room = hn::MaxLanes(D()) + 1;
  double score[room] = {};
  std::uint64_t mass[room], hits[room];
  const std::size_t left = count - i, g = from + i;
  std::copy(in.score + g, in.score + g + left, score);
  for (std::size_t j = 0; j < room; ++j) {
    mass[j] = in.mass[g + std::min(j, left)];
    hits[j] = in.hits[g + std::min(j, left)];
  }
  fill_vector<values>({score, mass, hits, in.origin, in.per_rank}, 0, out, i);
}

// Adds sum value * T_j(t), j < points, with T_{j+1} = 2 t T_j - T_{j-1}; two j at a time.
template <std::size_t values>
HWY_INLINE void add_moments(const GroupBlock& block, std::size_t count, double* moments) {
  static_assert(RankNodes::points % 2 == 0);
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  alignas(64) double even[groups_per_block], odd[groups_per_block];
  std::fill(even, even + groups_per_block, 1.0);
  std::copy(block.t, block.t + (count + lanes - 1) / lanes * lanes, odd);
  for (std::size_t j = 0; j < RankNodes::points; j += 2) {
    auto a = hn::Zero(d), b = a, c = a, e = a, a2 = a, b2 = a, c2 = a, e2 = a;
    for (std::size_t i = 0; i < count; i += lanes) {
      const auto p = hn::Load(d, even + i), q = hn::Load(d, odd + i), t = hn::Load(d, block.t + i);
      const auto v = hn::Load(d, block.value[0] + i);
      a = hn::MulAdd(p, v, a);
      a2 = hn::MulAdd(q, v, a2);
      if constexpr (values == 4) {
        const auto w = hn::Load(d, block.value[1] + i), x = hn::Load(d, block.value[2] + i);
        const auto y = hn::Load(d, block.value[3] + i);
        b = hn::MulAdd(p, w, b);
        b2 = hn::MulAdd(q, w, b2);
        c = hn::MulAdd(p, x, c);
        c2 = hn::MulAdd(q, x, c2);
        e = hn::MulAdd(p, y, e);
        e2 = hn::MulAdd(q, y, e2);
      }
      const auto twice = hn::Add(t, t), next = hn::MulSub(twice, q, p);
      hn::Store(next, d, even + i);
      hn::Store(hn::MulSub(twice, next, q), d, odd + i);
    }
    const V sums[2][4] = {{a, b, c, e}, {a2, b2, c2, e2}};
    for (std::size_t v = 0; v < values; ++v)
      for (std::size_t k = 0; k < 2; ++k)
        moments[v * RankNodes::points + j + k] += hn::GetLane(hn::SumOfLanes(d, sums[k][v]));
  }
}

// From moments to what the nodes carry: out[v][i] = share * sum_j weight[j][i] moments[v][j].
template <std::size_t values>
HWY_INLINE void pool(const GroupInput& in, std::size_t from, std::size_t to, const PointWeights& weight, double share,
                     double* const* out) {
  GroupBlock block;
  double moments[values * RankNodes::points] = {};
  for (std::size_t g = from; g < to; g += groups_per_block) {
    const std::size_t count = std::min(groups_per_block, to - g);
    fill<values>(in, g, count, block);
    add_moments<values>(block, count, moments);
  }
  const D d;
  alignas(64) double carried[padded_points];
  for (std::size_t v = 0; v < values; ++v) {
    for (std::size_t i = 0; i < padded_points; i += hn::Lanes(d)) {
      auto sum = hn::Zero(d);
      for (std::size_t j = 0; j < RankNodes::points; ++j)
        sum = hn::MulAdd(hn::Set(d, moments[v * RankNodes::points + j]), hn::Load(d, weight[j].data() + i), sum);
      hn::Store(hn::Mul(sum, hn::Set(d, share)), d, carried + i);
    }
    std::copy(carried, carried + RankNodes::points, out[v]);
  }
}

template <std::size_t values>
HWY_INLINE void copy(const GroupInput& in, std::size_t from, std::size_t to, double share, double* const* out) {
  GroupBlock block;
  for (std::size_t g = from; g < to; g += groups_per_block) {
    const std::size_t count = std::min(groups_per_block, to - g);
    fill<values>(in, g, count, block);
    for (std::size_t v = 0; v < values; ++v)
      for (std::size_t i = 0; i < count; ++i) out[v][g - from + i] = block.value[v][i] * share;
  }
}

template <std::size_t values>
HWY_INLINE void carry(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                      double* const* out) {
  if (s.pooled)
    pool<values>(in, s.from, s.to, weight, share, out);
  else
    copy<values>(in, s.from, s.to, share, out);
}

void carry_masses(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                  double* const* out) {
  carry<1>(in, s, weight, share, out);
}
void carry_gaps(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                double* const* out) {
  carry<4>(in, s, weight, share, out);
}

}  // namespace tare::inner::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::inner::measure {
namespace {

HWY_EXPORT(carry_masses);
HWY_EXPORT(carry_gaps);

constexpr std::size_t points = RankNodes::points;

// Twice the middle rank of a group, a whole number.
std::uint64_t middle(const numeric::Ordered& data, std::size_t g) {
  return data.mass_before(g) + data.mass_before(g + 1);
}

// The first of the groups from .. to whose middle rank is above a bound, or `to`.
std::size_t first_above(const numeric::Ordered& data, std::size_t from, std::size_t to, std::uint64_t bound) {
  while (from < to) {
    const std::size_t half = from + (to - from) / 2;
    if (middle(data, half) > bound)
      to = half;
    else
      from = half + 1;
  }
  return from;
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
    const auto g = static_cast<std::size_t>(std::lower_bound(after.begin(), after.end(), mass) - after.begin());
    if (data.mass(g) >= least && (out.empty() || out.back() != g)) out.push_back(g);
  }
  return out;
}

constexpr std::size_t stretches_at_first = 64;
constexpr std::uint64_t heavy_parts = 1024;
constexpr std::size_t worth_threads = 1 << 16;

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
    std::sort(cut.begin(), cut.end());
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

namespace {

// Carries the values of the groups to the nodes. The stretches decide what is summed with what, never the threads.
template <class Carry, std::size_t values>
void carry_all(const numeric::Ordered& data, std::span<const RankNodes::Stretch> stretches, const Carry& carry,
               const std::array<double*, values>& out, int threads) {
  const double share = 1 / static_cast<double>(data.total_mass());
  numeric::parallel_for(stretches.size(), data.groups() < worth_threads ? 1 : threads, [&](std::size_t at) {
    const auto& s = stretches[at];
    const std::uint64_t first = middle(data, s.from), width = middle(data, s.to - 1) - first;
    const GroupInput in{data.scores().data(), data.mass_totals().data(), data.hit_totals().data(), first,
                        width == 0 ? 0 : 2 / static_cast<double>(width)};
    std::array<double*, values> to{};
    for (std::size_t v = 0; v < values; ++v) to[v] = out[v] + s.node;
    carry(in, s, chebyshev().weight, share, to.data());
  });
}

}  // namespace

void RankNodes::masses(const numeric::Ordered& data, double* out, int threads) const {
  carry_all(data, stretches_, HWY_DYNAMIC_DISPATCH(carry_masses), std::array{out}, threads);
}

void RankNodes::gaps(const numeric::Ordered& data, const std::array<double*, 4>& out, int threads) const {
  carry_all(data, stretches_, HWY_DYNAMIC_DISPATCH(carry_gaps), out, threads);
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

}  // namespace tare::inner::measure
#endif
