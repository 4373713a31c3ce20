// The program: one table of commands, one way to fail.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "tare/core/result.hpp"

namespace tare::detail::cli {

// A command declares its options on `app` and returns what to do once they are parsed: an exit code, or why not.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::function<Result<int>()> (*declare)(CLI::App& app);
};

extern const Command measure_command;
extern const Command test_command;
extern const Command bbc_command;
extern const Command fit_command;
extern const Command apply_command;
extern const Command export_command;
extern const Command show_command;
extern const Command check_command;
extern const Command compare_command;
extern const Command plot_command;
extern const Command report_command;
extern const Command partial_command;
extern const Command merge_command;
extern const Command sql_command;
extern const Command watch_command;
extern const Command paper_command;
extern const Command list_command;
extern const Command demo_command;
extern const Command completion_command;
extern const Command man_command;

std::string command_line();  // as it was typed, quoted for a shell

// How the command line writes an option that some command has: `max_iterations` is --max-iterations. Else empty.
std::string flag(std::string_view option);
// An option whose name is not what is typed: `statistics` is --statistic.
void know_flag(const std::string& option, const std::string& flag);

}  // namespace tare::detail::cli
