#include "tare/cli/shipped.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "tare/platform/platform.hpp"

namespace tare::detail::cli {

namespace fs = std::filesystem;

Result<std::string> shipped_folder(const std::string& name, const char* variable, const std::string& holds) {
  std::vector<fs::path> folders;
  if (const char* wished = std::getenv(variable); wished && *wished) {
    folders = {wished};
  } else {
    folders = {fs::path(platform::own_file()).parent_path() / TARE_SHARE_FROM_BIN / name};
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

}  // namespace tare::detail::cli
