// The bytes of a file: mapped where the system can, read into memory where it cannot (pipes). A mapped file that
// another program cuts short meanwhile raises SIGBUS where the lost bytes are touched; the program `tare` makes that an
// error.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::detail::read {

// Looks at the beginning of what comes through a pipe, at all that has come so far: true when it has seen enough, false
// to be asked again when there is more. `all`: there will be no more.
using HeadCheck = std::function<Result<bool>(std::span<const std::byte> head, bool all)>;

class MappedFile {
 public:
  // "-" is standard input. Devices are refused, a pipe nobody writes to is, and so is more than memory can hold.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path, const HeadCheck& check = {});
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  MappedFile() = default;
  Result<bool> load(int descriptor, const std::string& path, const HeadCheck& check);
  Result<bool> read_pipe(int descriptor, const std::string& path, const HeadCheck& check, bool named);

  std::span<const std::byte> bytes_;
  void* mapping_ = nullptr;
  int noted_ = -1;                 // see mapped_file_at
  std::vector<std::byte> buffer_;  // for what cannot be mapped
};

// The name of the mapped file that this address belongs to, clean to be shown, or null. Safe in a signal handler.
const char* mapped_file_at(const void* address) noexcept;

// How much memory may be asked for now: what the system has, and what this process may take.
std::size_t usable_memory();

}  // namespace tare::detail::read
