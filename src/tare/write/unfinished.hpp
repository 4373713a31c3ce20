// Files that are not whole yet. Their names are kept where a signal handler may look, so that a program ended by Ctrl-C
// leaves none behind: note the name, then make the file; call remove_unfinished() in the handler.
#pragma once

#include <signal.h>

#include <list>
#include <optional>
#include <string>

namespace tare::detail::write {

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

}  // namespace tare::detail::write
