// isotonic and platt against scikit-learn's IsotonicRegression and LogisticRegression: the stored numbers of
// tests/golden/calib/sklearn.csv, and the program that made them run anew where a scikit-learn is at hand.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "fit/maps.hpp"
#include "support/folders.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;
using Lines = std::vector<std::vector<std::string>>;  // dataset, what, x, value

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

void expect_isotonic(const Lines& lines) {
  std::map<std::string, std::map<std::string, std::map<double, double>>> expected;  // what, dataset, x
  for (const auto& f : lines)
    if (f[1] != "slope") expected[f[1]][f[0]][number(f[2])] = number(f[3]);
  ASSERT_EQ(expected.size(), 2U);
  for (const auto& [what, sets] : expected) {
    ASSERT_GE(sets.size(), 12U);
    for (const auto& [name, curve] : sets) {
      Rows rows = golden_rows(name);
      for (std::size_t i = 0; what == "weighted" && i < rows.score.size(); ++i)
        rows.weight.push_back(static_cast<double>(1 + i % 3));
      std::vector<double> x;
      for (const auto& [at, value] : curve) x.push_back(at);
      const auto ours = applied(fitted("isotonic", binary(rows)), x);
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(ours[i], curve.at(x[i]), 1e-12) << name << " at " << x[i] << ", " << what;
    }
  }
}

void expect_platt(const Lines& lines) {
  int compared = 0;
  for (const auto& f : lines) {
    if (f[1] != "slope") continue;
    const Model model = fitted("platt", binary(golden_rows(f[0])));
    EXPECT_NEAR(std::get<std::vector<double>>(model.parameters.at(f[2] == "0" ? "a" : "b")).at(0), number(f[3]), 1e-9)
        << f[0];
    ++compared;
  }
  EXPECT_EQ(compared, 6);
}

TEST(scikit_learn, stored_numbers_agree) {
  expect_isotonic(golden_csv("calib/sklearn.csv"));
  expect_platt(golden_csv("calib/sklearn.csv"));
}

// $TARE_PYTHON, or python3
TEST(scikit_learn, the_installed_one_agrees) {
  const char* chosen = std::getenv("TARE_PYTHON");
  const std::string python = chosen ? chosen : "python3";
  if (std::system((python + " -c 'import sklearn' 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no scikit-learn";
  const std::string folder = tare::detail::testing::source_dir() + "/tests/golden/";
  FILE* pipe = popen((python + " " + folder + "calib/sklearn_reference.py " + folder + "data.csv").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  ASSERT_EQ(pclose(pipe), 0);
  Lines lines;
  std::istringstream in(text);
  std::string line, field;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    lines.emplace_back();
    while (std::getline(cells, field, ',')) lines.back().push_back(field);
  }
  expect_isotonic(lines);
  expect_platt(lines);
}

}  // namespace
