#include "tare/cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace tare::cli {
namespace {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Error cannot_write(const std::string& path, const char* remedy) {
  return {Errc::io, fmt::format("cannot write {}: {}", path, std::strerror(errno)), remedy};
}

}  // namespace

void hold_standard_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) {
      // Opened the wrong way round on purpose: using the stream still fails.
      [[maybe_unused]] const int held = ::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

bool print(std::string_view answer) {
  if (write_all(STDOUT_FILENO, answer) || errno == EPIPE) return true;
  talk(fmt::format("error: cannot write the answer: {}\nhint: is the disk full, or standard output closed?\n",
                   std::strerror(errno)));
  return false;
}

void talk(std::string_view words) { write_all(STDERR_FILENO, words); }

render::TextOptions terminal() {
  const bool tty = ::isatty(STDOUT_FILENO) == 1;
  int width = std::atoi(environment("COLUMNS").c_str());
  winsize size{};
  if (width <= 0 && tty && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width <= 0) width = 80;
  const bool colour = tty && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return {.width = std::clamp(width, 60, 160), .colour = colour};
}

Result<Output> Output::open(const std::string& path) {
  Output out;
  if (path.empty() || path == "-") return out;
  out.path_ = path;
  std::error_code ignored;
  const auto resolved = std::filesystem::weakly_canonical(path, ignored);
  out.target_ = resolved.empty() ? path : resolved.string();
  const auto status = std::filesystem::status(out.target_, ignored);
  if (std::filesystem::is_directory(status))
    return Error{Errc::io, "cannot write " + path + ": it is a folder", "give the name of a file"};
  // A rename would replace /dev/null or a named pipe by a file.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    out.file_ = ::open(out.target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    out.temporary_ = out.target_ + ".XXXXXX";
    out.file_ = ::mkostemp(out.temporary_.data(), O_CLOEXEC);
    if (out.file_ < 0) out.temporary_.clear();
  }
  if (out.file_ < 0) return cannot_write(path, "does the folder exist, and may you write there?");
  return out;
}

Output::Output(Output&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::exchange(other.file_, -1)) {}

Output::~Output() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<int> Output::write(std::string_view answer) {
  if (const auto fine = append(answer); !fine) return fine.error();
  return finish();
}

Result<bool> Output::append(std::string_view piece) {
  if (is_file() ? write_all(file_, piece) : write_all(STDOUT_FILENO, piece) || errno == EPIPE) return true;
  return cannot_write(is_file() ? path_ : "the answer", "is the disk full, or standard output closed?");
}

Result<int> Output::finish() {
  if (temporary_.empty()) return 0;
  const mode_t mask = ::umask(0);  // mkostemp is private by default; a result is an ordinary file
  ::umask(mask);
  if (::fchmod(file_, 0666 & ~mask) != 0 || ::rename(temporary_.c_str(), target_.c_str()) != 0)
    return cannot_write(path_, "does the folder still exist, and may you write there?");
  temporary_.clear();
  return 0;
}

}  // namespace tare::cli
