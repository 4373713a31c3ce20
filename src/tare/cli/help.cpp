// The pages of --help.
#include <algorithm>

#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::cli {
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

Section options_of(const CLI::App& app, const std::string& group) {
  Section out{group == "Options" ? "OTHER" : group};
  for (const CLI::Option* option : app.get_options([&](const CLI::Option* o) { return o->get_group() == group; }))
    out.items.push_back({Item::Kind::entry, left_of(*option), option->get_description()});
  return out;
}

std::string text_of(const Item& item, bool first, int width) {
  switch (item.kind) {
    case Item::Kind::line:
      return std::string(indent) + item.left + "\n";
    case Item::Kind::paragraph:
      return (first ? "" : "\n") + render::wrap(item.left, width, indent);
    case Item::Kind::entry:
      return entry(item.left, item.right, width);
    case Item::Kind::example:
      return std::string(indent) + item.left + "\n" + render::wrap(item.right, width, "      ");
    case Item::Kind::status:
      return std::string(indent) + item.left + "  " + item.right + "\n";
  }
  return {};
}

}  // namespace

std::vector<Section> sections(const CLI::App& app, const Page& page) {
  using enum Item::Kind;
  std::vector<Section> out = {{"NAME", {{paragraph, page.name + " - " + app.get_description()}}}};
  Section& synopsis = out.emplace_back(Section{"SYNOPSIS"});
  for (const auto& text : page.synopsis) synopsis.items.push_back({line, text});
  Section& description = out.emplace_back(Section{"DESCRIPTION"});
  for (const auto& text : page.description) description.items.push_back({paragraph, text});

  Section commands{"COMMANDS"};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.items.push_back({Item::Kind::entry, command->get_name(), command->get_description()});
  out.push_back(std::move(commands));

  auto groups = app.get_groups();
  std::stable_partition(groups.begin(), groups.end(), [](const auto& group) { return group != "Options"; });
  for (const std::string& group : groups) out.push_back(options_of(app, group));

  Section names{"NAMES"};
  if (!page.names.empty())
    names.items.push_back({paragraph,
                           "Arrays and columns that need no option, small letters or capitals, alone or after test_ or "
                           "val_; of two names for the same, the earlier counts:"});
  for (const auto& [option, known] : page.names) names.items.push_back({Item::Kind::entry, "--" + option, known});
  out.push_back(std::move(names));
  Section examples{"EXAMPLES"};
  for (const auto& [command, meaning] : page.examples) examples.items.push_back({example, command, meaning});
  out.push_back(std::move(examples));
  out.push_back({"EXIT STATUS",
                 {{status, "0", "fine"},
                  {status, "1", "a gate tripped"},
                  {status, "2", "could not run: standard error says why, and what to do"}}});
  std::erase_if(out, [](const Section& section) { return section.items.empty(); });
  return out;
}

std::string ManPage::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  const render::TextOptions style = terminal();
  std::string out;
  for (const Section& section : sections(*app, page_)) {
    out += (out.empty() ? "" : "\n") + render::paint(section.title, render::Ink::bold, style.colour) + "\n";
    for (const Item& item : section.items) out += text_of(item, &item == &section.items.front(), style.width);
  }
  return out;
}

}  // namespace tare::detail::cli
