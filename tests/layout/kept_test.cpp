// Every text of tests/support/kept_texts.txt belongs to a test that there is.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "support/folders.hpp"

namespace {

namespace fs = std::filesystem;

TEST(kept, every_text_names_a_test) {
  const fs::path tests = fs::path(tare::detail::testing::source_dir()) / "tests";
  const std::regex head(R"(\bTEST(?:_F|_P)?\(([^,()]+), ([^,()]+)\))");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(tests)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (std::sregex_iterator at(text.begin(), text.end(), head), end; at != end; ++at)
      names.insert((*at)[1].str() + "." + (*at)[2].str());
  }
  std::ifstream kept(tests / "support/kept_texts.txt");
  std::size_t texts = 0;
  for (std::string line; std::getline(kept, line);)
    if (line.starts_with("=== ")) {
      ++texts;
      EXPECT_TRUE(names.contains(line.substr(4))) << line.substr(4) << " is no test: remove its text";
    }
  EXPECT_GT(texts, 400U);
}

}  // namespace
