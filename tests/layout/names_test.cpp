// The table of estimators tells everything: nobody else knows an estimator by its name. A name stands in the file of
// the estimator and in the table; studies in `paper` are about named ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "support/folders.hpp"
#include "tare/measure/spec.hpp"

namespace {

namespace fs = std::filesystem;
namespace measure = tare::detail::measure;

// The same words with another meaning.
const std::set<std::pair<std::string, std::string>> other_meanings = {
    {"core/criterion.hpp", "brier"},           {"core/criterion.hpp", "nll"},  // criteria of a comparison
    {"infer/tests/registry.cpp", "rank_poly"},                                 // the test of that name
    {"render/svg/bars_svg.cpp", "corp"},                                       // a class of the style sheet

    {"render/json/json.cpp", "nll"},  // a field of the JSON
};
// English, too: what is forbidden is to look one up.
const std::set<std::string> words = {"accuracy", "confidence"};

std::string without_comment(const std::string& line) {
  const std::size_t at = line.find("//");
  return at == std::string::npos ? line : line.substr(0, at);
}

// Is one of the names in this line of code, or a part of one that is looked for? Empty: no.
std::string fault(const std::string& code) {
  static const std::regex part("(starts|ends)_with\\(\"([a-z_]+)\"\\)");
  static const std::regex lookup("([=!]= |find\\([^()]*|name = |estimators? = \\{?)$");
  if (code.find('"') == std::string::npos) return {};
  for (const measure::Estimator& e : measure::all()) {
    const std::string quoted = "\"" + std::string(e.name) + "\"";
    for (std::size_t at = code.find(quoted); at != std::string::npos; at = code.find(quoted, at + 1))
      if (!words.contains(std::string(e.name)) || std::regex_search(code.substr(0, at), lookup))
        return std::string(e.name);
  }
  if (code.find("s_with(\"") == std::string::npos) return {};
  for (auto m = std::sregex_iterator(code.begin(), code.end(), part); m != std::sregex_iterator(); ++m) {
    const std::string text = (*m)[2];
    for (const measure::Estimator& e : measure::all())
      if ((*m)[1] == "starts" ? e.name.starts_with(text) : e.name.ends_with(text)) return text;
  }
  return {};
}

// Measure's own files: the one that holds the estimator, its neighbours share a formula, not a name.
bool is_own_file(const std::string& file, const std::string& name, const std::string& text) {
  return file.starts_with("measure/") && text.find("const Estimator " + name + "_estimator") != std::string::npos;
}

TEST(names, of_estimators_stand_in_their_own_files_only) {
  const fs::path source = fs::path(tare::detail::testing::source_dir()) / "src" / "tare";
  std::size_t own = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string file = fs::relative(entry.path(), source).string();
    const std::string ending = entry.path().extension().string();
    if ((ending != ".cpp" && ending != ".hpp") || file.starts_with("paper/")) continue;
    if (file == "core/style.cpp") continue;  // the map from estimators to their looks
    std::ifstream stream(entry.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      const std::string name = fault(without_comment(line));
      if (name.empty() || other_meanings.contains({file, name})) continue;
      if (is_own_file(file, name, text)) {
        ++own;
        continue;
      }
      // a part of the decomposition in corp.cpp is called as the score it decomposes
      if (file == "measure/corp.cpp" && name == "brier") continue;
      ADD_FAILURE() << file << ":" << number << " knows " << name << ": " << line;
    }
  }
  EXPECT_GE(own, measure::all().size() - words.size());  // the files were read
}

// The check itself, on lines that break the rule and lines that do not.
TEST(names, planted_lookups_are_found) {
  for (const char* code : {"if (row.name == \"rank_poly\") return 1;", "names = {\"ece_ew\", \"sweep_em\"};",
                           "t.name.starts_with(\"debias\")", "name.ends_with(\"_ew\")", "find(survey, \"accuracy\")",
                           "m.name == \"confidence\"", ".estimator = \"accuracy\""})
    EXPECT_NE(fault(code), "") << code;
  for (const char* code : {"top ? \"accuracy\" : \"observed rate\"", "word.starts_with(\"--\")", "\"ECE of ece_ew\"",
                           "Table table({{\"confidence\"}});"})
    EXPECT_EQ(fault(code), "") << code;
}

}  // namespace
