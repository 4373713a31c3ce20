// tests/golden: values computed by other people's programs (see the README there).
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "support/folders.hpp"

namespace tare::detail::testing {

struct GoldenCase {
  std::string dataset;
  int bins = 0;                 // 0 where the estimator has none
  int norm = 0;                 // 0 where the estimator has none
  std::optional<double> value;  // empty: the reference fails here
  Rows rows;
  bool tied = false;     // some scores are equal
  bool on_grid = false;  // some scores are multiples of 0.01, so they may sit on a bin edge
};

inline std::vector<std::vector<std::string>> golden_csv(const std::string& name) {
  std::ifstream in(tare::detail::testing::source_dir() + "/tests/golden/" + name);
  EXPECT_TRUE(in.good()) << name;
  std::vector<std::vector<std::string>> rows;
  std::string line, field;
  std::getline(in, line);  // header
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    std::istringstream s(line + ",");
    while (std::getline(s, field, ',')) fields.push_back(field);
    rows.push_back(std::move(fields));
  }
  return rows;
}

inline std::map<std::string, Rows> golden_data() {
  std::map<std::string, Rows> data;
  for (const auto& f : golden_csv("data.csv")) {
    data[f[0]].score.push_back(std::strtod(f[1].c_str(), nullptr));
    data[f[0]].label.push_back(f[2] == "1");
  }
  return data;
}

inline Rows golden_rows(const std::string& dataset) { return golden_data().at(dataset); }

inline std::vector<GoldenCase> golden(const std::string& estimator, const std::string& binning,
                                      const std::string& variant) {
  const auto data = golden_data();
  std::vector<GoldenCase> cases;
  for (const auto& f : golden_csv("estimators.csv")) {
    if (f[1] != estimator || f[2] != binning || f[5] != variant) continue;
    GoldenCase c{f[0], std::atoi(f[3].c_str()), std::atoi(f[4].c_str()), {}, data.at(f[0])};
    if (!f[6].empty()) c.value = std::strtod(f[6].c_str(), nullptr);
    const auto& s = c.rows.score;
    c.tied = std::set<double>(s.begin(), s.end()).size() < s.size();
    for (const double x : s) c.on_grid |= x != 1 && std::abs(x * 100 - std::round(x * 100)) < 1e-9;
    cases.push_back(std::move(c));
  }
  EXPECT_FALSE(cases.empty()) << estimator << " " << binning << " " << variant;
  return cases;
}

// Only the cases that our rules share with the reference, and where it has a value.
template <class Keep>
std::vector<GoldenCase> only(std::vector<GoldenCase> cases, const Keep& keep) {
  std::erase_if(cases, [&](const GoldenCase& c) { return !c.value || !keep(c); });
  EXPECT_GE(cases.size(), 5U);
  return cases;
}
inline std::vector<GoldenCase> untied(std::vector<GoldenCase> cases) {
  return only(std::move(cases), [](const GoldenCase& c) { return !c.tied; });
}
inline std::vector<GoldenCase> off_grid(std::vector<GoldenCase> cases) {
  return only(std::move(cases), [](const GoldenCase& c) { return !c.on_grid; });
}
inline std::vector<GoldenCase> with_value(std::vector<GoldenCase> cases) {
  return only(std::move(cases), [](const GoldenCase&) { return true; });
}

}  // namespace tare::detail::testing
