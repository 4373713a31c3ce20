#include "tare/numeric/order/radix_sort.hpp"

namespace tare::inner::numeric {
namespace {

template <class Key, class Score>
Keys<Key> sorted(std::span<const Score> score, std::span<const std::uint8_t> mark, int threads) {
  return radix_sorted<Key>(
      score.size(), [&](std::size_t i) { return key_of(score[i], mark[i]); }, [](Key k) { return k; }, threads);
}

}  // namespace

Keys<std::uint32_t> sorted_keys(std::span<const float> score, std::span<const std::uint8_t> mark, int threads) {
  return sorted<std::uint32_t>(score, mark, threads);
}
Keys<std::uint64_t> sorted_keys(std::span<const double> score, std::span<const std::uint8_t> mark, int threads) {
  return sorted<std::uint64_t>(score, mark, threads);
}

}  // namespace tare::inner::numeric
