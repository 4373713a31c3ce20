#include "tare/cli/signals.hpp"

#include <unistd.h>

#include <cstring>

#include "tare/read/mapped_file.hpp"
#include "tare/write/unfinished.hpp"

namespace tare::inner::cli {
namespace {

// Everything below runs in a handler: no memory, no locks, only calls that are safe there.
void say(const char* words) { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words, std::strlen(words)); }

void end_by(int number) {
  write::remove_unfinished();
  ::signal(number, SIG_DFL);
  ::raise(number);  // delivered when this returns
}

void lost_bytes(int number, siginfo_t* info, void*) {
  const char* file = read::mapped_file_at(info->si_addr);
  if (!file) {  // not about a file of ours: the fault comes again, and ends the program
    ::signal(number, SIG_DFL);
    return;
  }
  write::remove_unfinished();
  say("error: ");
  say(file);
  say(" became shorter while it was read\nhint: run it again when no other program changes the file\n");
  ::_exit(2);
}

}  // namespace

Signals::Signals() {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ::sigaction(numbers[i], nullptr, &old_[i]);
    struct sigaction now {};
    ::sigemptyset(&now.sa_mask);
    if (numbers[i] == SIGBUS) {
      now.sa_sigaction = lost_bytes;
      now.sa_flags = SA_SIGINFO;
    } else if (numbers[i] == SIGPIPE || numbers[i] == SIGXFSZ) {
      now.sa_handler = SIG_IGN;
    } else {
      if (old_[i].sa_handler == SIG_IGN) continue;  // nohup, and jobs in the background
      now.sa_handler = end_by;
      for (const int other : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&now.sa_mask, other);
    }
    ::sigaction(numbers[i], &now, nullptr);
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &old_[i], nullptr);
}

}  // namespace tare::inner::cli
