// A reader of zip archives: the central directory, zip64, members stored or deflated.
// Every offset and size in the file is taken for a lie until checked against the bytes there.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::detail::read {

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;    // bytes in the archive
  std::uint64_t unpacked = 0;  // bytes it claims to give
  std::uint64_t offset = 0;    // of its local header
  std::uint64_t limit = 0;     // where the central directory begins; no member reaches past it
};

// Does it begin like one? `head` is at least six bytes, or the whole file.
Result<bool> check_zip_magic(std::span<const std::byte> head, const std::string& name);

// The members in the order of the central directory; duplicate names are refused.
Result<std::vector<ZipMember>> zip_directory(std::span<const std::byte> archive, const std::string& name);

// The member's bytes as they lie in the archive, packed or not.
Result<std::span<const std::byte>> zip_raw(std::span<const std::byte> archive, const ZipMember& member,
                                           const std::string& name);

struct Unpacked {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

// The first min(limit, member.unpacked) bytes of a deflated member.
Result<std::vector<std::byte>> inflate_head(std::span<const std::byte> raw, const ZipMember& member, std::size_t limit,
                                            const std::string& name);
// All of it: exactly member.unpacked bytes with the promised checksum, or an error.
Result<Unpacked> inflate_all(std::span<const std::byte> raw, const ZipMember& member, const std::string& name);

Result<bool> check_crc(std::span<const std::byte> bytes, const ZipMember& member, const std::string& name);

// What gzip packed: one member, or several one after the other. https://www.rfc-editor.org/rfc/rfc1952

bool begins_like_gzip(std::span<const std::byte> head);

// For what comes piece by piece (see HeadCheck): false where more has to come before it can be told.
Result<bool> check_gzip_magic(std::span<const std::byte> head, bool all, const std::string& name);

// All of it, with its checksums, as long as memory can hold it.
Result<Unpacked> gunzip(std::span<const std::byte> packed, const std::string& name);

}  // namespace tare::detail::read
