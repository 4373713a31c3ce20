#include "tare/numeric/radix_sort.hpp"

#include <algorithm>

namespace tare::numeric {
namespace {

template <class Key, class Score>
Keys<Key> sorted(std::span<const Score> score, std::span<const std::uint8_t> mark) {
  Keys<Key> keys(score.size());
  for (std::size_t i = 0; i < score.size(); ++i) keys[i] = key_of(score[i], mark[i]);
  std::sort(keys.data(), keys.data() + keys.size());
  return keys;
}

}  // namespace

Keys<std::uint32_t> sorted_keys(std::span<const float> score, std::span<const std::uint8_t> mark, int /*threads*/) {
  return sorted<std::uint32_t>(score, mark);
}
Keys<std::uint64_t> sorted_keys(std::span<const double> score, std::span<const std::uint8_t> mark, int /*threads*/) {
  return sorted<std::uint64_t>(score, mark);
}

}  // namespace tare::numeric
