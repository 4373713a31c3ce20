// What gzip packed: one member, or several one after the other. https://www.rfc-editor.org/rfc/rfc1952
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tare/core/result.hpp"
#include "tare/read/zip.hpp"

namespace tare::detail::read {

bool begins_like_gzip(std::span<const std::byte> head);

// For what comes piece by piece (see HeadCheck): false where more has to come before it can be told.
Result<bool> check_gzip_magic(std::span<const std::byte> head, bool all, const std::string& name);

// All of it, with its checksums, as long as memory can hold it.
Result<Unpacked> gunzip(std::span<const std::byte> packed, const std::string& name);

}  // namespace tare::detail::read
