// --help as a manual page: name, synopsis, description, options by group, examples, exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tare::inner::cli {

struct Page {
  std::string name;
  std::vector<std::string> synopsis = {};
  std::vector<std::string> description = {};                       // paragraphs
  std::vector<std::pair<std::string, std::string>> names = {};     // what arrays and columns may be called
  std::vector<std::pair<std::string, std::string>> examples = {};  // command, what it does
};

class ManPage : public CLI::FormatterBase {
 public:
  explicit ManPage(Page page) : page_(std::move(page)) {}
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  Page page_;
};

}  // namespace tare::inner::cli
