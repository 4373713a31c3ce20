#include "tare/numeric/order.hpp"

#include <algorithm>
#include <numeric>

#include "tare/numeric/radix_sort.hpp"

namespace tare::numeric {

Ordered::Ordered(std::vector<double> score, std::span<const std::uint64_t> mass,
                 std::span<const std::uint64_t> marked, std::uint64_t unit)
    : score_(std::move(score)), unit_(unit) {
  mass_.resize(score_.size() + 1);
  for (std::size_t g = 0; g < score_.size(); ++g) mass_[g + 1] = mass_[g] + mass[g];
  set_hits(marked);
  finish();
}

void Ordered::set_hits(std::span<const std::uint64_t> marked) {
  hits_.resize(score_.size() + 1);
  for (std::size_t g = 0; g < score_.size(); ++g) hits_[g + 1] = hits_[g] + marked[g];
}

void Ordered::finish() {
  score_total_.resize(groups() / block + 1);
  u128 total = 0;
  for (std::size_t g = 0; g < groups(); ++g) {
    if (g % block == 0) score_total_[g / block] = total;
    total += static_cast<u128>(to_fixed(score_[g])) * mass(g);
  }
  if (groups() % block == 0) score_total_[groups() / block] = total;
}

u128 Ordered::score_before(std::size_t g) const {
  u128 total = score_total_[g / block];
  for (std::size_t i = g / block * block; i < g; ++i) total += static_cast<u128>(to_fixed(score_[i])) * mass(i);
  return total;
}

std::uint64_t mass_unit(std::span<const double> weight) {
  const bool whole = std::all_of(weight.begin(), weight.end(), [](double w) { return w == std::floor(w); });
  return whole ? 1 : std::uint64_t{1} << 20;
}

Ordered order(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight, int threads) {
  Ordered out;
  const std::size_t n = mark.size();
  const auto push = [&](double s, std::uint64_t m, std::uint64_t h) {
    if (m == 0) return;
    if (out.score_.empty() || s != out.score_.back()) {
      out.score_.push_back(s);
      out.mass_.push_back(out.mass_.back());
      out.hits_.push_back(out.hits_.back());
    }
    out.mass_.back() += m;
    out.hits_.back() += h;
  };
  if (weight.empty()) {
    // The mark rides in the lowest bit of the key, below the score's own bits.
    score.visit([&](auto s) {
      const auto keys = sorted_keys(s, mark, threads);
      std::size_t distinct = n > 0 ? 1 : 0;
      for (std::size_t i = 1; i < n; ++i) distinct += (keys[i] >> 1) != (keys[i - 1] >> 1);
      out.score_.reserve(distinct);
      out.mass_.reserve(distinct + 1);
      out.hits_.reserve(distinct + 1);
      for (std::size_t i = 0; i < n; ++i) push(score_of(keys[i]), 1, keys[i] & 1);
    });
  } else {
    out.unit_ = mass_unit(weight);
    std::vector<std::size_t> rows(n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    score.visit([&](auto s) {
      std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return s[a] < s[b]; });
      for (const std::size_t i : rows) {
        const std::uint64_t m = to_mass(weight[i], out.unit_);
        push(std::abs(static_cast<double>(s[i])), m, mark[i] ? m : 0);
      }
    });
  }
  out.finish();
  return out;
}

}  // namespace tare::numeric
