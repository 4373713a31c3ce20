#include "tare/cli/help.hpp"

#include <algorithm>

#include "tare/cli/output.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::cli {
namespace {

constexpr std::string_view indent = "  ";

// "--bins N", then its meaning; on a line of its own where the name is long.
std::string entry(const std::string& left, const std::string& right, int width) {
  constexpr std::size_t column = 24;
  std::string out = std::string(indent) + left;
  const std::string body = render::wrap(right, width, std::string(column, ' '));
  if (out.size() + 2 > column) return out + "\n" + body;
  return out + body.substr(out.size());
}

std::string left_of(const CLI::Option& option) {
  std::string out = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  for (std::size_t at = 0; (at = out.find(',', at)) != std::string::npos; at += 2) out.insert(at + 1, 1, ' ');
  const std::string type = option.get_items_expected() > 0 ? option.get_type_name() : "";
  return type.empty() || option.get_positional() ? out : out + " " + type;
}

}  // namespace

std::string ManPage::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  const render::TextOptions style = terminal();
  const int width = style.width;
  const auto title = [on = style.colour](const std::string& words) {
    return "\n" + render::paint(words, render::Ink::bold, on) + "\n";
  };
  std::string out = title("NAME").substr(1) + render::wrap(page_.name + " - " + app->get_description(), width, indent);
  out += title("SYNOPSIS");
  for (const auto& line : page_.synopsis) out += std::string(indent) + line + "\n";
  out += title("DESCRIPTION");
  for (std::size_t i = 0; i < page_.description.size(); ++i)
    out += (i > 0 ? "\n" : "") + render::wrap(page_.description[i], width, indent);

  const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
  if (!commands.empty()) out += title("COMMANDS");
  for (const CLI::App* command : commands) out += entry(command->get_name(), command->get_description(), width);

  auto groups = app->get_groups();
  std::stable_partition(groups.begin(), groups.end(), [](const auto& group) { return group != "Options"; });
  for (const std::string& group : groups) {
    const auto options = app->get_options([&](const CLI::Option* o) { return o->get_group() == group; });
    if (!options.empty()) out += title(group == "Options" ? "OTHER" : group);
    for (const CLI::Option* option : options) out += entry(left_of(*option), option->get_description(), width);
  }

  if (!page_.names.empty())
    out += title("NAMES") + render::wrap(
                                "Arrays and columns that need no option, small letters or capitals, alone or "
                                "after test_ or val_; of two names for the same, the earlier counts:",
                                width, indent);
  for (const auto& [option, known] : page_.names) out += entry("--" + option, known, width);
  if (!page_.examples.empty()) out += title("EXAMPLES");
  for (const auto& [command, meaning] : page_.examples)
    out += std::string(indent) + command + "\n" + render::wrap(meaning, width, "      ");
  out += title("EXIT STATUS");
  return out + "  0  fine\n  1  a gate tripped\n  2  could not run: standard error says why, and what to do\n";
}

}  // namespace tare::inner::cli
