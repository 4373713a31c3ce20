// --help as a manual page: name, synopsis, description, options by group, examples, exit codes. `tare man` writes the
// same sections for man(1).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tare::detail::cli {

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

}  // namespace tare::detail::cli
