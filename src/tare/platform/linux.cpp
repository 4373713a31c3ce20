#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "tare/platform/platform.hpp"

namespace tare::inner::platform {
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

std::string own_file() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

void wish_huge_pages(void* at, std::size_t bytes) noexcept { ::madvise(at, bytes, MADV_HUGEPAGE); }

std::size_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(size);
}

std::size_t available_memory() {
  const auto kib = number_in("/proc/meminfo", "MemAvailable:");
  const std::size_t out = kib ? *kib * 1024 : physical_memory();
  const auto most = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  return most && used ? std::min(out, *most - std::min(*most, *used)) : out;
}

std::span<const std::string_view> descriptor_folders() {
  static constexpr std::string_view folders[] = {"/dev/fd/", "/proc/self/fd/"};
  return folders;
}

int open_unnamed(const std::string& folder) { return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666); }

bool give_name(int unnamed, const std::string& path) {
  const std::string self = "/proc/self/fd/" + std::to_string(unnamed);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

char** environment() { return environ; }

}  // namespace tare::inner::platform
