#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "tare/platform/platform.hpp"

namespace tare::detail::platform {
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

namespace {

// The least that a group of processes this one belongs to is limited to (cgroup v2, and v1).
std::size_t group_limit() {
  std::size_t out = std::numeric_limits<std::size_t>::max();
  const auto take = [&](const std::string& path) {
    if (const auto limit = number_in(path.c_str())) out = std::min(out, *limit);
  };
  take("/sys/fs/cgroup/memory.max");
  take("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  std::ifstream groups("/proc/self/cgroup");  // "0::/user.slice/a.scope", "9:memory:/docker/1"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const bool memory = line.substr(first + 1, second - first - 1).find("memory") != std::string::npos;
    if (second != first + 1 && !memory) continue;
    const std::string root = memory ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
    for (std::string path = line.substr(second + 1); path.size() > 1; path.resize(path.find_last_of('/')))
      take(root + path + (memory ? "/memory.limit_in_bytes" : "/memory.max"));
  }
  return out;
}

}  // namespace

std::size_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return group_limit();
  return std::min(group_limit(), static_cast<std::size_t>(pages) * static_cast<std::size_t>(size));
}

std::size_t available_memory() {
  const auto kib = number_in("/proc/meminfo", "MemAvailable:");
  const std::size_t out = std::min(kib ? *kib * 1024 : physical_memory(), group_limit());
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

std::pair<std::int64_t, std::int64_t> changed_at(const struct stat& file) {
  return {file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
}

char** environment() { return environ; }

}  // namespace tare::detail::platform
