// A file that appears whole or not at all, and whose data reach the disk before its name does. Where the system can, it
// has no name before it is finished; elsewhere, and for an instant where it replaces an old one, it has one beside its
// place, which Unfinished notes. What kill -9 leaves then is removed by the next one that writes there
// (remove_leftovers()).
#pragma once

#include <signal.h>

#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "tare/core/result.hpp"

namespace tare::detail::write {

// Files that are not whole yet. Their names are kept where a signal handler may look, so that a program ended by Ctrl-C
// leaves none behind: note the name, then make the file; call remove_unfinished() in the handler.

// No end by a signal in this thread while it lives: it comes afterwards.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

// While it lives the name is noted. It does not remove the file itself.
class Unfinished {
 public:
  Unfinished() = default;
  explicit Unfinished(const std::string& path);
  Unfinished(Unfinished&& other) noexcept { place_.swap(other.place_); }
  Unfinished& operator=(Unfinished&& other) noexcept {
    place_.swap(other.place_);
    return *this;
  }
  ~Unfinished();

 private:
  std::optional<std::list<std::string>::iterator> place_ = {};
};

// Safe in a handler of the signals that SignalsHeld holds, which must block all of them. Nothing can be noted
// afterwards (the thread that tries waits for the end), so the caller must end the process. Noted last, removed first:
// a folder may be noted before what is put into it.
void remove_unfinished() noexcept;

class WholeFile {
 public:
  // Before long work begins, so that a bad path fails at once. An old file keeps its place until finish(), and its
  // mode; a symbolic link stays one and its target is written. Devices, pipes and /dev/fd/N are written directly.
  static Result<WholeFile> open(const std::string& path);
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;
  ~WholeFile();  // without finish() there is no file

  Result<bool> append(std::string_view piece);
  Result<bool> finish();

 private:
  WholeFile() = default;
  bool make();
  bool make_beside();
  bool copy_beside();
  bool put_in_place();
  bool link_in_place();
  void keep_mode() const;

  std::string path_;    // as given
  std::string target_;  // with symbolic links followed
  std::string beside_;  // the name beside the target, where it has one
  Unfinished noted_;
  int file_ = -1;
  bool direct_ = false;
};

// What was written to it is on the disk. False: errno says why not.
bool reaches_disk(int file);
// And the names in the folder of this file.
void folder_reaches_disk(const std::string& path);

// To an open file or pipe, also where it takes several turns or must wait for room. False: errno says why.
bool write_all(int file, std::string_view bytes);

// The whole of it at once.
Result<bool> write_file(const std::string& path, std::string_view bytes);

// Files beside their place whose writer was ended by kill -9 before it could rename or remove them. A writer holds a
// lock (flock) on what it writes, which ends with it: what has the name of such a file and no lock is nobody's.

std::string name_beside(int number);  // ".tare-PID-NUMBER", of this process

bool hold(int file);    // takes the lock; false: somebody has removed the file, and it is to be made again
void let_go(int file);  // the file is in its place

// Removes those of this user, the first time that this process writes into the folder. Failure changes nothing.
void remove_leftovers(const std::string& folder) noexcept;

}  // namespace tare::detail::write
