#include "support/kept.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <vector>

#include "support/folders.hpp"

namespace tare::detail::testing {
namespace {

using Texts = std::map<std::string, std::vector<std::string>>;  // by the name of the test

const std::string heading = "=== ";

std::string kept_file() { return source_dir() + "/tests/support/kept_texts.txt"; }

Texts kept_texts() {
  Texts out;
  std::vector<std::string>* texts = nullptr;
  std::ifstream file(kept_file());
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(heading)) {
      texts = &out[line.substr(heading.size())];
      texts->emplace_back();
    } else if (texts) {
      texts->back() += (texts->back().empty() ? "" : "\n") + line;
    }
  }
  return out;
}

// Writes the texts of the tests that ran when the program ends, and those of all others as they were.
struct Rewrite {
  Texts seen;
  ~Rewrite() {
    Texts all = kept_texts();
    for (const auto& [test, texts] : seen) all[test] = texts;
    std::ofstream file(kept_file());
    for (const auto& [test, texts] : all)
      for (const std::string& text : texts) file << heading << test << "\n" << text << "\n";
  }
};

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
}

std::string without_places(std::string text) {
  replace_all(text, source_dir(), "$source");
  const std::string temporary = std::filesystem::temp_directory_path().string() + "/tare-";
  text = std::regex_replace(text, std::regex(temporary + "[A-Za-z0-9_-]+"), "$$folder");
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string differs_from_kept(std::string text) {
  static const Texts kept = kept_texts();
  static Texts seen;
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string test = std::string(info->test_suite_name()) + "." + info->name();
  text = without_places(std::move(text));
  seen[test].push_back(text);
  if (std::getenv("TARE_KEEP_TEXTS")) {
    static Rewrite rewrite;
    rewrite.seen[test] = seen[test];
    return {};
  }
  const std::size_t number = seen[test].size();
  const auto found = kept.find(test);
  if (found == kept.end() || found->second.size() < number)
    return "tests/support/kept_texts.txt has no text " + std::to_string(number) + " of " + test + ":\n" + text;
  const std::string& wanted = found->second[number - 1];
  if (text == wanted) return {};
  return "text " + std::to_string(number) + " of " + test + " in tests/support/kept_texts.txt is\n" + wanted +
         "\nand now it is\n" + text;
}

}  // namespace tare::detail::testing
