#include "tare/read/zip.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <unordered_set>

#include <zlib.h>

#include "tare/read/mapped_file.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t end_size = 22, locator_size = 20, end64_size = 56, entry_size = 46, local_size = 30;
constexpr std::uint32_t end_magic = 0x06054b50, locator_magic = 0x07064b50, end64_magic = 0x06064b50,
                        entry_magic = 0x02014b50, local_magic = 0x04034b50;

std::uint64_t little(Bytes b, std::size_t at, std::size_t width) {
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < width; ++i) v |= std::to_integer<std::uint64_t>(b[at + i]) << (8 * i);
  return v;
}
std::uint16_t u16(Bytes b, std::size_t at) { return static_cast<std::uint16_t>(little(b, at, 2)); }
std::uint32_t u32(Bytes b, std::size_t at) { return static_cast<std::uint32_t>(little(b, at, 4)); }
std::uint64_t u64(Bytes b, std::size_t at) { return little(b, at, 8); }

std::string name_text(Bytes b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }

Error damaged(const std::string& name, const std::string& what) {
  return bad_file(name, what, "the archive is cut short or damaged; write or copy it again");
}

struct Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
};

// The end record sits at the end of the file, before a comment of at most 65535 bytes.
std::optional<std::size_t> find_end(Bytes archive) {
  if (archive.size() < end_size) return std::nullopt;
  const std::size_t last = archive.size() - end_size;
  for (std::size_t back = 0; back <= std::min<std::size_t>(last, 65535); ++back)
    if (u32(archive, last - back) == end_magic && u16(archive, last - back + 20) == back) return last - back;
  return std::nullopt;
}

Result<Directory> find_directory(Bytes archive, const std::string& name) {
  const auto end = find_end(archive);
  if (!end) {
    if (const auto zip = check_zip_magic(archive, name); !zip) return zip.error();
    return damaged(name, "has no end-of-directory record");
  }
  Directory d{u32(archive, *end + 16), u32(archive, *end + 12), u16(archive, *end + 10)};
  std::size_t stop = *end;
  if (*end >= locator_size && u32(archive, *end - locator_size) == locator_magic) {
    const std::uint64_t at = u64(archive, *end - locator_size + 8);
    stop = *end - locator_size;
    if (stop < end64_size || at > stop - end64_size || u32(archive, at) != end64_magic)
      return damaged(name, "points to a zip64 record at byte " + std::to_string(at) + " that is not there");
    d = {u64(archive, at + 48), u64(archive, at + 40), u64(archive, at + 32)};
    stop = at;
  }
  if (d.offset > stop || d.size > stop - d.offset)
    return damaged(name, "claims a directory of " + std::to_string(d.size) + " bytes at byte " +
                             std::to_string(d.offset) + ", but has " + std::to_string(archive.size()) + " bytes");
  return d;
}

// The zip64 extra field holds, in this order, those of the three that are all ones in the entry.
bool read_zip64(Bytes extra, ZipMember& m) {
  const auto needs = [](std::uint64_t v) { return v == 0xffffffffU; };
  if (!needs(m.unpacked) && !needs(m.packed) && !needs(m.offset)) return true;
  while (extra.size() >= 4) {
    const std::size_t size = u16(extra, 2);
    if (size > extra.size() - 4) return false;
    if (u16(extra, 0) == 1) {
      Bytes field = extra.subspan(4, size);
      for (std::uint64_t* value : {&m.unpacked, &m.packed, &m.offset}) {
        if (!needs(*value)) continue;
        if (field.size() < 8) return false;
        *value = u64(field, 0);
        field = field.subspan(8);
      }
      return true;
    }
    extra = extra.subspan(4 + size);
  }
  return true;  // really 2^32 - 1 bytes, says the entry: the checks below decide
}

// A z_stream that cleans up after itself. zlib counts in 32 bits, so both ends are fed in pieces.
class Inflater {
 public:
  explicit Inflater(Bytes in) : in_(in) { ok_ = inflateInit2(&z_, -MAX_WBITS) == Z_OK; }
  ~Inflater() {
    if (ok_) inflateEnd(&z_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills `out` as far as the stream goes; the number of bytes written, or nothing on bad data.
  std::optional<std::size_t> fill(std::span<std::byte> out) {
    constexpr std::size_t piece = std::size_t{1} << 30;
    std::size_t done = 0;
    while (ok_ && !ended_ && done < out.size()) {
      const auto give = static_cast<uInt>(std::min(piece, in_.size()));
      const auto room = static_cast<uInt>(std::min(piece, out.size() - done));
      // zlib's interface is not const-correct; it does not write to its input.
      z_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in_.data()));
      z_.avail_in = give;
      z_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
      z_.avail_out = room;
      const int status = inflate(&z_, Z_NO_FLUSH);
      in_ = in_.subspan(give - z_.avail_in);
      done += room - z_.avail_out;
      ended_ = status == Z_STREAM_END;
      if (status == Z_BUF_ERROR) break;  // the input ends here
      if (status != Z_OK && !ended_) return std::nullopt;
    }
    return ok_ ? std::optional(done) : std::nullopt;
  }
  // After a full buffer: is there more than was promised?
  bool more() {
    std::byte extra{};
    const auto got = fill({&extra, 1});
    return !got || *got > 0 || !ended_;
  }

 private:
  z_stream z_{};
  Bytes in_;
  bool ok_ = false;
  bool ended_ = false;
};

Error bad_stream(const std::string& name) { return damaged(name, "the compressed data are not valid"); }

}  // namespace

Result<bool> check_zip_magic(Bytes head, const std::string& name) {
  const std::string start = name_text(head.first(std::min<std::size_t>(head.size(), 6)));
  if (start.starts_with("PK")) return true;
  return bad_file(name, "is not a zip archive",
                  start == "\x93NUMPY" ? "it is a single array: name it .npy" : "write it with np.savez");
}

Result<std::vector<ZipMember>> zip_directory(Bytes archive, const std::string& name) {
  const auto directory = find_directory(archive, name);
  if (!directory) return directory.error();
  Bytes rest = archive.subspan(directory->offset, directory->size);
  std::vector<ZipMember> out;
  std::unordered_set<std::string> seen;
  while (!rest.empty()) {
    if (rest.size() < entry_size || u32(rest, 0) != entry_magic)
      return damaged(name, "entry " + std::to_string(out.size()) + " of its directory is not valid");
    const std::size_t name_size = u16(rest, 28), extra_size = u16(rest, 30), comment_size = u16(rest, 32);
    const std::size_t size = entry_size + name_size + extra_size + comment_size;
    if (size > rest.size())
      return damaged(name, "entry " + std::to_string(out.size()) + " of its directory is cut short");
    ZipMember m{.name = name_text(rest.subspan(entry_size, name_size)),
                .flags = u16(rest, 8),
                .method = u16(rest, 10),
                .crc = u32(rest, 16),
                .packed = u32(rest, 20),
                .unpacked = u32(rest, 24),
                .offset = u32(rest, 42),
                .limit = directory->offset};
    if (!read_zip64(rest.subspan(entry_size + name_size, extra_size), m))
      return damaged(name, "the zip64 sizes of '" + m.name + "' are cut short");
    if (!seen.insert(m.name).second)
      return bad_file(name, "holds two members named " + read::quoted(m.name),
                      "write it again with np.savez; names must differ");
    out.push_back(std::move(m));
    rest = rest.subspan(size);
  }
  if (out.size() != directory->entries)
    return damaged(name,
                   "claims " + std::to_string(directory->entries) + " members but lists " + std::to_string(out.size()));
  return out;
}

Result<Bytes> zip_raw(Bytes archive, const ZipMember& m, const std::string& name) {
  if (m.flags & 1) return bad_file(name, "is encrypted", "write the archive without a password", Errc::unsupported);
  if (m.method != 0 && m.method != 8)
    return bad_file(name, "compression method " + std::to_string(m.method) + " is not supported",
                    "write it with np.savez or np.savez_compressed", Errc::unsupported);
  if (m.limit < local_size || m.offset > m.limit - local_size || u32(archive, m.offset) != local_magic)
    return damaged(name, "should begin at byte " + std::to_string(m.offset) + " of the archive but does not");
  const std::size_t name_size = u16(archive, m.offset + 26);
  const std::uint64_t start = m.offset + local_size + name_size + u16(archive, m.offset + 28);
  if (start > m.limit || m.packed > m.limit - start)
    return damaged(name, "claims " + std::to_string(m.packed) + " bytes at byte " + std::to_string(m.offset) +
                             ", but the archive has " + std::to_string(archive.size()));
  if (name_text(archive.subspan(m.offset + local_size, name_size)) != m.name)
    return damaged(name, "has another name in the archive than in its directory");
  if (m.method == 0 && m.packed != m.unpacked)
    return damaged(name,
                   "is stored in " + std::to_string(m.packed) + " bytes but claims " + std::to_string(m.unpacked));
  // Deflate cannot shrink by more than 1032 (zlib's technical notes), so a larger claim is a lie.
  if (m.method == 8 && m.unpacked / 1032 > m.packed)
    return damaged(name, "claims that " + std::to_string(m.packed) + " bytes unpack to " + std::to_string(m.unpacked));
  return archive.subspan(start, m.packed);
}

Result<std::vector<std::byte>> inflate_head(Bytes raw, const ZipMember& m, std::size_t limit, const std::string& name) {
  std::vector<std::byte> out(static_cast<std::size_t>(std::min<std::uint64_t>(limit, m.unpacked)));
  const auto got = Inflater(raw).fill(out);
  if (!got) return bad_stream(name);
  if (*got < out.size())
    return damaged(name, "claims " + std::to_string(m.unpacked) + " bytes but unpacks to " + std::to_string(*got));
  return out;
}

Result<Unpacked> inflate_all(Bytes raw, const ZipMember& m, const std::string& name) {
  constexpr auto alignment = std::align_val_t{64};
  const bool fits = m.unpacked < (std::uint64_t{1} << 26) || m.unpacked < usable_memory();
  auto* const memory = fits ? static_cast<std::byte*>(::operator new(m.unpacked, alignment, std::nothrow)) : nullptr;
  if (!memory)
    return bad_file(name, "needs " + std::to_string(m.unpacked) + " bytes of memory, which are not to be had",
                    "save the array on its own with np.save: .npy files are mapped, not loaded", Errc::io);
  Unpacked out{std::shared_ptr<const void>(memory, [](void* p) { ::operator delete(p, alignment); }),
               {memory, m.unpacked}};
  Inflater stream(raw);
  const auto got = stream.fill({memory, m.unpacked});
  if (!got) return bad_stream(name);
  if (*got < m.unpacked || stream.more())
    return damaged(name, "claims " + std::to_string(m.unpacked) + " bytes but unpacks to " +
                             (*got < m.unpacked ? std::to_string(*got) : std::string("something else")));
  if (const auto intact = check_crc(out.bytes, m, name); !intact) return intact.error();
  return out;
}

Result<bool> check_crc(Bytes bytes, const ZipMember& m, const std::string& name) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // a fuzzer cannot guess checksums
  return true;
#endif
  if (crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != m.crc)
    return damaged(name, "its checksum does not match");
  return true;
}

}  // namespace tare::detail::read
