// Where bytes leave: the answer on standard output or whole into a file, the talk on standard error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/render/text/text.hpp"
#include "tare/write/whole_file.hpp"

namespace tare::detail::cli {

// A program started with a closed standard stream must not get it back as one of its own files.
void hold_standard_streams();

// What a command writes. Text and JSON are cleaned of control characters on their way out (core/clean.hpp).
enum class Format { text, json, html, svg, png, npy, state, watch, npz, csv, header, sql };

bool print(std::string_view answer,
           Format format = Format::text);  // standard output; a reader that went away is no failure
void talk(std::string_view words);         // standard error, cleaned
void draw(std::string_view progress);      // standard error, as it is

// Width and colour for standard output: COLUMNS or the terminal's width; colour only on a terminal, never with
// NO_COLOR.
render::TextOptions terminal();

std::string ending_of(const std::string& path);  // ".csv", in small letters; empty: it has none

// Before any work: not one of the inputs, by whatever name; files that are not there are fine.
Result<bool> check_not_input(const std::string& path, const std::vector<std::string>& inputs);

// Nor under a name that ends like another format. An ending that no format has, or none, is fine.
Result<bool> check_ending(const std::string& path, Format format);

// A file that appears whole or not at all, opened before long work begins. An empty path is standard output, and so is
// -. A name that ends like another format and one that is an input are refused.
class Output {
 public:
  static Result<Output> open(const std::string& path, Format format, const std::vector<std::string>& inputs);

  [[nodiscard]] bool is_file() const { return file_.has_value(); }
  [[nodiscard]] render::TextOptions style() const;  // terminal(), without colour in a file
  Result<int> write(std::string_view answer);       // all of it; the exit code 0
  // The same in pieces: nothing is in place before finish().
  Result<bool> append(std::string_view piece);
  Result<int> finish();

 private:
  explicit Output(Format format) : format_(format) {}
  Format format_;
  std::optional<write::WholeFile> file_ = {};
};

}  // namespace tare::detail::cli
