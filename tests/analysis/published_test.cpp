// Numbers that others published or computed on the same files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "support/data.hpp"
#include "support/folders.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/read/dataset.hpp"

namespace {

using tare::detail::analysis::survey;
using tare::detail::analysis::SurveyOptions;
using tare::detail::testing::must;

double value(const tare::detail::Survey& s, const std::string& name) {
  for (const auto& m : s.measured)
    if (m.name == name) return m.estimate->value;
  ADD_FAILURE() << name;
  return 0;
}

// Roelofs et al. 2022, Table 4: 6.67% (l2, validation fold); the test fold's l1 error is 4.750%.
TEST(published, resnet110_on_cifar10_of_kaengsepp_et_al) {
  const std::string dir = tare::detail::testing::shared_dir() + "/data/kangsepp_resnet110_c10/";
  if (!std::filesystem::exists(dir)) GTEST_SKIP() << "no " << dir;
  const auto val =
      must(tare::detail::read::all_rows({.logits = dir + "val_logits.npy", .labels = dir + "val_labels.npy"}));
  const auto test =
      must(tare::detail::read::all_rows({.logits = dir + "test_logits.npy", .labels = dir + "test_labels.npy"}));
  SurveyOptions o{.norms = {2}, .estimators = {"ece_ew"}, .resample = false};
  EXPECT_NEAR(value(must(survey(val, o)), "ece_ew"), 0.0667, 0.00005);
  o.norms = {1};
  EXPECT_NEAR(value(must(survey(test, o)), "ece_ew"), 0.04750, 0.000005);
}

// data/training_runs.csv was written by the training program, in PyTorch. The CIFAR-100 logits were rounded to 16 bits
// afterwards, which moves a few rows over a bin edge and a few argmaxes.
TEST(published, shipped_networks_measure_as_their_training_program_said) {
  const std::string data = tare::detail::testing::source_dir() + "/data/";
  std::ifstream in(data + "training_runs.csv");
  std::string line, field;
  std::getline(in, line);
  std::map<std::string, std::vector<double>> best;  // name -> test accuracy, confidence, ece, nll of its longest run
  std::map<std::string, double> epochs;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    std::vector<std::string> f;
    while (std::getline(row, field, ',')) f.push_back(field);
    const std::string name = f[0] + "_" + f[1];
    const double e = std::strtod(f[2].c_str(), nullptr);
    if (e < epochs[name]) continue;
    epochs[name] = e;
    best[name].clear();
    for (std::size_t i = 12; i < 16; ++i) best[name].push_back(std::strtod(f[i].c_str(), nullptr));
  }
  int seen = 0;
  for (const auto& [name, expected] : best) {
    if (!std::filesystem::exists(data + name + ".npz")) continue;
    ++seen;
    const double tolerance = name.ends_with("cifar10") ? 6e-6 : 6e-4;
    const auto s = must(survey(must(tare::detail::read::all_rows({.files = {data + name + ".npz"}})),
                               {.norms = {1}, .resample = false}));
    EXPECT_NEAR(value(s, "accuracy"), expected[0], tolerance) << name;
    EXPECT_NEAR(value(s, "confidence"), expected[1], tolerance) << name;
    EXPECT_NEAR(value(s, "ece_ew"), expected[2], tolerance) << name;
    EXPECT_NEAR(value(s, "nll"), expected[3], tolerance) << name;
  }
  EXPECT_EQ(seen, 10);
}

}  // namespace
