// A file that is read, changed and put back, by one program at a time: others wait until it is there again, and go on
// from what it holds then. Where the file system has no locks, a change by another is still seen, and nothing is put
// over it.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "tare/core/result.hpp"

namespace tare::detail::write {

class Claim {
 public:
  // Of a file that may not be there yet. Made before it is read; held while this lives. Waits no longer than that.
  static Result<Claim> of(const std::string& path, std::chrono::milliseconds longest = std::chrono::minutes(10));
  Claim(Claim&& other) noexcept;
  Claim& operator=(Claim&&) = delete;
  ~Claim();

  // Calls put(), which replaces the file, unless it is no longer the one that was claimed.
  Result<bool> replace(const std::function<Result<bool>()>& put) const;

 private:
  explicit Claim(std::string path) : path_(std::move(path)) {}
  std::string path_;
  int file_ = -1;                         // locked; -1: there was none, or there are no locks
  std::optional<struct stat> seen_ = {};  // empty: there was none
};

}  // namespace tare::detail::write
