// tare man: the pages of --help for man(1).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <tare/version.hpp>
#include "tare/cli/args.hpp"
#include "tare/core/suggest.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::cli {
namespace of_man {

namespace fs = std::filesystem;

const Page page{
    .name = "tare man",
    .synopsis = {"tare man [--command NAME]", "tare man -o DIR"},
    .description =
        {"Prints the page of --help in the language of man(1): of tare, or of one command. With -o it writes all of "
         "them into a folder, as tare.1, tare-measure.1 and so on. The packages of tare install them."},
    .examples = {{"tare man --command measure | man -l -", "read one"},
                 {"tare man -o ~/.local/share/man/man1", "for `man tare-measure`"}},
};

// Text of roff: a backslash and a minus have names, and no line begins with a dot.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with(render::no_break)) {
      out += "\\ ";
      i += render::no_break.size() - 1;
    } else if (text[i] == '\\') {
      out += "\\e";
    } else if (text[i] == '-') {
      out += "\\-";
    } else {
      out += text[i];
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string name_of_page(const CLI::App& app) { return app.get_parent() ? "tare-" + app.get_name() : "tare"; }

std::string roff(const Item& item, const Section& section) {
  switch (item.kind) {
    case Item::Kind::paragraph:
      return (&item == &section.items.front() ? "" : ".PP\n") + escaped(item.left) + "\n";
    case Item::Kind::line:
      return (&item == &section.items.front() ? "" : ".br\n") + escaped(item.left) + "\n";
    case Item::Kind::entry:
      return section.title == "COMMANDS"
                 ? ".TP\n.BR tare\\-" + escaped(item.left) + " (1)\n" + escaped(item.right) + "\n"
                 : ".TP\n.B " + escaped(item.left) + "\n" + escaped(item.right) + "\n";
    case Item::Kind::example:
    case Item::Kind::status:
      return ".TP\n.B " + escaped(item.left) + "\n" + escaped(item.right) + "\n";
  }
  return {};
}

std::string roff(const CLI::App& app, const std::vector<std::string>& pages) {
  const std::string name = name_of_page(app);
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  std::string out = fmt::format(".TH {} 1 \"\" \"tare {}\" \"tare\"\n", escaped(title), TARE_VERSION);
  for (const Section& section : sections(app, dynamic_cast<const ManPage&>(*app.get_formatter()).page())) {
    out += ".SH " + section.title + "\n";
    if (section.title == "NAME") {  // for whatis(1)
      out += escaped(name) + " \\- " + escaped(app.get_description()) + "\n";
      continue;
    }
    for (const Item& item : section.items) out += roff(item, section);
  }
  out += ".SH SEE ALSO\n";
  for (const std::string& other : pages)
    if (other != name) out += ".BR " + escaped(other) + (other == pages.back() ? " (1)\n" : " (1),\n");
  return out;
}

struct Args {
  std::string command = {};
  std::string folder = {};
  const CLI::App* program = nullptr;
};

Result<int> run(const Args& args) {
  const CLI::App& root = *args.program;
  std::vector<const CLI::App*> apps = {&root};
  for (const CLI::App* app : root.get_subcommands([](const CLI::App*) { return true; })) apps.push_back(app);
  std::vector<std::string> pages, names;
  for (const CLI::App* app : apps) {
    pages.push_back(name_of_page(*app));
    names.push_back(app->get_name());
  }
  std::sort(pages.begin(), pages.end());
  if (args.folder.empty()) {
    const auto at = std::find(names.begin(), names.end(), args.command.empty() ? names.front() : args.command);
    if (at == names.end())
      return bad_option("unknown command '" + foreign(args.command) + "'",
                        did_you_mean(args.command, names, "`tare --help` lists the commands"));
    return print(roff(*apps[static_cast<std::size_t>(at - names.begin())], pages)) ? 0 : 2;
  }
  std::error_code fault;
  fs::create_directories(args.folder, fault);
  if (fault)
    return failure(Errc::io, "cannot make the folder " + foreign(args.folder) + ": " + fault.message(),
                   "give another one with -o");
  for (const CLI::App* app : apps) {
    auto out = Output::open((fs::path(args.folder) / (name_of_page(*app) + ".1")).string(), Format::text, {}).value();
    if (const auto code = out.write(roff(*app, pages)); !code) return code.error();
  }
  return 0;
}

void declare(CLI::App& app, Args& args) {
  args.program = app.get_parent();
  // not a word without dashes: CLI11 takes the name of a command for the next command
  CLI::Option* command =
      app.add_option("--command", args.command, "whose page (that of tare)")->type_name("NAME")->group("WHAT");
  add_option(app, "OUTPUT", "-o,--output", args.folder, "DIR", "folder for all pages, made if missing")
      ->excludes(command);
}

}  // namespace of_man

const Command man_command{"man", "the pages of --help, for man(1)", of_man::page,
                          declared<of_man::Args, of_man::declare, of_man::run>};

}  // namespace tare::detail::cli
