// The .npz format: a zip archive of .npy files, one per array.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/read/array.hpp"
#include "tare/read/zip.hpp"

namespace tare::detail::read {

class Npz {
 public:
  // `bytes` stay where they are, kept alive by `owner`; only the directory is read.
  static Result<Npz> open(std::span<const std::byte> bytes, const std::string& name,
                          std::shared_ptr<const void> owner = {});

  // The arrays' names, without ".npy", in the order of the archive.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  // What the array's own header says of it: no data.
  [[nodiscard]] Result<Array> head(std::size_t index) const;

  // One array. A stored one stays where it is; a deflated one is unpacked into memory.
  [[nodiscard]] Result<Array> read(std::size_t index) const;

 private:
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
  std::string name_;
  std::vector<std::string> names_;
  std::vector<ZipMember> members_;  // one per name
};

}  // namespace tare::detail::read
