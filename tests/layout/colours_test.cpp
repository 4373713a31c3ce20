// Colours have one home, core/palette.hpp: no chart says what an estimator looks like, nor a colour of its own.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "support/folders.hpp"
#include "tare/core/palette.hpp"
#include "tare/measure/spec.hpp"

namespace {

namespace fs = std::filesystem;

// These are to follow.
const std::set<std::string> to_follow = {};

std::string colour_fault(const std::string& line) {
  static const std::regex hex("[\"']#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?[\"']");
  static const std::regex named(
      "(color|colour|facecolor|edgecolor|fill|stroke) ?= ?\"(white|black|red|green|blue|gr[ae]y)\"");
  static const std::regex cycle("\"C[0-9]\"|\"tab:");
  std::smatch found;
  for (const std::regex* pattern : {&hex, &named, &cycle})
    if (std::regex_search(line, found, *pattern)) return found[0];
  return {};
}

TEST(colours, stand_in_the_palette_only) {
  const fs::path root = tare::detail::testing::source_dir();
  std::size_t files = 0;
  for (const char* folder : {"src/tare", "python"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string file = fs::relative(entry.path(), root).string(), ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".py") continue;
      if (file == "src/tare/core/palette.hpp" || to_follow.contains(file)) continue;
      ++files;
      std::ifstream stream(entry.path());
      std::string line;
      for (int number = 1; std::getline(stream, line); ++number)
        EXPECT_EQ(colour_fault(line), "") << file << ":" << number << ": " << line << "\ntake it from core/palette.hpp";
    }
  EXPECT_GT(files, 400U);
}

TEST(colours, planted_ones_are_found) {
  for (const char* line : {".fill = \"#1f4e79\"", "color=\"white\"", "colours = ('#fff',)", "color=\"C0\""})
    EXPECT_NE(colour_fault(line), "") << line;
  for (const char* line : {"href=\"#main\"", "\"url(#bar\"", "#include <vector>", "fill = \"none\""})
    EXPECT_EQ(colour_fault(line), "") << line;
}

// Nothing is said by colour alone: mark and dash tell every two estimators apart.
TEST(colours, every_estimator_has_a_look_of_its_own) {
  std::set<std::pair<tare::detail::MarkShape, std::string_view>> seen;
  for (const auto& e : tare::detail::measure::all()) {
    const tare::detail::Style* look = tare::detail::find_style(e.name);
    ASSERT_NE(look, nullptr) << e.name << " has no line in core/style.cpp";
    EXPECT_TRUE(seen.insert({look->mark, look->dash}).second) << e.name;
  }
}

}  // namespace
