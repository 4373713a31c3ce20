#include "tare/write/leftovers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>

namespace tare::inner::write {
namespace {

namespace fs = std::filesystem;
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

}  // namespace tare::inner::write
