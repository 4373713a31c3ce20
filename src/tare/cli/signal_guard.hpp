// A signal handler for a while: the old one is back afterwards, since the program may run inside another one (Python).
#pragma once

#include <csignal>

namespace tare::detail::cli {

class SignalGuard {
 public:
  SignalGuard(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction now {};
    now.sa_handler = handler;
    now.sa_flags = SA_RESTART;
    sigemptyset(&now.sa_mask);
    sigaction(signal_, &now, &before_);
  }
  ~SignalGuard() { sigaction(signal_, &before_, nullptr); }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

}  // namespace tare::detail::cli
