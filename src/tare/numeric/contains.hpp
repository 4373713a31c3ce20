// Is there such a number among many? Blocks are looked at without an exit inside, so that the compiler makes vectors of
// the loop: where there is none, which is the rule, it costs one plain pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace tare::detail::numeric {

// wanted(x) for some x; of comparisons joined by & and |, which are no branches.
template <class T, class Wanted>
bool any_is(std::span<const T> values, const Wanted& wanted) {
  using Flag = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;  // as wide as the numbers
  constexpr std::size_t block = 256;
  const T* x = values.data();
  const T* const end = x + values.size();
  for (; static_cast<std::size_t>(end - x) >= block; x += block) {
    Flag any = 0;
    for (std::size_t i = 0; i < block; ++i) any |= static_cast<Flag>(wanted(x[i]));
    if (any) return true;
  }
  return std::any_of(x, end, wanted);
}

// bits(x), a whole number, has its highest bit set for some x.
template <class T, class Bits>
bool any_has_highest_bit(std::span<const T> values, const Bits& bits) {
  using Whole = decltype(bits(T{}));
  constexpr Whole highest = Whole{1} << (8 * sizeof(Whole) - 1);
  constexpr std::size_t block = 256;
  const T* x = values.data();
  const T* const end = x + values.size();
  for (; static_cast<std::size_t>(end - x) >= block; x += block) {
    Whole any = 0;
    for (std::size_t i = 0; i < block; ++i) any |= bits(x[i]);
    if (any & highest) return true;
  }
  return std::any_of(x, end, [&](T y) { return (bits(y) & highest) != 0; });
}

}  // namespace tare::detail::numeric
