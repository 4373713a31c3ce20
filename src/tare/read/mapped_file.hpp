// The bytes of a file: mapped where the system can, read into memory where it cannot (pipes).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::read {

class MappedFile {
 public:
  // "-" is standard input.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  MappedFile() = default;
  Result<bool> load(int descriptor, const std::string& path);

  std::span<const std::byte> bytes_;
  void* mapping_ = nullptr;
  std::vector<std::byte> buffer_;  // for what cannot be mapped
};

}  // namespace tare::read
