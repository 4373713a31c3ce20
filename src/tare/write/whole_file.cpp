#include "tare/write/whole_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "tare/platform/platform.hpp"

namespace tare::detail::write {
namespace {

std::list<std::string>& noted = *new std::list<std::string>;  // never destroyed: a signal may come at the end
std::atomic_flag busy;                                        // somebody changes the list. A handler takes it for good.

void take_list() noexcept {
  while (busy.test_and_set()) ::poll(nullptr, 0, 1);
}

// A handler cannot wait for the thread that it interrupted, so that one holds signals back until it is done.
class Changing {
 public:
  Changing() noexcept { take_list(); }
  ~Changing() { busy.clear(); }
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;

 private:
  SignalsHeld held_;
};

}  // namespace

SignalsHeld::SignalsHeld() {
  sigset_t ends{};
  ::sigemptyset(&ends);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&ends, number);
  ::pthread_sigmask(SIG_BLOCK, &ends, &before_);
}

Unfinished::Unfinished(const std::string& path) {
  const Changing changing;
  place_ = noted.insert(noted.end(), path);
}

Unfinished::~Unfinished() {
  if (!place_) return;
  const int fault = errno;  // of what was noted, as a rule: still to be told
  const Changing changing;
  noted.erase(*place_);
  errno = fault;
}

void remove_unfinished() noexcept {
  take_list();
  for (auto name = noted.rbegin(); name != noted.rend(); ++name)
    if (::unlink(name->c_str()) != 0) ::rmdir(name->c_str());
}

namespace {

namespace fs = std::filesystem;

Error cannot_write(const std::string& path, const char* remedy) {
  return {.code = Errc::io, .what = "cannot write " + foreign(path) + ": " + std::strerror(errno), .remedy = remedy};
}

// Names of our own open files. Opening them again would begin at their first byte.
std::optional<int> descriptor_named(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : platform::descriptor_folders()) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const auto [stop, fault] = std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
    if (fault == std::errc() && stop == path.data() + path.size()) return number;
  }
  return std::nullopt;
}

// Where a new file would be made: links that lead nowhere yet are followed, too.
std::string target_of(std::string path) {
  std::error_code fault;
  if (const auto real = fs::canonical(path, fault); !fault) return real.string();
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, fault)); ++links) {
    const fs::path next = fs::read_symlink(path, fault);
    path = (fs::path(path).parent_path() / next).string();
  }
  return path;
}

// A pipe nobody reads is an error, not an endless wait; whoever is about to read gets two seconds.
int open_directly(const std::string& path) {
  int file = -1;
  for (int tries = 0; tries < 40; ++tries) {
    file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file >= 0 || errno != ENXIO) break;
    ::usleep(50'000);
  }
  if (file >= 0) ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

}  // namespace

// Some file systems cannot be asked; only what went wrong counts.
bool reaches_disk(int file) {
  while (::fsync(file) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EROFS;
  }
  return true;
}

// The name is there already: a failure here is none of the file.
void folder_reaches_disk(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  reaches_disk(file);
  ::close(file);
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {  // somebody made it non-blocking: wait for room
      pollfd room{.fd = file, .events = POLLOUT, .revents = 0};
      if (::poll(&room, 1, -1) >= 0 || errno == EINTR) continue;
    }
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<WholeFile> WholeFile::open(const std::string& path) {
  WholeFile out;
  out.path_ = path;
  struct stat status {};
  if (const auto own = descriptor_named(path)) {
    out.direct_ = true;
    out.file_ = ::fcntl(*own, F_DUPFD_CLOEXEC, 3);
  } else if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode))
      return Error{.code = Errc::io,
                   .what = "cannot write " + foreign(path) + ": it is a folder",
                   .remedy = "give the name of a file"};
    out.direct_ = true;
    out.file_ = open_directly(path);  // a rename would replace /dev/null or a named pipe by a file
    if (out.file_ < 0 && errno == ENXIO)
      return Error{.code = Errc::io,
                   .what = "cannot write " + foreign(path) + ": nobody reads from this pipe",
                   .remedy = "start its reader first"};
  } else {
    out.target_ = target_of(path);
    const bool there = ::stat(out.target_.c_str(), &status) == 0;
    // Permission to write the folder would do, but a file is write-protected for a reason.
    if ((!there && errno != ENOENT) || (there && ::faccessat(AT_FDCWD, out.target_.c_str(), W_OK, AT_EACCESS) != 0))
      return cannot_write(path, "does the folder exist, and may you write there?");
    out.make();
  }
  if (out.file_ < 0) return cannot_write(path, "does the folder exist, and may you write there?");
  return out;
}

bool WholeFile::make() {
  const std::string folder = fs::path(target_).parent_path().string();
  remove_leftovers(folder.empty() ? "." : folder);
  file_ = platform::open_unnamed(folder.empty() ? "." : folder);
  if (file_ < 0) return make_beside();
  hold(file_);  // before it gets a name
  return true;
}

bool WholeFile::make_beside() {
  const fs::path folder = fs::path(target_).parent_path();
  for (int tries = 0; tries < 1000; ++tries) {
    beside_ = (folder / name_beside(tries)).string();
    noted_ = Unfinished(beside_);
    file_ = ::open(beside_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0 && hold(file_)) return true;
    const bool taken = file_ >= 0 || errno == EEXIST;
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    noted_ = Unfinished();
    if (!taken) break;
  }
  beside_.clear();
  return false;
}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      beside_(std::exchange(other.beside_, {})),
      noted_(std::move(other.noted_)),
      file_(std::exchange(other.file_, -1)),
      direct_(other.direct_) {}

WholeFile::~WholeFile() {
  if (file_ >= 0) ::close(file_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

Result<bool> WholeFile::append(std::string_view piece) {
  // A reader that went away is no failure, as for standard output.
  if (write_all(file_, piece) || (direct_ && errno == EPIPE)) return true;
  return cannot_write(path_, "is the disk full?");
}

void WholeFile::keep_mode() const {
  struct stat old {};
  if (::stat(target_.c_str(), &old) != 0) return;
  [[maybe_unused]] const int owner = ::fchown(file_, old.st_uid, old.st_gid);  // where allowed
  ::fchmod(file_, old.st_mode & 0777U);
}

bool WholeFile::link_in_place() {
  const auto link = [&](const std::string& name) { return platform::give_name(file_, name); };
  if (link(target_)) return true;
  const fs::path folder = fs::path(target_).parent_path();
  for (int tries = 0; errno == EEXIST && tries < 1000; ++tries) {  // a link cannot replace, a rename can
    const std::string name = (folder / name_beside(tries)).string();
    const Unfinished noted(name);
    if (!link(name)) continue;
    if (::rename(name.c_str(), target_.c_str()) == 0) return true;
    const int fault = errno;
    ::unlink(name.c_str());
    errno = fault;
    return false;
  }
  return false;
}

// Where a file without a name cannot get one (no /proc): through one that has.
bool WholeFile::copy_beside() {
  const int from = std::exchange(file_, -1);
  bool fine = make_beside() && ::lseek(from, 0, SEEK_SET) == 0;
  std::array<char, 1 << 16> buffer{};
  while (fine) {
    const auto got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) break;
    fine = got > 0 && write_all(file_, {buffer.data(), static_cast<std::size_t>(got)});
  }
  const int fault = errno;
  ::close(from);
  errno = fault;
  return fine;
}

bool WholeFile::put_in_place() {
  keep_mode();
  // Data first, then the name: after a power cut there is the old file or the new one, never a name without data.
  if (!reaches_disk(file_)) return false;
  if (!beside_.empty() || !link_in_place()) {
    if (beside_.empty()) {
      if (!copy_beside()) return false;
      keep_mode();
      if (!reaches_disk(file_)) return false;
    }
    if (::rename(beside_.c_str(), target_.c_str()) != 0) return false;
    beside_.clear();
    noted_ = Unfinished();
  }
  let_go(file_);
  folder_reaches_disk(target_);
  return ::close(std::exchange(file_, -1)) == 0;
}

Result<bool> WholeFile::finish() {
  if (direct_ || put_in_place()) return true;
  return cannot_write(path_, "is the disk full, does the folder still exist, and may you write there?");
}

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  auto file = WholeFile::open(path);
  if (!file) return file.error();
  if (auto fine = file->append(bytes); !fine) return fine;
  return file->finish();
}

namespace {

constexpr std::string_view beginning = ".tare-";

// ".tare-", digits, "-", digits
bool is_beside(std::string_view name) {
  if (!name.starts_with(beginning)) return false;
  name.remove_prefix(beginning.size());
  const auto dash = name.find('-');
  const auto digits = [](std::string_view s) {
    return !s.empty() && s.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return dash != std::string_view::npos && digits(name.substr(0, dash)) && digits(name.substr(dash + 1));
}

void remove_if_nobodys(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return;
  struct stat status {};
  const bool ours = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
  if (ours && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

bool first_time(const std::string& folder) {
  static std::mutex changing;
  static std::set<std::string> known;
  const std::scoped_lock lock(changing);
  return known.insert(folder).second;
}

}  // namespace

std::string name_beside(int number) {
  return std::string(beginning) + std::to_string(::getpid()) + "-" + std::to_string(number);
}

bool hold(int file) {
  // Where the system has no such locks, nobody else gets one either, and nothing is removed.
  [[maybe_unused]] const int locked = ::flock(file, LOCK_EX | LOCK_NB);
  struct stat status {};
  return ::fstat(file, &status) != 0 || status.st_nlink > 0;
}

void let_go(int file) { ::flock(file, LOCK_UN); }

void remove_leftovers(const std::string& folder) noexcept try {
  if (!first_time(folder)) return;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
    if (is_beside(at->path().filename().native())) remove_if_nobodys(at->path());
} catch (...) {  // no memory: they wait for the next time
}

}  // namespace tare::detail::write
