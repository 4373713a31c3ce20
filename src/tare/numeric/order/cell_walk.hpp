// Rows counted in cells of the score, of which only the wanted ones are seen row by row: what equal-mass bins and
// isotonic regression of unsorted rows share. They differ in their cells, in what they count and in what they want.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tare/numeric/order/radix_sort.hpp"

namespace tare::detail::numeric {

// rows(c): how many are in cell c.
template <class Rows>
std::size_t wanted_rows(const std::vector<std::uint8_t>& wanted, const Rows& rows) {
  std::size_t out = 0;
  for (std::size_t c = 0; c < wanted.size(); ++c) out += wanted[c] ? rows(c) : 0;
  return out;
}

template <class Key>
Keys<Key> sorted(const std::vector<Key>& keys, int threads) {
  return radix_sorted<Key>(
      keys.size(), [&](std::size_t i) { return keys[i]; }, [](Key k) { return k; }, threads);
}

// Calls group(score, rows, hits) for the equal scores among sorted keys.
template <class Key, class Group>
void for_groups(const Keys<Key>& keys, std::size_t from, std::size_t end, const Group& group) {
  for (std::size_t i = from; i < end; from = i) {
    std::size_t hits = 0;
    for (; i < end && (keys[i] ^ keys[from]) <= 1; ++i) hits += keys[i] & 1;  // the last bit is the mark
    group(score_of(keys[from]), i - from, hits);
  }
}

// In ascending order: whole(c) for a cell that is not wanted, group() for the rows of one that is. keys: those of the
// wanted cells, sorted.
template <class Key, class Rows, class Whole, class Group>
void walk_cells(const std::vector<std::uint8_t>& wanted, const Keys<Key>& keys, const Rows& rows, const Whole& whole,
                const Group& group) {
  std::size_t at = 0;
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    const std::size_t here = rows(c);
    if (here == 0) continue;
    if (!wanted[c]) {
      whole(c);
      continue;
    }
    for_groups(keys, at, at + here, group);
    at += here;
  }
  assert(at == keys.size());
}

}  // namespace tare::detail::numeric
