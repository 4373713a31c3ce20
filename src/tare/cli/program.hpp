// The program: one table of commands, their pages, one way to fail.
#pragma once

#include <CLI/CLI.hpp>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/core/errors.hpp"

namespace tare::detail::cli {

// --help as a manual page: name, synopsis, description, options by group, examples, exit codes. `tare man` writes the
// same sections for man(1).

struct Page {
  std::string name;
  std::vector<std::string> synopsis = {};
  std::vector<std::string> description = {};                       // paragraphs
  std::vector<std::pair<std::string, std::string>> names = {};     // what arrays and columns may be called
  std::vector<std::pair<std::string, std::string>> examples = {};  // command, what it does
};

struct Item {
  enum class Kind { line, paragraph, entry, example, status };
  Kind kind;
  std::string left;        // a line, a paragraph; an option, a command, a number
  std::string right = {};  // what it means
};
struct Section {
  std::string title;
  std::vector<Item> items = {};
};
std::vector<Section> sections(const CLI::App& app, const Page& page);

class ManPage : public CLI::FormatterBase {
 public:
  explicit ManPage(Page page) : page_(std::move(page)) {}
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  [[nodiscard]] const Page& page() const { return page_; }

 private:
  Page page_;
};

// A command: its page, and its options, which it declares on `app`; what to do once they are parsed gives an exit code,
// or why not, which value() of a Result that it cannot do without may also throw.
struct Command {
  std::string_view name;
  std::string_view summary;
  const Page& page;
  std::function<Result<int>()> (*declare)(CLI::App& app);
};

// For Command::declare: what is typed goes into `args`, and run(args) does the work.
template <class Args, void (*declare)(CLI::App& app, Args& args), Result<int> (*run)(const Args& args)>
std::function<Result<int>()> declared(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  declare(app, *args);
  return [args] { return run(*args); };
}

extern const Command measure_command, test_command, bbc_command, fit_command, apply_command, export_command,
    show_command, check_command, compare_command, plot_command, report_command, partial_command, merge_command,
    sql_command, watch_command, paper_command, list_command, demo_command, completion_command, man_command;

std::string command_line();  // as it was typed, quoted for a shell

// How the command line writes an option that some command has: `max_iterations` is --max-iterations. Else empty.
std::string flag(std::string_view option);
// An option whose name is not what is typed: `statistics` is --statistic.
void know_flag(const std::string& option, const std::string& flag);

// The words of which the value of an option must be one; empty: any.
std::vector<std::string> choices(CLI::Option& option);

// Folders that come with the program: the sample networks and the data files of the papers.
// data or paper: where the environment variable says; else beside the installed program; else in the source tree it was
// built from. `holds` is a file that must be there.
Result<std::string> shipped_folder(const std::string& name, const char* variable, const std::string& holds);

// A signal handler for a while: the old one is back afterwards, since the program may run inside another one (Python).
class SignalGuard {
 public:
  SignalGuard(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction now {};
    now.sa_handler = handler;
    now.sa_flags = SA_RESTART;
    sigemptyset(&now.sa_mask);
    sigaction(signal_, &now, &before_);
  }
  ~SignalGuard() { sigaction(signal_, &before_, nullptr); }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

}  // namespace tare::detail::cli
