// The script of each shell: one table of commands, and what the shell does with it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tare/cli/shell_words.hpp"

namespace tare::detail::cli {
namespace of_shell_scripts {

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

}  // namespace of_shell_scripts

using namespace of_shell_scripts;

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

}  // namespace tare::detail::cli
