// Where bytes leave: the answer on standard output or whole into a file, the talk on standard error.
#pragma once

#include <string>
#include <string_view>

#include "tare/core/result.hpp"
#include "tare/render/text.hpp"

namespace tare::cli {

// A program started with a closed standard stream must not get it back as one of its own files.
void hold_standard_streams();

bool print(std::string_view answer);  // standard output; a reader that went away is no failure
void talk(std::string_view words);    // standard error

// Width and colour for standard output: COLUMNS or the terminal's width; colour only on a terminal, never with
// NO_COLOR.
render::TextOptions terminal();

// A file that appears whole or not at all: written beside its place, then renamed. It is opened before long work
// begins, so that a bad path fails at once. An empty path is standard output.
class Output {
 public:
  static Result<Output> open(const std::string& path);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();

  [[nodiscard]] bool is_file() const { return !path_.empty(); }
  Result<int> write(std::string_view answer);  // all of it; the exit code 0
  // The same in pieces: nothing is in place before finish().
  Result<bool> append(std::string_view piece);
  Result<int> finish();

 private:
  Output() = default;
  std::string path_;       // as given
  std::string target_;     // with symbolic links followed
  std::string temporary_;  // empty: the target is a device or a pipe and is written directly
  int file_ = -1;
};

}  // namespace tare::cli
