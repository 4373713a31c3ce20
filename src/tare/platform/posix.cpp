// Without calls of Linux. The tests run it on Linux, too (-DTARE_PLATFORM=posix); on macOS nobody has tried it.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#if defined(__APPLE__)
#include <crt_externs.h>
#include <mach-o/dyld.h>

#include <array>
#include <cstdint>
#include <filesystem>
#else
extern char** environ;  // POSIX wants it declared by the program
#endif

#include "tare/platform/platform.hpp"

namespace tare::detail::platform {

#if defined(__APPLE__)
std::string own_file() {
  std::array<char, 4096> path{};
  std::uint32_t size = path.size();
  std::error_code ignored;
  return ::_NSGetExecutablePath(path.data(), &size) == 0 ? std::filesystem::canonical(path.data(), ignored).string()
                                                         : "";
}

char** environment() { return *::_NSGetEnviron(); }  // libraries do not see environ there
#else
std::string own_file() { return {}; }

char** environment() { return environ; }
#endif

void wish_huge_pages(void*, std::size_t) noexcept {}

std::size_t physical_memory() {
#if defined(_SC_PHYS_PAGES)
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) return static_cast<std::size_t>(pages) * static_cast<std::size_t>(size);
#endif
  return std::numeric_limits<std::size_t>::max();
}

std::size_t available_memory() { return physical_memory(); }

std::span<const std::string_view> descriptor_folders() {
  static constexpr std::string_view folders[] = {"/dev/fd/"};
  return folders;
}

int open_unnamed(const std::string&) {
  errno = ENOTSUP;
  return -1;
}

bool give_name(int, const std::string&) {
  errno = ENOTSUP;
  return false;
}

std::pair<std::int64_t, std::int64_t> changed_at(const struct stat& file) {
#if defined(__APPLE__)
  return {file.st_mtimespec.tv_sec, file.st_mtimespec.tv_nsec};
#else
  return {file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
#endif
}

}  // namespace tare::detail::platform
