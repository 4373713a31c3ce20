// Files that are not whole yet. Their names are kept where a signal handler may look, so that a program ended by Ctrl-C
// leaves none behind: note the name, then make the file; call remove_unfinished() in the handler.
#pragma once

#include <cstddef>
#include <string>

namespace tare::inner::write {

// While it lives the name is noted. It does not remove the file itself.
class Unfinished {
 public:
  Unfinished() = default;
  explicit Unfinished(const std::string& path);
  Unfinished(Unfinished&& other) noexcept;
  Unfinished& operator=(Unfinished&& other) noexcept;
  ~Unfinished();

  // The name is that of a folder, and files 0, 1, ... of it are to be removed, too.
  void holds(std::size_t files) noexcept;

 private:
  int slot_ = -1;  // -1: no room for the name
};

// Safe in a signal handler. Nothing can be noted afterwards (the thread that tries waits for the end), so the caller
// must end the process. Noted last, removed first: a folder may be noted before what is put into it.
void remove_unfinished() noexcept;

}  // namespace tare::inner::write
