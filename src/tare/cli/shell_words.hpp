// The commands and options as a shell needs them to complete a line: the tables that --help prints, as words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tare::detail::cli {

struct ShellOption {
  std::vector<std::string> names;  // "-o", "--output"; the name in --help, for a word without dashes
  std::string meaning;
  bool takes_value = false;
  std::vector<std::string> values = {};  // what it may be, where that is a list
  bool files = false;                    // or a file
  bool listed = false;                   // several, with commas between
};

struct ShellCommand {
  std::string name;
  std::string meaning;
  std::vector<ShellOption> options = {};
  std::vector<ShellOption> plain = {};  // words without dashes, in their order
};

// The words of which the value of an option must be one; empty: any.
std::vector<std::string> choices(CLI::Option& option);

std::vector<ShellCommand> shell_commands(CLI::App& root);

// The scripts of the three shells.
std::string bash_completion(const std::vector<ShellCommand>& commands);
std::string zsh_completion(const std::vector<ShellCommand>& commands);
std::string fish_completion(const std::vector<ShellCommand>& commands);

}  // namespace tare::detail::cli
