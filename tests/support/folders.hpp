// Where the tests find files. Not macros: objects are then the same in every checkout, and ccache knows them.
// Not variables: the ones of a test file would be made of them before they are made themselves.
#pragma once

#include <string>

namespace tare::detail::testing {

std::string source_dir();  // the root of the repository
std::string shared_dir();  // larger reference data; may be absent

}  // namespace tare::detail::testing
