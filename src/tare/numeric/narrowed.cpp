#include "tare/numeric/narrowed.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "tare/numeric/parallel.hpp"

namespace tare::detail::numeric {
namespace {

// The bits that an index does not have.
template <class From>
std::make_unsigned_t<From> beyond(From x) {
  using Bits = std::make_unsigned_t<From>;
  if constexpr (std::is_signed_v<From>)
    return static_cast<Bits>(x ^ static_cast<From>(static_cast<std::int32_t>(x)));
  else
    return sizeof(From) < 4 ? Bits{0}
                            : static_cast<Bits>(x & ~static_cast<Bits>(std::numeric_limits<std::int32_t>::max()));
}

// Without an exit and of fixed length, so that the compiler makes vectors of it. The bits of all numbers together:
// where those of an index are all there is, every number is one.
constexpr std::size_t narrow_size = 256;
template <class From>
std::make_unsigned_t<From> narrow_block(const From* from, std::int32_t* to) {
  using Bits = std::make_unsigned_t<From>;
  Bits any = 0;
  for (std::size_t i = 0; i < narrow_size; ++i) {
    to[i] = static_cast<std::int32_t>(from[i]);
    any |= static_cast<Bits>(from[i]);
  }
  return any;
}

template <class From>
bool narrow(std::span<const From> from, std::int32_t* to) {
  using Bits = std::make_unsigned_t<From>;
  Bits any = 0;
  std::size_t i = 0;
  for (; i + narrow_size <= from.size(); i += narrow_size) any |= narrow_block(from.data() + i, to + i);
  for (; i < from.size(); ++i) {
    to[i] = static_cast<std::int32_t>(from[i]);
    any |= static_cast<Bits>(from[i]);
  }
  constexpr auto largest = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::uint64_t>(any) <= static_cast<std::uint64_t>(largest) ||
         std::none_of(from.begin(), from.end(), [](From x) { return beyond(x) != 0; });
}

}  // namespace

template <class From>
std::size_t narrowed(std::span<const From> from, std::int32_t* out, int threads) {
  constexpr std::size_t chunk = std::size_t{1} << 17, many = std::size_t{1} << 21;  // fewer are done before a thread is
  std::vector<std::uint8_t> fits((from.size() + chunk - 1) / chunk);
  parallel_for(fits.size(), from.size() < many ? 1 : threads, [&](std::size_t c) {
    const std::size_t first = c * chunk;
    fits[c] = narrow(from.subspan(first, std::min(chunk, from.size() - first)), out + first);
  });
  if (std::find(fits.begin(), fits.end(), 0) == fits.end()) return from.size();
  return static_cast<std::size_t>(std::find_if(from.begin(), from.end(), [](From x) { return beyond(x) != 0; }) -
                                  from.begin());
}

template std::size_t narrowed(std::span<const std::int8_t>, std::int32_t*, int);
template std::size_t narrowed(std::span<const std::int16_t>, std::int32_t*, int);
template std::size_t narrowed(std::span<const std::int32_t>, std::int32_t*, int);
template std::size_t narrowed(std::span<const std::int64_t>, std::int32_t*, int);
template std::size_t narrowed(std::span<const std::uint8_t>, std::int32_t*, int);
template std::size_t narrowed(std::span<const std::uint16_t>, std::int32_t*, int);
template std::size_t narrowed(std::span<const std::uint32_t>, std::int32_t*, int);
template std::size_t narrowed(std::span<const std::uint64_t>, std::int32_t*, int);

}  // namespace tare::detail::numeric
