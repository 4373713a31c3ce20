#include "tare/read/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "tare/read/memory.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

Error bad_gzip(const std::string& name, const std::string& what) {
  return {.code = Errc::bad_input,
          .what = what,
          .place = file_place(name),
          .remedy = "the file is cut short, damaged or not packed by gzip; copy or write it again"};
}

class Stream {
 public:
  Stream() { good_ = inflateInit2(&z_, 16 + MAX_WBITS) == Z_OK; }
  ~Stream() {
    if (good_) inflateEnd(&z_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  z_stream& operator*() { return z_; }
  [[nodiscard]] bool good() const { return good_; }

 private:
  z_stream z_{};
  bool good_ = false;
};

constexpr std::size_t most_at_once = std::numeric_limits<uInt>::max();

}  // namespace

bool begins_like_gzip(std::span<const std::byte> head) {
  return head.size() >= 2 && head[0] == std::byte{0x1f} && head[1] == std::byte{0x8b};
}

Result<Unpacked> gunzip(std::span<const std::byte> packed, const std::string& name) {
  if (!begins_like_gzip(packed)) return bad_gzip(name, "is not packed by gzip");
  constexpr std::size_t first = std::size_t{1} << 16, most_unasked = std::size_t{1} << 26;
  Stream stream;
  z_stream& z = *stream;
  const auto out = std::make_shared<std::vector<std::byte>>();
  std::size_t taken = 0, have = 0;
  for (int status = stream.good() ? Z_OK : Z_MEM_ERROR;;) {
    if (status == Z_STREAM_END && taken == packed.size()) break;
    if (status == Z_STREAM_END) status = inflateReset(&z);  // the next member
    if (status != Z_OK) return bad_gzip(name, "cannot be unpacked after " + std::to_string(have) + " bytes");
    if (have == out->size()) {
      const std::size_t wanted = std::max(first, 2 * have);
      if (wanted > most_unasked && wanted > usable_memory() / 2)
        return Error{.code = Errc::io,
                     .what = "unpacks to more than " + std::to_string(have) + " bytes, which memory cannot hold",
                     .place = file_place(name),
                     .remedy = "unpack it: tables that are not packed are read in pieces"};
      out->resize(wanted);
    }
    const std::size_t in = std::min(packed.size() - taken, most_at_once);
    const std::size_t room = std::min(out->size() - have, most_at_once);
    z.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data() + taken));
    z.avail_in = static_cast<uInt>(in);
    z.next_out = reinterpret_cast<Bytef*>(out->data() + have);
    z.avail_out = static_cast<uInt>(room);
    status = inflate(&z, Z_NO_FLUSH);
    taken += in - z.avail_in;
    have += room - z.avail_out;
    if (status == Z_BUF_ERROR && room > z.avail_out) status = Z_OK;  // it wants more room, and gets it
  }
  out->resize(have);
  return Unpacked{out, std::span<const std::byte>(*out)};
}

}  // namespace tare::inner::read
