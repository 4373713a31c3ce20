#include "tare/cli/shell_words.hpp"

#include <algorithm>
#include <sstream>

#include "tare/cli/args.hpp"
#include "tare/fit/spec.hpp"
#include "tare/infer/tests/statistic.hpp"
#include "tare/measure/spec.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::cli {
namespace of_shell_words {

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

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, at);) out.push_back(word);
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

}  // namespace of_shell_words

// Those that one_of() accepts, or those of a type such as `brier|nll`.
std::vector<std::string> choices(CLI::Option& option) {
  try {
    const std::string name = option.get_validator(0)->get_name();
    if (name.starts_with(choice_mark)) return of_shell_words::split(name.substr(choice_mark.size()), ' ');
  } catch (const CLI::OptionNotFound&) {  // how CLI11 says that it has no validator
  }
  const std::string type = option.get_type_name();
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return type.find('|') == std::string::npos || std::any_of(type.begin(), type.end(), capital)
             ? std::vector<std::string>()
             : of_shell_words::split(type, '|');
}

std::vector<ShellCommand> shell_commands(CLI::App& root) {
  std::vector<ShellCommand> out;
  for (CLI::App* app : root.get_subcommands([](CLI::App*) { return true; })) {
    ShellCommand command{.name = app->get_name(), .meaning = app->get_description()};
    for (CLI::Option* option : app->get_options())
      (option->get_positional() ? command.plain : command.options)
          .push_back(of_shell_words::shell_option(*option, *app));
    out.push_back(std::move(command));
  }
  return out;
}

}  // namespace tare::detail::cli
