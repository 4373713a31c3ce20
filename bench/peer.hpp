// A Python program timed in the same run: bench/SCRIPT prints its CPU seconds. $TARE_PYTHON names the Python, else
// python3.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace tare::detail::bench {

// Nothing without Python or without the package the script needs.
inline std::optional<double> peer_seconds(const std::string& script, const std::string& arguments) {
  const char* chosen = std::getenv("TARE_PYTHON");
  const std::string command =
      std::string(chosen ? chosen : "python3") + " '" TARE_BENCH_DIR "/" + script + "' " + arguments + " 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  double seconds = 0;
  const bool read = std::fscanf(pipe, "%lf", &seconds) == 1;
  return pclose(pipe) == 0 && read ? std::optional(seconds) : std::nullopt;
}

}  // namespace tare::detail::bench
