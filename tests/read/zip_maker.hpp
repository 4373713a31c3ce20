// Packed files for tests: gzip, and zip archives with members stored or deflated.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tare::detail::testing {

struct ZipEntry {
  std::string name = {};
  std::string content = {};
  std::uint16_t method = 8;
};

inline std::string little_bytes(std::uint64_t value, int width) {
  std::string out;
  for (int i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

// By zlib; `window` says with which frame.
inline std::string packed_by_zlib(const std::string& content, int window) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, content.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  z.avail_in = static_cast<uInt>(content.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}
inline std::string deflated(const std::string& content) { return packed_by_zlib(content, -MAX_WBITS); }
inline std::string gzipped(const std::string& content) { return packed_by_zlib(content, 16 + MAX_WBITS); }

inline std::string zip_of(const std::vector<ZipEntry>& entries) {
  std::string out, directory;
  for (const ZipEntry& e : entries) {
    const std::string packed = e.method == 8 ? deflated(e.content) : e.content;
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(e.content.data()), e.content.size());
    const std::string common = little_bytes(0, 2) + little_bytes(e.method, 2) + little_bytes(0, 4) +
                               little_bytes(crc, 4) + little_bytes(packed.size(), 4) +
                               little_bytes(e.content.size(), 4) + little_bytes(e.name.size(), 2) + little_bytes(0, 2);
    directory += "PK\x01\x02" + little_bytes(20, 2) + little_bytes(20, 2) + common + little_bytes(0, 10) +
                 little_bytes(out.size(), 4) + e.name;
    out += "PK\x03\x04" + little_bytes(20, 2) + common + e.name + packed;
  }
  return out + directory + "PK\x05\x06" + little_bytes(0, 4) + little_bytes(entries.size(), 2) +
         little_bytes(entries.size(), 2) + little_bytes(directory.size(), 4) + little_bytes(out.size(), 4) +
         little_bytes(0, 2);
}

}  // namespace tare::detail::testing
