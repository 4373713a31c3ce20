#include "tare/write/unfinished.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

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

}  // namespace tare::detail::write
