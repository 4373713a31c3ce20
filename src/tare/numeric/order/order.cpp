#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/order/order.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"

#ifndef TARE_NUMERIC_ORDER_ONCE
#define TARE_NUMERIC_ORDER_ONCE

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "tare/numeric/order/order.hpp"
#include "tare/numeric/order/radix_sort.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::numeric {

// Groups of equal scores in rows that are sorted already.
struct SortedGroups {
  std::size_t count = 0;
  bool descends = false;  // some score was below its predecessor, and the groups are of no use
};

}  // namespace tare::detail::numeric
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// For every group of equal scores: the score, and the rows and the marked rows up to its end. The arrays have room for
// n. A vector of rows at a time: each row holds what its group would be if it ended there; those where a group does end
// are kept.
SortedGroups find_groups(const double* score, const std::uint8_t* mark, std::size_t n, double* group_score,
                         std::uint64_t* rows, std::uint64_t* marked) {
  SortedGroups out;
  std::uint64_t hits = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<double, 8> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const hn::Rebind<std::uint32_t, decltype(d)> d32;
  const std::size_t lanes = hn::Lanes(d);
  auto least_step = hn::Zero(d);
  for (; i + lanes < n; i += lanes) {
    // a product with 1 + 2^8 + 2^16 + ... holds the running sums of up to eight bytes
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, mark + i, lanes);
    bytes *= 0x0101010101010101U;
    std::uint8_t sums[8];
    std::memcpy(sums, &bytes, 8);
    const auto here = hn::LoadU(d, score + i), next = hn::LoadU(d, score + i + 1);
    const auto ends = hn::Gt(next, here);
    least_step = hn::Min(least_step, hn::Sub(next, here));
    const auto row = hn::Iota(du, i + 1);
    const auto hit = hn::Add(hn::PromoteTo(du, hn::PromoteTo(d32, hn::LoadU(d8, sums))), hn::Set(du, hits));
    hits += sums[lanes - 1];
    if (hn::AllTrue(d, ends)) {
      hn::StoreU(here, d, group_score + out.count);
      hn::StoreU(row, du, rows + out.count);
      hn::StoreU(hit, du, marked + out.count);
      out.count += lanes;
    } else if (hn::AllFalse(d, ends)) {
      continue;
    } else {
      const auto kept = hn::RebindMask(du, ends);
      hn::CompressBlendedStore(here, ends, d, group_score + out.count);
      hn::CompressBlendedStore(row, kept, du, rows + out.count);
      hn::CompressBlendedStore(hit, kept, du, marked + out.count);
      out.count += hn::CountTrue(d, ends);
    }
  }
  out.descends = hn::GetLane(hn::MinOfLanes(d, least_step)) < 0;
#endif
  for (; i < n; ++i) {
    hits += mark[i];
    group_score[out.count] = score[i];
    rows[out.count] = i + 1;
    marked[out.count] = hits;
    out.count += i + 1 == n || score[i + 1] > score[i];
    out.descends |= i + 1 < n && score[i + 1] < score[i];
  }
  return out;
}

}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {

HWY_EXPORT(find_groups);

Ordered::Ordered(std::vector<double> score, std::span<const std::uint64_t> mass, std::span<const std::uint64_t> marked,
                 std::uint64_t unit)
    : score_(score.begin(), score.end()), unit_(unit) {
  mass_.resize(score_.size() + 1);
  for (std::size_t g = 0; g < score_.size(); ++g) mass_[g + 1] = mass_[g] + mass[g];
  set_hits(marked);
  finish(1);
}

void Ordered::set_hits(std::span<const std::uint64_t> marked) {
  hits_.resize(score_.size() + 1);
  for (std::size_t g = 0; g < score_.size(); ++g) hits_[g + 1] = hits_[g] + marked[g];
}

void Ordered::finish(int threads) {
  constexpr std::size_t chunk = 1 << 12;
  const std::size_t blocks = groups() / block + 1;
  score_total_.resize(blocks);
  parallel_for((blocks + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(blocks, (c + 1) * chunk); ++i) {
      const std::size_t from = i * block, to = std::min(from + block, groups());
      u128 total = 0;
      if (to - from == block && mass_[to] - mass_[from] == block) {  // no weights, no ties
        std::uint64_t small = 0;
        for (std::size_t g = 0; g < block; ++g) small += to_fixed(score_[from + g]);
        total = small;
      } else if (mass_[to] - mass_[from] < (std::uint64_t{1} << 17)) {  // 2^17 * 2^46 fits into 64 bits
        std::uint64_t small = 0;
        for (std::size_t g = from; g < to; ++g) small += to_fixed(score_[g]) * mass(g);
        total = small;
      } else {
        for (std::size_t g = from; g < to; ++g) total += static_cast<u128>(to_fixed(score_[g])) * mass(g);
      }
      score_total_[i] = total;
    }
  });
  u128 before = 0;
  for (auto& t : score_total_) before += std::exchange(t, before);
}

void Ordered::assign_sorted(std::span<const double> score, std::span<const std::uint8_t> mark) {
  const std::size_t n = score.size();
  unit_ = 1;
  score_.resize(n);
  mass_.resize(n + 1);
  hits_.resize(n + 1);
  mass_[0] = hits_[0] = 0;
  const auto found = HWY_DYNAMIC_DISPATCH(find_groups)(score.data(), mark.data(), n, score_.data(), mass_.data() + 1,
                                                       hits_.data() + 1);
  if (found.descends) {
    std::vector<double> rising(score.begin(), score.end());
    for (std::size_t i = 1; i < n; ++i) rising[i] = std::max(rising[i], rising[i - 1]);
    return assign_sorted(rising, mark);
  }
  score_.resize(found.count);
  mass_.resize(found.count + 1);
  hits_.resize(found.count + 1);
  finish(1);
}

u128 Ordered::score_before(std::size_t g) const {
  const std::size_t from = g / block * block;
  if (mass_[g] - mass_[from] < (std::uint64_t{1} << 17)) {  // 2^17 * 2^46 fits into 64 bits
    std::uint64_t small = 0;
    for (std::size_t i = from; i < g; ++i) small += to_fixed(score_[i]) * mass(i);
    return score_total_[g / block] + small;
  }
  u128 total = score_total_[g / block];
  for (std::size_t i = from; i < g; ++i) total += static_cast<u128>(to_fixed(score_[i])) * mass(i);
  return total;
}

// Every piece of the keys begins with a new score, so that no two threads write to one group.
template <class Key>
void Ordered::fill(const Keys<Key>& keys, int threads) {
  struct Piece {
    std::size_t begin = 0, group = 0;
    std::uint64_t hits = 0;
  };
  const std::size_t n = keys.size();
  constexpr std::size_t worth_a_thread = 1 << 16;
  const std::size_t count =
      std::clamp<std::size_t>(n / worth_a_thread, 1, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<Piece> piece(count + 1);
  const auto is_new = [&](std::size_t i) { return i == 0 || (keys[i] ^ keys[i - 1]) > 1; };
  for (std::size_t p = 1; p < count; ++p) {
    std::size_t i = std::max(n / count * p, piece[p - 1].begin);
    while (i < n && !is_new(i)) ++i;
    piece[p].begin = i;
  }
  piece[count].begin = n;
  parallel_for(count, threads, [&](std::size_t p) {
    std::size_t groups = 0, hits = 0;
    for (std::size_t i = piece[p].begin; i < piece[p + 1].begin; ++i) {
      groups += is_new(i);
      hits += keys[i] & 1;
    }
    piece[p + 1].group = groups;
    piece[p + 1].hits = hits;
  });
  for (std::size_t p = 0; p < count; ++p) {
    piece[p + 1].group += piece[p].group;
    piece[p + 1].hits += piece[p].hits;
  }
  score_.resize(piece[count].group);
  mass_.resize(score_.size() + 1);
  hits_.resize(score_.size() + 1);
  parallel_for(count, threads, [&](std::size_t p) {
    std::size_t g = piece[p].group;
    std::uint64_t hits = piece[p].hits;
    const std::size_t end = piece[p + 1].begin;
    // Without branches: the rows of a group overwrite each other, the last one stays.
    for (std::size_t i = piece[p].begin; i < end; ++i) {
      hits += keys[i] & 1;
      score_[g] = score_of(keys[i]);
      mass_[g + 1] = i + 1;
      hits_[g + 1] = hits;
      g += i + 1 < end && (keys[i + 1] ^ keys[i]) > 1;
    }
  });
}

void Ordered::fill_weighted(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight,
                            int threads) {
  unit_ = mass_unit(weight);
  struct Row {
    std::uint64_t key;
    std::size_t index;
  };
  score.visit([&](auto s) {
    const auto rows = radix_sorted<Row>(
        s.size(),
        [&](std::size_t i) {
          return Row{key_of(s[i], 0), i};
        },
        [](const Row& r) { return r.key; }, threads);
    for (std::size_t at = 0; at < rows.size(); ++at) {
      stop_if_asked_at(at);
      const Row& r = rows[at];
      const std::uint64_t m = to_mass(weight[r.index], unit_);
      const double x = std::abs(static_cast<double>(s[r.index]));
      if (m == 0) continue;
      if (score_.empty() || x != score_.back()) {
        score_.push_back(x);
        mass_.push_back(mass_.back());
        hits_.push_back(hits_.back());
      }
      mass_.back() += m;
      hits_.back() += mark[r.index] ? m : 0;
    }
  });
}

std::uint64_t mass_unit(std::span<const double> weight) {
  bool whole = true;
  double largest = 0;
  for (const double w : weight) {
    whole &= w == std::floor(w);
    largest = std::max(largest, w);
  }
  if (whole) return 1;
  // The total to within a factor of two, in whole numbers: row order must not matter here either.
  const int exponent = std::ilogb(largest);
  const double scale = std::ldexp(1, 52 - exponent);
  u128 total = 0;
  for (const double w : weight) total += static_cast<std::uint64_t>(w * scale);
  int bits = exponent - 52;  // the total is below 2^bits
  for (; total > 0; total >>= 1) ++bits;
  return std::uint64_t{1} << std::clamp(52 - bits, 20, 60);
}

namespace {

// Rows that come in order, as a GPU sorts them, stay in it. The marks of a group may stand in any order.
template <class T>
auto keys_in_order(std::span<const T> score, std::span<const std::uint8_t> mark, int threads) {
  if (!std::is_sorted(score.begin(), score.end())) return sorted_keys(score, mark, threads);
  constexpr std::size_t chunk = 1 << 16;
  decltype(sorted_keys(score, mark, threads)) out(score.size());
  parallel_for((score.size() + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(score.size(), (c + 1) * chunk); ++i)
      out[i] = key_of(score[i], mark[i]);
  });
  return out;
}

}  // namespace

Ordered order(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight, int threads) {
  Ordered out;
  if (weight.empty())
    score.visit([&](auto s) { out.fill(keys_in_order(s, mark, threads), threads); });  // the keys die here
  else
    out.fill_weighted(score, mark, weight, threads);
  out.finish(threads);
  return out;
}

Ordered gather(const Ordered& data, std::span<const std::size_t> cut) {
  assert(!cut.empty() && cut.back() <= data.groups());
  const std::size_t count = cut.size() - 1;
  std::vector<double> score(count);
  std::vector<std::uint64_t> mass(count), hits(count);
  u128 before = data.score_before(cut.front());
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t from = cut[c], to = cut[c + 1];
    const u128 after = data.score_before(to);
    mass[c] = data.mass_before(to) - data.mass_before(from);
    hits[c] = data.hits_before(to) - data.hits_before(from);
    const double mean = static_cast<double>(after - before) / (static_cast<double>(mass[c]) * score_scale);
    // The clamp keeps the mean among its scores, hence in its bin, whatever the rounding.
    score[c] = std::clamp(mean, data.score(from), data.score(to - 1));
    before = after;
  }
  return {std::move(score), mass, hits, data.unit()};
}

}  // namespace tare::detail::numeric
#endif
