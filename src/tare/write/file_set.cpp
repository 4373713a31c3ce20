#include "tare/write/file_set.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "tare/write/whole_file.hpp"

namespace tare::detail::write {
namespace {

Error cannot_write_to(const std::string& path, const std::string& why, const char* remedy) {
  return {.code = Errc::io, .what = "cannot write " + foreign(path) + ": " + why, .remedy = remedy};
}
Error cannot_write_to(const std::string& path) {
  return cannot_write_to(path, std::strerror(errno), "is the disk full, and may you write there?");
}

bool exists(const std::string& path) {
  struct stat ignored {};
  return ::lstat(path.c_str(), &ignored) == 0;
}

}  // namespace

Result<FileSet> FileSet::open(const std::string& folder) {
  FileSet out;
  out.folder_ = folder.empty() ? "." : folder;
  std::vector<std::string> missing;
  for (std::filesystem::path at = out.folder_; !at.empty() && !exists(at.string()); at = at.parent_path())
    if (at.has_filename()) missing.push_back(at.string());
  for (; !missing.empty(); missing.pop_back()) {
    out.noted_.emplace_back(missing.back());
    if (::mkdir(missing.back().c_str(), 0777) != 0)
      return cannot_write_to(folder, std::strerror(errno), "does the folder above exist, and may you write there?");
    out.made_.push_back(missing.back());
  }
  for (int tries = 0; tries < 1000; ++tries) {
    const std::string name = out.folder_ + "/" + name_beside(tries);
    out.noted_.emplace_back(name);
    if (::mkdir(name.c_str(), 0777) == 0) {
      out.staging_ = name;
      return out;
    }
    out.noted_.pop_back();
    if (errno != EEXIST) break;
  }
  return cannot_write_to(folder, std::strerror(errno), "give the name of a folder that you may write to");
}

FileSet::FileSet(FileSet&& other) noexcept
    : folder_(std::move(other.folder_)),
      staging_(std::exchange(other.staging_, {})),
      made_(std::exchange(other.made_, {})),
      names_(std::move(other.names_)),
      there_(std::move(other.there_)),
      noted_(std::move(other.noted_)) {}

FileSet::~FileSet() {
  remove_staging();
  for (; !made_.empty(); made_.pop_back()) ::rmdir(made_.back().c_str());
}

void FileSet::remove_staging() noexcept {
  if (staging_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(staging_, ignored);
  staging_.clear();
}

Result<bool> FileSet::add(const std::string& name, std::string_view bytes) {
  names_.push_back(name);
  noted_.emplace_back(staged(names_.size() - 1));
  const int file = ::open(staged(names_.size() - 1).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return cannot_write_to(target(names_.size() - 1));
  const bool written = write_all(file, bytes) && reaches_disk(file);
  const int fault = errno;
  if (::close(file) == 0 && written) return true;
  if (!written) errno = fault;
  return cannot_write_to(target(names_.size() - 1));
}

// Before anything is moved. Two names of one file: the system does not tell capitals apart.
Result<bool> FileSet::look_at_targets() {
  std::set<std::pair<dev_t, ino_t>> seen;
  there_.assign(names_.size(), false);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    struct stat old {};
    if (::lstat(target(i).c_str(), &old) != 0) {
      if (errno == ENOENT) continue;
      return cannot_write_to(target(i), std::strerror(errno), "give another folder");
    }
    if (!S_ISREG(old.st_mode)) return cannot_write_to(target(i), "it is no plain file", "give another folder");
    if (::access(target(i).c_str(), W_OK) != 0) return cannot_write_to(target(i));
    if (!seen.insert({old.st_dev, old.st_ino}).second)
      return cannot_write_to(target(i), "another file of the set has this name, too", "give another folder");
    ::chmod(staged(i).c_str(), old.st_mode & 0777U);
    there_[i] = true;
  }
  return true;
}

void FileSet::move_back(std::size_t moved) {
  const int fault = errno;
  while (moved-- > 0) {
    ::rename(target(moved).c_str(), staged(moved).c_str());
    if (there_[moved]) ::rename(replaced(moved).c_str(), target(moved).c_str());
  }
  errno = fault;
}

bool FileSet::move_all() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    errno = EEXIST;  // what was not there is: another name of the set is this one, too
    bool fine = there_[i] || !exists(target(i));
    if (fine && there_[i]) fine = ::rename(target(i).c_str(), replaced(i).c_str()) == 0;
    if (fine && ::rename(staged(i).c_str(), target(i).c_str()) == 0) continue;
    const int fault = errno;
    if (fine && there_[i]) ::rename(replaced(i).c_str(), target(i).c_str());
    errno = fault;
    move_back(i);
    return false;
  }
  return true;
}

Result<bool> FileSet::finish() {
  if (auto fine = look_at_targets(); !fine) return fine;
  const SignalsHeld held;
  if (!move_all()) return cannot_write_to(folder_);
  made_.clear();  // they stay
  if (!names_.empty()) folder_reaches_disk(target(0));
  remove_staging();
  noted_.clear();
  return true;
}

}  // namespace tare::detail::write
