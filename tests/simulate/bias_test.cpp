// Means of estimators on samples of the paper's ResNet-110, against a simulation by another program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"
#include "tare/simulate/engine.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::simulate;
using tare::detail::measure::Choice;
using tare::detail::testing::must;

struct Line {
  std::string estimator;
  std::size_t n = 0;
  int norm = 2;
  double mean = 0, se = 0;
  std::optional<double> mean_bins = {};
};

// "ece_bin_ew15" is our ece_ew, "ece_debias_em15" debias_em, "ece_sweep_em" sweep_em.
std::vector<Line> golden_bias(bool perfect) {
  std::vector<Line> out;
  for (const auto& f : tare::detail::testing::golden_csv("bias_mc.csv")) {
    if ((f[1] == "perfect") != perfect) continue;
    std::string name = f[5].substr(4);
    if (name.ends_with("15")) name.resize(name.size() - 2);
    if (name.starts_with("bin_")) name = "ece_" + name.substr(4);
    Line line{name, std::stoul(f[2]), std::stoi(f[4]), std::stod(f[7]), std::stod(f[9])};
    if (f.size() > 11 && !f[11].empty()) line.mean_bins = std::stod(f[11]);
    out.push_back(line);
  }
  return out;
}

void expect_golden_means(bool perfect) {
  const auto lines = golden_bias(perfect);
  ASSERT_EQ(lines.size(), 40U);
  std::vector<Choice> tasks;
  for (std::size_t i = 0; i < 10; ++i) tasks.push_back({measure::find(lines[i].estimator), {.norm = lines[i].norm}});
  const auto table = must(study(must(model("resnet110_c10", perfect)), tasks,
                                {.sizes = {200, 500, 1000, 5000}, .replicates = {.count = 4000}, .threads = 2}));
  for (const Line& line : lines) {
    const auto at = std::find_if(table.rows.begin(), table.rows.end(), [&](const SimRow& r) {
      return r.estimator == line.estimator && r.n == line.n && r.norm == line.norm;
    });
    ASSERT_NE(at, table.rows.end()) << line.estimator << " " << line.n;
    EXPECT_NEAR(*at->mean, line.mean, 4 * std::hypot(*at->se, line.se))
        << line.estimator << " n=" << line.n << " norm=" << line.norm;
    if (line.mean_bins) {
      EXPECT_NEAR(*at->mean_bins, *line.mean_bins, 0.03 * *line.mean_bins);
    }
  }
}

TEST(bias, agrees_with_another_simulation_within_4_standard_errors) { expect_golden_means(false); }

TEST(bias, at_perfect_calibration_agrees_with_another_simulation) { expect_golden_means(true); }

}  // namespace
