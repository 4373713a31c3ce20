// Whole numbers as bytes, the low one first: the same on every machine.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tare::inner::state {

template <class Whole>
void put(Whole x, std::string& to) {
  for (std::size_t i = 0; i < sizeof(Whole); ++i) to += static_cast<char>(static_cast<unsigned char>(x >> (8 * i)));
}

template <class Whole>
Whole taken(std::string_view bytes, std::size_t at) {
  Whole out = 0;
  for (std::size_t i = sizeof(Whole); i > 0; --i)
    out = static_cast<Whole>(out << 8 | static_cast<unsigned char>(bytes[at + i - 1]));
  return out;
}

}  // namespace tare::inner::state
