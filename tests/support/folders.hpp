// Where the tests find files. Not a macro: objects are then the same in every checkout, and ccache knows them.
#pragma once

#include <string>

namespace tare::inner::testing {

extern const std::string source_dir;  // the root of the repository
extern const std::string shared_dir;  // larger reference data; may be absent

}  // namespace tare::inner::testing
