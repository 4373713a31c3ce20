// The include graph of the rooms: data moves one way, and a room sees only what it is made of.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "support/folders.hpp"

namespace {

namespace fs = std::filesystem;

// What each room may include beside itself. A new room needs its line here.
const std::map<std::string, std::set<std::string>> allowed = {
    {"core", {}},
    {"platform", {}},
    {"numeric", {"core", "platform"}},
    {"reduce", {"core", "numeric"}},
    {"read", {"core", "platform", "numeric"}},
    {"write", {"core", "platform"}},
    {"measure", {"core", "numeric"}},
    {"fit", {"core", "numeric", "reduce", "read"}},
    {"simulate", {"core", "numeric", "measure", "write"}},
    {"infer", {"core", "numeric", "measure", "fit"}},
    {"analysis", {"core", "numeric", "reduce", "measure", "fit", "simulate", "infer"}},
    {"render", {"core"}},
    {"gpu", {"core", "numeric", "measure", "fit"}},
    {"state", {"core", "platform", "numeric", "reduce", "read", "measure"}},
    {"watch", {"core", "numeric", "infer", "state"}},
    {"api", {"core", "numeric", "read", "measure", "fit", "simulate", "analysis", "render", "state", "write"}},
    {"paper", {"core", "numeric", "reduce", "read", "measure", "fit", "simulate", "analysis", "render", "write"}},
    {"cli",
     {"core", "platform", "numeric", "read", "measure", "fit", "simulate", "infer", "analysis", "render", "paper",
      "write", "state", "watch"}},
};

const fs::path source = fs::path(tare::detail::testing::source_dir()) / "src" / "tare";

TEST(include_graph, every_room_has_its_rule) {
  for (const auto& entry : fs::directory_iterator(source)) {
    ASSERT_TRUE(entry.is_directory()) << entry.path() << " is in no room";
    EXPECT_TRUE(allowed.contains(entry.path().filename())) << entry.path();
  }
}

// What is wrong with a line of a file in this room; empty if nothing.
std::string fault(const std::string& room, const std::string& line) {
  static const std::regex include("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"].*");
  static const std::regex ours("tare/([a-z]+)/.*");
  static const std::regex front_door("tare/[a-z]+\\.hpp");
  std::smatch match;
  if (!std::regex_match(line, match, include)) return {};
  const bool quoted = match[1] == "\"";
  const std::string file = match[2];
  if (std::regex_match(file, match, ours)) {
    const std::string other = match[1];
    return other == room || allowed.at(room).contains(other) ? "" : room + " may not include " + other;
  }
  if (!quoted && std::regex_match(file, front_door)) return {};  // include/tare: vocabulary for everybody
  if (quoted && (file.front() == '.' || file.find('/') == std::string::npos))
    return "hides its room; write \"tare/ROOM/...\"";
  // core is vocabulary for everybody: the headers of the standard library have neither a folder nor an ending
  if (room == "core" && file.find_first_of("/.") != std::string::npos) return "core needs only the standard library";
  return {};
}

TEST(include_graph, rooms_include_only_what_they_may) {
  std::size_t lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    const std::string room = *fs::relative(entry.path(), source).begin();
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number, ++lines)
      EXPECT_EQ(fault(room, line), "") << entry.path() << ":" << number << ": " << line;
  }
  EXPECT_GT(lines, 10'000U);  // the files were read
}

// The check itself, on lines that break a rule and lines that do not.
TEST(include_graph, planted_violations_are_found) {
  for (const char* line :
       {"#include <Eigen/Dense>", "#include <fmt/core.h>", "#include <zlib.h>", "#include <hwy/highway.h>",
        "#include \"hwy/highway.h\"", "#  include <Eigen/Core>  // why", "\t#include <Random123/philox.h>",
        "#include <CLI/CLI.hpp>", "#include <nlohmann/json.hpp>", "#include \"tare/numeric/bins.hpp\"",
        "#include <tare/measure/spec.hpp>", "#include \"views.hpp\"", "#include \"../read/npy.hpp\""})
    EXPECT_NE(fault("core", line), "") << line;
  for (const char* line : {"#include \"tare/measure/spec.hpp\"", "#include <tare/cli/args.hpp>",
                           "#include \"./bins.hpp\"", "#include \"bins.hpp\""})
    EXPECT_NE(fault("numeric", line), "") << line;
  EXPECT_NE(fault("render", "#include \"tare/measure/spec.hpp\""), "");
  for (const char* line : {"#include <vector>", "#include <cstdint>", "#include \"tare/core/result.hpp\"",
                           "// #include <Eigen/Dense>", "int include = 0;", ""})
    EXPECT_EQ(fault("core", line), "") << line;
  for (const char* line :
       {"#include <Eigen/Dense>", "#include \"hwy/foreach_target.h\"", "#include \"tare/core/views.hpp\""})
    EXPECT_EQ(fault("numeric", line), "") << line;
}

// Each of these reads or writes one form. No header among them: whoever makes JSON sees render/json/json_text.hpp.
TEST(sources, know_the_json_library_in_five_places) {
  const std::set<std::string> known = {"fit/model_reader.cpp", "fit/model_writer.cpp", "paper/value.cpp",
                                       "render/json/json_text.cpp", "simulate/running_study.cpp"};
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.find("<nlohmann/") != std::string::npos) found.insert(fs::relative(entry.path(), source).string());
  }
  EXPECT_EQ(found, known);
}

// std::lgamma writes signgam, a global variable: numeric/special.hpp has one that does not.
TEST(sources, call_nothing_that_writes_a_global) {
  const std::regex racy("(^|[^_a-z:])(std::|::)?lgammaf?\\s*\\(.*");
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
      EXPECT_FALSE(std::regex_search(line, racy)) << entry.path() << ":" << number << ": " << line;
  }
}

}  // namespace
