#include "tare/read/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace tare::inner::read {
namespace {

// The number after `word` in a file of the kernel, or the first one.
std::optional<std::size_t> number_in(const char* path, const std::string& word = {}) {
  std::ifstream file(path);
  std::string key;
  std::size_t value = 0;
  if (word.empty()) return file >> value ? std::optional(value) : std::nullopt;
  while (file >> key)
    if (key == word && file >> value) return value;
  return std::nullopt;
}

}  // namespace

std::size_t usable_memory() {
  std::size_t out = std::numeric_limits<std::size_t>::max();
  if (const auto kib = number_in("/proc/meminfo", "MemAvailable:")) {
    out = *kib * 1024;
  } else if (const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE); pages > 0 && size > 0) {
    out = static_cast<std::size_t>(pages) * static_cast<std::size_t>(size);
  }
  const auto most = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  if (most && used) out = std::min(out, *most - std::min(*most, *used));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    out = std::min<std::size_t>(out, limit.rlim_cur);
  return out;
}

}  // namespace tare::inner::read
