#include "tare/read/mapped_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sys/resource.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <system_error>

#include "tare/core/clean.hpp"
#include "tare/platform/platform.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

Error system_error(const std::string& path, const char* doing, int code) {
  return {.code = Errc::io,
          .what = std::string("cannot ") + doing + ": " + std::generic_category().message(code),
          .place = file_place(path)};
}

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

// Where mappings lie, for a signal handler: it may neither allocate nor wait. What does not fit is not noted.
struct MappedRange {
  std::atomic<const std::byte*> begin = nullptr;  // null: free
  std::atomic<std::size_t> size = 0;
  std::array<char, 512> name = {};
};
std::array<MappedRange, 64> ranges;
std::mutex noting;  // never taken by a handler

int note(std::span<const std::byte> bytes, const std::string& path) {
  const std::scoped_lock lock(noting);
  const auto free = std::find_if(ranges.begin(), ranges.end(), [](const MappedRange& r) { return r.begin == nullptr; });
  if (free == ranges.end()) return -1;
  const std::string name = clean(path).substr(0, free->name.size() - 1);
  std::memcpy(free->name.data(), name.c_str(), name.size() + 1);
  free->size = bytes.size();
  free->begin = bytes.data();
  return static_cast<int>(free - ranges.begin());
}

}  // namespace

MappedFile::~MappedFile() {
  if (noted_ >= 0) ranges[static_cast<std::size_t>(noted_)].begin = nullptr;
  if (mapping_) ::munmap(mapping_, bytes_.size());
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path, const HeadCheck& check) {
  const bool standard_input = path == "-";
  const int descriptor =
      standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return bad_file(path, "no such file", "check the spelling; relative names start from the working directory",
                      Errc::io);
    return system_error(path, "open", errno);
  }
  const std::shared_ptr<MappedFile> file(new MappedFile);
  const auto loaded = file->load(descriptor, name_of(path), check);
  if (!standard_input) ::close(descriptor);  // a mapping outlives its descriptor
  if (!loaded) return loaded.error();
  return std::shared_ptr<const MappedFile>(file);
}

Result<bool> MappedFile::load(int descriptor, const std::string& path, const HeadCheck& check) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return system_error(path, "read", errno);
  if (S_ISDIR(status.st_mode))
    return bad_file(path, "is a directory", "name a .npy, .npz, .csv or .tsv file", Errc::io);
  if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(descriptor) != 1))
    return bad_file(path, "is a device, not a file", "name a .npy, .npz, .csv or .tsv file", Errc::io);
  const auto size = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  // A regular file on standard input may have been read in part already: do not map that one.
  if (!S_ISREG(status.st_mode) || size == 0 || descriptor == STDIN_FILENO)
    return read_pipe(descriptor, path, check, S_ISFIFO(status.st_mode) && descriptor != STDIN_FILENO);
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (at == MAP_FAILED) return system_error(path, "map", errno);
  mapping_ = at;
  bytes_ = {static_cast<const std::byte*>(at), size};
  noted_ = note(bytes_, path);
  return true;
}

// A named pipe nobody writes to would be waited for for ever. Whoever is about to write gets two seconds; a pipe that
// has a writer is waited for as long as it takes.
Result<bool> MappedFile::read_pipe(int descriptor, const std::string& path, const HeadCheck& check, bool named) {
  constexpr std::size_t first = std::size_t{1} << 16, most_unasked = std::size_t{1} << 26;
  std::size_t have = 0, check_at = check ? 1 : std::numeric_limits<std::size_t>::max();
  for (int patience = named ? 40 : 0;;) {
    if (have == buffer_.size()) {
      const std::size_t wanted = std::max(first, 2 * have);
      if (wanted > most_unasked && wanted > usable_memory() / 2)
        return bad_file(path, "more than " + std::to_string(have) + " bytes, which memory cannot hold",
                        "save it as .npy files: they are mapped, not loaded", Errc::io);
      buffer_.resize(wanted);
    }
    const ssize_t got = ::read(descriptor, buffer_.data() + have, buffer_.size() - have);
    if (got < 0 && errno == EAGAIN) {
      pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
      ::poll(&wait, 1, -1);
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(path, "read", errno);
    if (got == 0 && have == 0 && patience-- > 0) {
      ::usleep(50'000);
      continue;
    }
    have += static_cast<std::size_t>(got);
    if (have >= check_at || (got == 0 && have > 0 && check_at < std::numeric_limits<std::size_t>::max())) {
      const auto enough = check({buffer_.data(), have}, got == 0);
      if (!enough) return enough.error();
      check_at = *enough ? std::numeric_limits<std::size_t>::max() : 2 * have;
    }
    if (got == 0) break;
  }
  if (named && have == 0)
    return bad_file(path, "nobody writes to this pipe",
                    "start its writer first, or use standard input: ... | tare COMMAND -", Errc::io);
  bytes_ = {buffer_.data(), have};
  return true;
}

const char* mapped_file_at(const void* address) noexcept {
  const auto* at = static_cast<const std::byte*>(address);
  for (const MappedRange& r : ranges) {
    const std::byte* const begin = r.begin;
    if (begin && std::less_equal<>{}(begin, at) && static_cast<std::size_t>(at - begin) < r.size) return r.name.data();
  }
  return nullptr;
}

std::size_t usable_memory() {
  const std::size_t out = platform::available_memory();
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return out;
  return std::min<std::size_t>(out, limit.rlim_cur);
}

}  // namespace tare::detail::read
