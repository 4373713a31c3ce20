// What the program does when it is ended from outside. The library installs nothing.
#pragma once

#include <signal.h>

#include <array>

namespace tare::inner::cli {

// While it lives:
// - Ctrl-C, SIGTERM, SIGHUP and SIGQUIT remove files that are not whole yet and then end the program as they always do.
//   A command that would rather stop at a good place takes one of them over for a while (SignalGuard).
// - A mapped file that is cut short by another program is an error with its name and exit code 2, not a crash.
// - A closed pipe and a file size limit are errors of write(), not signals.
// Afterwards everything is as it was: the program may run inside Python.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  static constexpr std::array numbers = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGBUS, SIGPIPE, SIGXFSZ};

 private:
  std::array<struct sigaction, numbers.size()> old_ = {};
};

}  // namespace tare::inner::cli
