// Folders that come with the program: the sample networks and the data files of the papers.
#pragma once

#include <string>

#include "tare/core/result.hpp"

namespace tare::detail::cli {

// data or paper: where the environment variable says; else beside the installed program; else in the source tree it was
// built from. `holds` is a file that must be there.
Result<std::string> shipped_folder(const std::string& name, const char* variable, const std::string& holds);

}  // namespace tare::detail::cli
