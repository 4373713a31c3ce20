// tare completion: the script by which a shell completes commands, options and their values.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tare/cli/args.hpp"
#include "tare/fit/spec.hpp"
#include "tare/infer/tests/statistic.hpp"
#include "tare/measure/spec.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::cli {

namespace of_completion {

const Page page{
    .name = "tare completion",
    .synopsis = {"tare completion bash|zsh|fish"},
    .description = {"Prints a script for a shell. Where it is loaded, the Tab key completes commands, options, the "
                    "names of estimators and calibrators, and files. The packages of tare install it."},
    .examples = {{"tare completion bash > ~/.local/share/bash-completion/completions/tare",
                  "for bash, from the next shell on"},
                 {"tare completion zsh > ~/.zfunc/_tare", "for zsh, where ~/.zfunc is in fpath"},
                 {"tare completion fish > ~/.config/fish/completions/tare.fish", "for fish"}},
};

// The commands and options as a shell needs them to complete a line: the tables that --help prints, as words.

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

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, at);) out.push_back(word);
  return out;
}

}  // namespace of_completion

// Those that one_of() accepts, or those of a type such as `brier|nll`.
std::vector<std::string> choices(CLI::Option& option) {
  try {
    const std::string name = option.get_validator(0)->get_name();
    if (name.starts_with(choice_mark)) return of_completion::split(name.substr(choice_mark.size()), ' ');
  } catch (const CLI::OptionNotFound&) {  // how CLI11 says that it has no validator
  }
  const std::string type = option.get_type_name();
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return type.find('|') == std::string::npos || std::any_of(type.begin(), type.end(), capital)
             ? std::vector<std::string>()
             : of_completion::split(type, '|');
}

namespace of_completion {

template <class Rows>
void add_names(std::vector<std::string>& to, const Rows& rows) {
  for (const auto& row : rows) to.emplace_back(row.name);
}

// The names of `tare list`, for the options that take them.
std::vector<std::string> listed_names(const std::string& option, const CLI::App& app) {
  std::vector<std::string> out;
  if (option == "METHOD" || option == "--methods" || option == "--calibrator") add_names(out, fit::all());
  if (option == "--statistic") add_names(out, infer::all_tests());
  if (option == "--estimators" || option == "--estimator" || option == "--statistic") add_names(out, measure::all());
  if (option == "--model" && app.get_name() != "apply") add_names(out, simulate::models());
  if (option == "--command")
    for (const CLI::App* other : app.get_parent()->get_subcommands([](const CLI::App*) { return true; }))
      out.push_back(other->get_name());
  return out;
}

bool names_a_file(const std::string& type) {
  for (const std::string& word : split(type, '|'))
    if (word == "DIR" || word == "F" || word.starts_with("F.") || word.starts_with("F,")) return true;
  return false;
}

// Up to the first semicolon that is not in parentheses.
std::string first_part(const std::string& text) {
  int depth = 0;
  const auto end = std::find_if(text.begin(), text.end(), [&](char c) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    return c == ';' && depth == 0;
  });
  return {text.begin(), end};
}

ShellOption shell_option(CLI::Option& option, const CLI::App& app) {
  ShellOption out{.names = split(option.get_name(option.get_positional(), true), ','),
                  .meaning = first_part(option.get_description()),
                  .takes_value = option.get_items_expected() > 0};
  if (!out.takes_value) return out;
  const std::string type = option.get_type_name();
  out.values = choices(option);
  if (out.values.empty()) out.values = listed_names(out.names.back(), app);
  out.files = option.get_positional() ? out.values.empty() && out.names.front() != "NAME" : names_a_file(type);
  out.listed = type.find(',') != std::string::npos;
  return out;
}

std::vector<ShellCommand> shell_commands(CLI::App& root) {
  std::vector<ShellCommand> out;
  for (CLI::App* app : root.get_subcommands([](CLI::App*) { return true; })) {
    ShellCommand command{.name = app->get_name(), .meaning = app->get_description()};
    for (CLI::Option* option : app->get_options())
      (option->get_positional() ? command.plain : command.options).push_back(shell_option(*option, *app));
    out.push_back(std::move(command));
  }
  return out;
}

// The script of each shell: one table of commands, and what the shell does with it.

constexpr std::string_view more_commands = "help version -h --help -V --version";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// Between single quotes of bash and zsh.
std::string quoted_posix(std::string text) { return "'" + replaced(std::move(text), "'", "'\\''") + "'"; }
std::string quoted_fish(std::string text) {
  return "'" + replaced(replaced(std::move(text), "\\", "\\\\"), "'", "\\'") + "'";
}

std::vector<std::string> first_words(const ShellCommand& command) {
  return command.plain.empty() ? std::vector<std::string>() : command.plain.front().values;
}
bool takes_files(const ShellCommand& command) {
  return std::any_of(command.plain.begin(), command.plain.end(), [](const ShellOption& o) { return o.files; });
}

std::string bash_command(const ShellCommand& command) {
  std::vector<std::string> names;
  std::string cases;
  for (const ShellOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!option.takes_value) continue;
    const std::string values = option.values.empty() ? option.files ? "FILES" : "NONE" : "";
    cases += fmt::format("        {}) values=\"{}\" ;;\n", fmt::join(option.names, "|"),
                         values.empty() ? fmt::format("{}", fmt::join(option.values, " ")) : values);
  }
  return fmt::format("    {})\n      options=\"{}\"\n      first=\"{}\" files={}\n{}", command.name,
                     fmt::join(names, " "), fmt::join(first_words(command), " "), takes_files(command) ? 1 : 0,
                     cases.empty() ? "" : "      case $prev in\n" + cases + "      esac\n") +
         "      ;;\n";
}

// What _arguments calls the values of an option: ":message:action".
std::string zsh_values(const ShellOption& option, const std::string& message) {
  const std::string words = fmt::format("{}", fmt::join(option.values, " "));
  std::string action;
  if (!words.empty()) action = option.listed ? "_sequence compadd - " + words : "(" + words + ")";
  if (words.empty() && option.files) action = "_files";
  return ":" + message + ":" + action;
}

std::string zsh_option(const ShellOption& option) {
  std::string meaning = replaced(option.meaning, "\\", "\\\\");
  meaning = "[" + replaced(replaced(meaning, "[", "\\["), "]", "\\]") + "]";
  const std::string all = fmt::format("{}", fmt::join(option.names, " "));
  std::string out;
  for (const std::string& name : option.names) {
    const std::string joint = !option.takes_value ? "" : name.starts_with("--") ? "=" : "+";
    const std::string rest = option.takes_value ? zsh_values(option, replaced(option.names.back(), "--", "")) : "";
    const std::string before = option.listed ? "*" : "(" + all + ")";
    out += " \\\n        " + quoted_posix(before + name + joint + meaning + rest);
  }
  return out;
}

std::string zsh_command(const ShellCommand& command) {
  std::string out = fmt::format("    {})\n      _arguments -S", command.name);
  for (const ShellOption& option : command.options) out += zsh_option(option);
  for (const ShellOption& word : command.plain)
    out += " \\\n        " + quoted_posix((&word == &command.plain.back() ? "*" : "1") +
                                          zsh_values(word, replaced(word.names.front(), ":", " ")));
  return out + "\n      ;;\n";
}

std::string fish_command(const ShellCommand& command) {
  const std::string start = fmt::format("complete -c tare -n '__tare_command {}'", command.name);
  std::string out;
  for (const ShellOption& option : command.options) {
    out += start;
    for (const std::string& name : option.names)
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    const std::string words = fmt::format("{}", fmt::join(option.values, " "));
    if (!words.empty()) out += " -x -a " + quoted_fish(option.listed ? "(__fish_append , " + words + ")" : words);
    if (words.empty() && option.takes_value) out += option.files ? " -r -F" : " -x";
    out += " -d " + quoted_fish(option.meaning) + "\n";
  }
  for (const std::string& word : first_words(command)) out += start + " -a " + word + "\n";
  return out + (takes_files(command) ? start + " -F\n" : "");
}

constexpr std::string_view bash_end = R"(  esac
  [[ $command == help ]] && first=$commands
  local head=${cur%"${cur##*,}"} tail=${cur##*,}
  if [[ $values == FILES ]]; then
    compopt -o default 2>/dev/null
  elif [[ -n $values ]]; then
    [[ $values == NONE ]] || mapfile -t COMPREPLY < <(compgen -P "$head" -W "$values" -- "$tail")
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  else
    for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do [[ " $first " == *" $word "* ]] && first=; done
    mapfile -t COMPREPLY < <(compgen -W "$first" -- "$cur")
    ((files)) && compopt -o default 2>/dev/null
  fi
  return 0
}
complete -F _tare tare
)";

std::string bash_completion(const std::vector<ShellCommand>& commands) {
  std::string names, cases;
  for (const ShellCommand& command : commands) {
    names += command.name + " ";
    cases += bash_command(command);
  }
  return fmt::format(
             "# Completions of tare for bash, made by `tare completion bash`.\n_tare() {{\n"
             "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}\n"
             "  local options= first= files=0 values= word commands=\"{0}\"\n  COMPREPLY=()\n"
             "  if ((COMP_CWORD == 1)); then\n"
             "    mapfile -t COMPREPLY < <(compgen -W \"$commands {1}\" -- \"$cur\")\n    return 0\n  fi\n"
             "  [[ $prev == = ]] && prev=${{COMP_WORDS[COMP_CWORD - 2]}}\n  [[ $cur == = ]] && cur=\n"
             "  case $command in\n{2}",
             names.substr(0, names.size() - 1), more_commands, cases) +
         std::string(bash_end);
}

std::string zsh_completion(const std::vector<ShellCommand>& commands) {
  std::string names, cases;
  for (const ShellCommand& command : commands) {
    names += "    " + quoted_posix(command.name + ":" + command.meaning) + "\n";
    cases += zsh_command(command);
  }
  return "#compdef tare\n# Completions of tare for zsh, made by `tare completion zsh`.\n_tare() {\n"
         "  local -a commands\n  commands=(\n" +
         names +
         "    'help:the page of a command'\n    'version:the version'\n  )\n"
         "  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n    return\n  fi\n"
         "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n" +
         cases +
         "    help) _describe -t commands command commands ;;\n  esac\n}\n"
         "if [ \"$funcstack[1]\" = _tare ]; then _tare \"$@\"; else compdef _tare tare; fi\n";
}

std::string fish_completion(const std::vector<ShellCommand>& commands) {
  std::string out =
      "# Completions of tare for fish, made by `tare completion fish`.\n"
      "function __tare_first\n  test (count (commandline -opc)) -eq 1\nend\n"
      "function __tare_command\n  set -l words (commandline -opc)\n"
      "  test (count $words) -gt 1; and test \"$words[2]\" = $argv[1]\nend\ncomplete -c tare -f\n"
      "complete -c tare -n __tare_first -s h -l help -d 'the page of tare'\n"
      "complete -c tare -n __tare_first -s V -l version -d 'the version'\n"
      "complete -c tare -n __tare_first -a help -d 'the page of a command'\n"
      "complete -c tare -n __tare_first -a version -d 'the version'\n";
  for (const ShellCommand& command : commands) {
    out += "complete -c tare -n __tare_first -a " + command.name + " -d " + quoted_fish(command.meaning) + "\n";
    out += "complete -c tare -n '__tare_command help' -a " + command.name + "\n";
  }
  for (const ShellCommand& command : commands) out += fish_command(command);
  return out;
}

struct Args {
  std::string shell = {};
  CLI::App* program = nullptr;
};

Result<int> run(const Args& args) {
  const auto commands = shell_commands(*args.program);
  const std::string script = args.shell == "bash"  ? bash_completion(commands)
                             : args.shell == "zsh" ? zsh_completion(commands)
                                                   : fish_completion(commands);
  return print(script) ? 0 : 2;
}

void declare(CLI::App& app, Args& args) {
  args.program = app.get_parent();
  add_option(app, "WHAT", "SHELL", args.shell, "", "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
}

}  // namespace of_completion

const Command completion_command{"completion", "the script by which bash, zsh or fish completes a line",
                                 of_completion::page,
                                 declared<of_completion::Args, of_completion::declare, of_completion::run>};

}  // namespace tare::detail::cli
