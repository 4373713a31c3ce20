// Texts of .npy files: a fixed number of letters each, filled up with zeros; bytes (|S3) or UTF-32 (<U3).
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "tare/read/npy.hpp"
#include "tare/read/text.hpp"
#include "tare/read/word_column.hpp"

namespace tare::inner::read {
namespace {

std::uint32_t swapped(std::uint32_t x) { return x << 24 | (x & 0xFF00U) << 8 | (x >> 8 & 0xFF00U) | x >> 24; }

std::string text_at(const Array& a, std::size_t i) {
  const std::byte* const from = a.data + i * a.width * size_of(a.dtype);
  std::string out;
  if (a.dtype == DType::bytes) {
    out.assign(reinterpret_cast<const char*>(from), a.width);
    out.resize(out.find_last_not_of('\0') + 1);
    return out;
  }
  for (std::size_t c = 0; c < a.width; ++c) {
    std::uint32_t letter = 0;
    std::memcpy(&letter, from + 4 * c, 4);
    if (letter == 0) break;
    put_utf8(a.swapped ? swapped(letter) : letter, out);
  }
  return out;
}

}  // namespace

Array words_of(Array a) {
  if (a.dtype != DType::bytes && a.dtype != DType::utf32) return a;
  WordColumn words;
  for (std::size_t i = 0; i < a.items(); ++i) words.add(text_at(a, i));
  return std::move(words).put_into(std::move(a));
}

}  // namespace tare::inner::read
