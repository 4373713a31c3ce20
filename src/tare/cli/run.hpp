// The command line: what main() and `python -m tare` call.
// Exit codes: 0 fine, 1 a gate tripped, 2 could not run.
#pragma once

namespace tare::detail::cli {

int run(int argc, char** argv);

}  // namespace tare::detail::cli
