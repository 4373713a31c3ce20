// Whole numbers as bytes, the low one first: the same on every machine.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tare::detail::state {

// Numbers of 256 bits have no size of their own.
template <class Whole>
constexpr std::size_t bytes_of_number(const Whole&) {
  return sizeof(Whole) > 16 ? 32 : sizeof(Whole);
}

template <class Whole>
void put(const Whole& x, std::string& to) {
  for (std::size_t i = 0; i < bytes_of_number(x); ++i)
    to += static_cast<char>(static_cast<unsigned char>((x >> (8 * i)) & 0xFF));
}

// The number at the front, which goes.
template <class Whole>
void take(Whole& x, std::string_view& from) {
  x = 0;
  for (std::size_t i = bytes_of_number(x); i > 0; --i)
    x = static_cast<Whole>(x << 8 | static_cast<unsigned char>(from[i - 1]));
  from.remove_prefix(bytes_of_number(x));
}

inline std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// Ends bytes with the CRC of all that is there.
inline void seal(std::string& bytes) { put(crc_of(bytes), bytes); }

}  // namespace tare::detail::state
