// Every source file has a test of its name in the folder of its room, or stands in covered_by.txt with the test that
// covers it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "support/folders.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path root = tare::detail::testing::source_dir();

std::map<std::string, std::string> covered_by() {
  std::map<std::string, std::string> out;
  std::ifstream file(root / "tests/layout/covered_by.txt");
  for (std::string source, test; file >> source >> test;) EXPECT_TRUE(out.emplace(source, test).second) << source;
  return out;
}

TEST(covered, every_source_has_a_test_or_names_one) {
  std::set<std::string> tests;  // measure/sweep
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    const std::string name = entry.path().stem();
    if (entry.path().extension() == ".cpp" && name.ends_with("_test"))
      tests.insert(fs::relative(entry.path(), root / "tests").begin()->string() + "/" +
                   name.substr(0, name.size() - 5));
  }
  auto listed = covered_by();
  for (const auto& entry : fs::recursive_directory_iterator(root / "src/tare")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string source = fs::relative(entry.path(), root / "src/tare");
    const bool own = tests.contains(source.substr(0, source.find('/')) + "/" + entry.path().stem().string());
    const auto at = listed.find(source);
    if (at == listed.end()) {
      EXPECT_TRUE(own) << source << " has no test; write one, or its line in tests/layout/covered_by.txt";
      continue;
    }
    EXPECT_FALSE(own) << source << " has a test of its own: take it out of tests/layout/covered_by.txt";
    EXPECT_TRUE(fs::exists(root / at->second)) << source << ": " << at->second;
    listed.erase(at);
  }
  for (const auto& [source, test] : listed) ADD_FAILURE() << source << " stands in covered_by.txt, and is gone";
}

}  // namespace
