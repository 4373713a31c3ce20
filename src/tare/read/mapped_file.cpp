#include "tare/read/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tare::read {
namespace {

Error system_error(const std::string& path, const char* doing, int code) {
  return {Errc::io, path + ": cannot " + doing + ": " + std::generic_category().message(code)};
}

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

MappedFile::~MappedFile() {
  if (mapping_) ::munmap(mapping_, bytes_.size());
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const bool standard_input = path == "-";
  const int descriptor = standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return Error{Errc::io, path + ": no such file", "check the spelling; relative names start from the working directory"};
    return system_error(path, "open", errno);
  }
  const std::shared_ptr<MappedFile> file(new MappedFile);
  const auto loaded = file->load(descriptor, shown(path));
  if (!standard_input) ::close(descriptor);  // a mapping outlives its descriptor
  if (!loaded) return loaded.error();
  return std::shared_ptr<const MappedFile>(file);
}

Result<bool> MappedFile::load(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return system_error(path, "read", errno);
  if (S_ISDIR(status.st_mode))
    return Error{Errc::io, path + ": is a directory", "name a .npy, .npz, .csv or .tsv file"};
  const auto size = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  // A regular file on standard input may have been read in part already: do not map that one.
  if (S_ISREG(status.st_mode) && size > 0 && descriptor != STDIN_FILENO) {
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at == MAP_FAILED) return system_error(path, "map", errno);
    mapping_ = at;
    bytes_ = {static_cast<const std::byte*>(at), size};
    return true;
  }
  std::size_t have = 0;
  while (true) {
    if (have == buffer_.size()) buffer_.resize(std::max<std::size_t>(std::size_t{1} << 16, 2 * have));
    const ssize_t got = ::read(descriptor, buffer_.data() + have, buffer_.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(path, "read", errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes_ = {buffer_.data(), have};
  return true;
}

}  // namespace tare::read
