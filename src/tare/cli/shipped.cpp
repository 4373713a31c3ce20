#include "tare/cli/shipped.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#if defined(__APPLE__)
#include <mach-o/dyld.h>

#include <array>
#endif

namespace tare::inner::cli {

namespace fs = std::filesystem;

namespace of_shipped {

// The file of the program that runs, which each system tells in its own way; empty: it does not.
fs::path own_file() {
  std::error_code ignored;
#if defined(__APPLE__)
  std::array<char, 4096> path{};
  std::uint32_t size = path.size();
  return ::_NSGetExecutablePath(path.data(), &size) == 0 ? fs::canonical(path.data(), ignored) : fs::path();
#else
  return fs::read_symlink("/proc/self/exe", ignored);
#endif
}

}  // namespace of_shipped

Result<std::string> shipped_folder(const std::string& name, const char* variable, const std::string& holds) {
  std::vector<fs::path> folders;
  if (const char* wished = std::getenv(variable); wished && *wished) {
    folders = {wished};
  } else {
    folders = {of_shipped::own_file().parent_path() / TARE_SHARE_FROM_BIN / name};
    if (const fs::path source = TARE_SOURCE; !source.empty()) folders.push_back(source / name);
  }
  std::string tried;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / holds)) return folder.lexically_normal().string();
    tried += (tried.empty() ? "" : " or ") + folder.lexically_normal().string();
  }
  return Error{.code = Errc::io,
               .what = holds + " is not in " + foreign(tried),
               .remedy = std::string("set ") + variable +
                         " to the folder that holds it; for Python `pip install 'tare[data]'` brings it"};
}

}  // namespace tare::inner::cli
