// The include graph of the rooms: data moves one way, and a room sees only what it is made of.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// What each room may include beside itself. A new room needs its line here.
const std::map<std::string, std::set<std::string>> allowed = {
    {"core", {}},
    {"numeric", {"core"}},
    {"reduce", {"core", "numeric"}},
    {"read", {"core", "numeric"}},
    {"write", {"core"}},
    {"measure", {"core", "numeric", "reduce"}},
    {"fit", {"core", "numeric", "reduce"}},
    {"simulate", {"core", "numeric", "reduce", "measure", "fit", "write"}},
    {"infer", {"core", "numeric", "reduce", "measure", "fit", "simulate"}},
    {"render", {"core"}},
    {"paper", {"core", "numeric", "reduce", "read", "measure", "fit", "simulate", "infer", "render", "write"}},
    {"cli", {"core", "numeric", "reduce", "read", "measure", "fit", "simulate", "infer", "render", "paper", "write"}},
};

const fs::path source = fs::path(TARE_SOURCE_DIR) / "src" / "tare";

TEST(include_graph, every_room_has_its_rule) {
  for (const auto& entry : fs::directory_iterator(source)) {
    ASSERT_TRUE(entry.is_directory()) << entry.path() << " is in no room";
    EXPECT_TRUE(allowed.contains(entry.path().filename())) << entry.path();
  }
}

TEST(include_graph, rooms_include_only_what_they_may) {
  const std::regex ours("^\\s*#\\s*include\\s*[<\"]tare/([a-z]+)/.*");
  const std::regex relative("^\\s*#\\s*include\\s*\"(\\.|[^/\"]*\").*");
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    const std::string room = *fs::relative(entry.path(), source).begin();
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      EXPECT_FALSE(std::regex_match(line, relative))
          << entry.path() << ":" << number << " hides its room; write \"tare/ROOM/...\": " << line;
      std::smatch match;
      if (!std::regex_match(line, match, ours)) continue;
      const std::string other = match[1];
      EXPECT_TRUE(other == room || allowed.at(room).contains(other))
          << entry.path() << ":" << number << ": " << room << " may not include " << other;
    }
  }
}

// core is vocabulary for everybody: the standard library and nothing else.
TEST(include_graph, core_needs_only_the_standard_library) {
  const std::regex third_party("^\\s*#\\s*include\\s*<([a-z0-9_]+/|[^>]*\\.h).*");
  for (const auto& entry : fs::recursive_directory_iterator(source / "core")) {
    std::ifstream file(entry.path());
    std::string line;
    while (std::getline(file, line)) EXPECT_FALSE(std::regex_match(line, third_party)) << entry.path() << ": " << line;
  }
}

}  // namespace
