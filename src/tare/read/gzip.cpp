// What gzip packed: one member, or several one after the other. https://www.rfc-editor.org/rfc/rfc1952
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>

#include "tare/read/mapped_file.hpp"
#include "tare/read/text.hpp"
#include "tare/read/zip.hpp"

namespace tare::detail::read {
namespace {

Error bad_gzip(const std::string& name, const std::string& what) {
  return bad_file(name, what, "the file is cut short, damaged or not packed by gzip; copy or write it again");
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

Result<bool> check_gzip_magic(std::span<const std::byte> head, bool all, const std::string& name) {
  if (head.size() < 2 && !all) return false;
  if (begins_like_gzip(head)) return true;
  return bad_gzip(name, "is not packed by gzip");
}

namespace {

// Grows without being touched: pages that nothing was written to are not there, and the system moves large blocks by
// their addresses.
class Growing {
 public:
  Growing() = default;
  ~Growing() { std::free(bytes_); }
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;

  bool grow_to(std::size_t size) {
    auto* const moved = static_cast<std::byte*>(std::realloc(bytes_, size));
    if (!moved) return false;
    bytes_ = moved;
    size_ = size;
    return true;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* data() const { return bytes_; }

 private:
  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

constexpr std::size_t most_unasked = std::size_t{1} << 26;
constexpr std::size_t small = std::size_t{1} << 28;
constexpr std::size_t most_ratio = 200;  // tables of numbers are packed to a half or a tenth

Error too_large(const std::string& name, std::size_t have) {
  return bad_file(name, "unpacks to more than " + std::to_string(have) + " bytes, which memory cannot hold",
                  "unpack it: tables that are not packed are read in pieces", Errc::io);
}

Result<void> check_ratio(std::size_t have, std::size_t taken, const std::string& name) {
  if (have <= small || have / most_ratio <= taken) return {};
  return bad_file(name,
                  std::to_string(taken) + " bytes unpack to more than " + std::to_string(have) +
                      ", to which no predictions are packed",
                  "if these are predictions, unpack the file with gunzip");
}

// Room for more, half as much again.
Result<void> make_room(Growing& out, std::size_t have, const std::string& name) {
  constexpr std::size_t first = std::size_t{1} << 16;
  const std::size_t wanted = std::max(first, have + have / 2);
  if (wanted > most_unasked && wanted - have > usable_memory() / 2) return too_large(name, have);
  if (!out.grow_to(wanted)) return too_large(name, have);
  return {};
}

}  // namespace

Result<Unpacked> gunzip(std::span<const std::byte> packed, const std::string& name) {
  if (!begins_like_gzip(packed)) return bad_gzip(name, "is not packed by gzip");
  Stream stream;
  z_stream& z = *stream;
  const auto out = std::make_shared<Growing>();
  std::size_t taken = 0, have = 0;
  for (int status = stream.good() ? Z_OK : Z_MEM_ERROR;;) {
    if (status == Z_STREAM_END && taken == packed.size()) break;
    if (status == Z_STREAM_END) status = inflateReset(&z);  // the next member
    if (status != Z_OK) return bad_gzip(name, "cannot be unpacked after " + std::to_string(have) + " bytes");
    if (have == out->size())
      if (const auto room = make_room(*out, have, name); !room) return room.error();
    const std::size_t in = std::min(packed.size() - taken, most_at_once);
    const std::size_t room = std::min(out->size() - have, most_unasked);
    z.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data() + taken));
    z.avail_in = static_cast<uInt>(in);
    z.next_out = reinterpret_cast<Bytef*>(out->data() + have);
    z.avail_out = static_cast<uInt>(room);
    status = inflate(&z, Z_NO_FLUSH);
    taken += in - z.avail_in;
    have += room - z.avail_out;
    if (const auto fine = check_ratio(have, taken, name); !fine) return fine.error();
    if (status == Z_BUF_ERROR && room > z.avail_out) status = Z_OK;  // it wants more room, and gets it
  }
  return Unpacked{out, {out->data(), have}};
}

}  // namespace tare::detail::read
