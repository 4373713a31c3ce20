// The .npy format, versions 1 to 3: a magic string, a Python dict literal that names element
// type, order and shape, and the raw numbers.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
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

// Longer headers exist only for arrays of records, which are not predictions.
inline constexpr std::size_t npy_header_limit = 65536;

struct NpyHeader {
  Array array;             // no data yet
  std::size_t offset = 0;  // where the numbers begin
  std::size_t bytes = 0;   // and how many bytes they take
};

// Does it begin like one? `head` is at least six bytes, or the whole file.
Result<bool> check_npy_magic(std::span<const std::byte> head, const std::string& name);

// `total` is the size of the whole file, of which `head` is the beginning: everything, or at
// least npy_header_limit + 12 bytes of it.
Result<NpyHeader> npy_header(std::span<const std::byte> head, std::size_t total, const std::string& name);

// The array points into `bytes`, which `owner` keeps alive. Nothing is copied, except that texts become words.
Result<Array> parse_npy(std::span<const std::byte> bytes, const std::string& name,
                        std::shared_ptr<const void> owner = {});

// Texts of a fixed width as words; any other array as it is.
Array words_of(Array array);

// The .npz format: a zip archive of .npy files, one per array.
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
