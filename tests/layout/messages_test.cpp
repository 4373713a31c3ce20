// What the library says is read by users of three front ends: options have the library's names there, in backquotes
// (src/tare/core/result.hpp), and only a front end knows how they are typed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "support/folders.hpp"

namespace {

namespace fs = std::filesystem;

// The string literals of a line that name a flag of the command line. A whole command (`tare list --json`, also
// one of Inspect) may be named.
std::vector<std::string> flags_in(const std::string& line) {
  static const std::regex literal("\"((?:[^\"\\\\]|\\\\.)*)\""), command("`(tare|inspect) [^`]*`"), flag("--[a-z]");
  std::vector<std::string> out;
  if (line.find_first_not_of(' ') != std::string::npos && line.substr(line.find_first_not_of(' ')).starts_with("//"))
    return out;
  for (auto at = std::sregex_iterator(line.begin(), line.end(), literal); at != std::sregex_iterator(); ++at) {
    const std::string text = std::regex_replace((*at)[1].str(), command, "");
    if (std::regex_search(text, flag)) out.push_back(text);
  }
  return out;
}

TEST(messages, of_the_library_name_no_flags) {
  const fs::path source = fs::path(tare::detail::testing::source_dir()) / "src" / "tare";
  std::size_t lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string ending = entry.path().extension();
    if (ending != ".cpp" && ending != ".hpp") continue;
    const fs::path file_in = fs::relative(entry.path(), source);
    if (*file_in.begin() == "cli" || file_in == "paper/page.cpp") continue;  // pages that `tare paper` writes
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number, ++lines)
      EXPECT_TRUE(flags_in(line).empty()) << entry.path() << ":" << number << ": " << line;
  }
  EXPECT_GT(lines, 10'000U);
}

TEST(messages, planted_flags_are_found) {
  EXPECT_EQ(flags_in(R"x(  .remedy = "pass --labels FILE"};)x").size(), 1U);
  EXPECT_EQ(flags_in(R"x(  .remedy = "say \"it\"" + x + "leave out --split"};)x").size(), 1U);
  EXPECT_EQ(flags_in(R"x(  .remedy = "`tare list --json` or --json"};)x").size(), 1U);
  EXPECT_TRUE(flags_in(R"x(  .remedy = "`tare list --json` names them"};)x").empty());
  EXPECT_TRUE(flags_in("  // \"--labels\" is what the command line says").empty());
  EXPECT_TRUE(flags_in("  --left; f(\"a -- b\");").empty());
}

}  // namespace
