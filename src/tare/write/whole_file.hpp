// A file that appears whole or not at all, and whose data reach the disk before its name does. Where the system can, it
// has no name before it is finished; elsewhere, and for an instant where it replaces an old one, it has one beside its
// place, which Unfinished notes. What kill -9 leaves then is removed by the next one that writes there
// (remove_leftovers()).
#pragma once

#include <string>
#include <string_view>

#include "tare/core/result.hpp"
#include "tare/write/unfinished.hpp"

namespace tare::detail::write {

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
