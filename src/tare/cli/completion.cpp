// tare completion: the script by which a shell completes commands, options and their values.
#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/cli/shell_words.hpp"

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

std::function<Result<int>()> declare(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  app.formatter(std::make_shared<ManPage>(page));
  app.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("")
      ->group("WHAT")
      ->check(one_of({"bash", "zsh", "fish"}));
  return [shell, &app]() -> Result<int> {
    const auto commands = shell_commands(*app.get_parent());
    const std::string script = *shell == "bash"  ? bash_completion(commands)
                               : *shell == "zsh" ? zsh_completion(commands)
                                                 : fish_completion(commands);
    return print(script) ? 0 : 2;
  };
}

}  // namespace of_completion

const Command completion_command{"completion", "the script by which bash, zsh or fish completes a line",
                                 of_completion::declare};

}  // namespace tare::detail::cli
