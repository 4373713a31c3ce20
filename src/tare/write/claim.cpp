#include "tare/write/claim.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>
#include <utility>

#include "tare/platform/platform.hpp"

namespace tare::detail::write {
namespace {

constexpr auto pause_of_claims = std::chrono::milliseconds(20);

std::optional<struct stat> status_of(const std::string& path) {
  struct stat out {};
  if (::stat(path.c_str(), &out) != 0) return std::nullopt;
  return out;
}

bool same_inode(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// A file that was written anew has another number; the rest tells one that was changed in its place, or one whose
// number was given again.
bool same_status(const std::optional<struct stat>& a, const std::optional<struct stat>& b) {
  if (!a || !b) return !a && !b;
  return same_inode(*a, *b) && a->st_size == b->st_size && platform::changed_at(*a) == platform::changed_at(*b);
}

// Until it is locked, or until then. False: another has it.
bool locked_before(int file, std::chrono::steady_clock::time_point end) {
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return true;  // there are no locks here
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(pause_of_claims);
  }
  return true;
}

Error held_by_another(const std::string& path) {
  return {.code = Errc::io,
          .what = "another program has been changing " + foreign(path) + " for too long",
          .remedy = "run it again when the other has ended"};
}

// The folder is locked from looking at a file to putting another in its place.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path) {
    const auto folder = std::filesystem::path(path).parent_path();
    file_ = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (file_ >= 0) locked_before(file_, std::chrono::steady_clock::now() + std::chrono::minutes(1));
  }
  ~FolderLock() {
    if (file_ >= 0) ::close(file_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace

Result<Claim> Claim::of(const std::string& path, std::chrono::milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  while (true) {
    Claim out(path);
    out.file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (out.file_ >= 0 && !locked_before(out.file_, end)) return held_by_another(path);
    out.seen_ = status_of(path);
    struct stat mine {};
    const bool still_there =
        out.file_ < 0 || (::fstat(out.file_, &mine) == 0 && out.seen_ && same_inode(mine, *out.seen_));
    if (still_there) return out;  // else another was put in its place meanwhile
  }
}

Claim::Claim(Claim&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), seen_(other.seen_) {}

Claim::~Claim() {
  if (file_ >= 0) ::close(file_);
}

Result<bool> Claim::replace(const std::function<Result<bool>()>& put) const {
  if (seen_ && !S_ISREG(seen_->st_mode)) return put();  // a pipe or a device
  const FolderLock lock(path_);
  if (!same_status(seen_, status_of(path_)))
    return Error{.code = Errc::io,
                 .what = "another program has changed " + foreign(path_) + " since this one began: it was not written",
                 .remedy = "run it again, and it goes on from there"};
  return put();
}

}  // namespace tare::detail::write
