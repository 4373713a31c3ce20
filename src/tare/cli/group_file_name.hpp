// The file name of a group, without its ending: another one for each group, and the same on every day.
#pragma once

#include <string>
#include <string_view>

namespace tare::inner::cli {

// What file systems do not take, and % itself, is %XX, as in addresses of the web. A name that is too long is cut
// between two characters and ends in %- and a hash of the whole; no name at all is %-.
std::string group_file_name(std::string_view group);

}  // namespace tare::inner::cli
