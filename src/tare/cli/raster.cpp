#include "tare/cli/raster.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "tare/platform/platform.hpp"
#include "tare/write/unfinished.hpp"

namespace tare::inner::cli {
namespace {

namespace fs = std::filesystem;

// A private folder, gone with its contents when the picture is made.
class Scratch {
 public:
  Scratch() {
    std::error_code ignored;
    std::string name = (fs::temp_directory_path(ignored) / "tare-XXXXXX").string();
    if (!::mkdtemp(name.data())) return;
    folder_ = name;
    for (const fs::path& path : {folder_, folder_ / "picture.svg", folder_ / "picture.png"})
      noted_.emplace_back(path.string());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  std::vector<write::Unfinished> noted_;
};

// The exit status of a program started without a shell, its talk silenced; -1 if it did not start or did not end well.
int run_quietly(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  ::posix_spawn_file_actions_init(&streams);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const int fault = ::posix_spawn(&child, argv[0], &streams, nullptr, argv.data(), platform::environment());
  ::posix_spawn_file_actions_destroy(&streams);
  if (fault != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Result<std::string> find_rasteriser() {
  const char* path = std::getenv("PATH");
  for (const char* program : {"rsvg-convert", "inkscape"}) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string candidate = (fs::path(folder.empty() ? "." : folder) / program).string();
      std::error_code ignored;
      if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return Error{.code = Errc::io,
               .what = "a .png needs rsvg-convert or inkscape, and neither is installed",
               .remedy = "apt-get install librsvg2-bin, or write .svg"};
}

Result<std::string> png(const std::string& rasteriser, std::string_view svg) {
  const Scratch scratch;
  if (scratch.folder().empty())
    return Error{.code = Errc::io,
                 .what = std::string("no temporary folder: ") + std::strerror(errno),
                 .remedy = "set TMPDIR to a folder with room"};
  const std::string from = (scratch.folder() / "picture.svg").string(),
                    to = (scratch.folder() / "picture.png").string();
  std::ofstream(from, std::ios::binary) << svg;
  // Twice the size on screen: sharp in print and on dense displays.
  const bool rsvg = fs::path(rasteriser).filename() == "rsvg-convert";
  const int status = run_quietly(rsvg ? std::vector<std::string>{rasteriser, "--zoom", "2", "-o", to, from}
                                      : std::vector<std::string>{rasteriser, "--export-type=png", "--export-dpi=192",
                                                                 "--export-filename=" + to, from});
  std::ifstream file(to, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (status != 0 || bytes.empty())
    return Error{.code = Errc::io,
                 .what = rasteriser + " did not make a picture",
                 .remedy = "write .svg and convert it with another program"};
  return bytes;
}

}  // namespace tare::inner::cli
