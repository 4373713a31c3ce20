// What `tare list` knows: the tables of the program. Plain data; its words live as long as the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/estimator.hpp"

namespace tare::detail {

struct ListedTest {
  std::string_view name = {};
  std::string_view title = {};
  std::string_view summary = {};
  std::string_view citation = {};
  bool two_sided = false;
};

struct ListedCalibrator {
  std::string_view name = {};
  std::string_view title = {};
  std::string_view summary = {};
  std::string_view citation = {};
  std::vector<std::string> options = {};
  bool keeps_top_label = false;
};

// A network with a known truth.
struct ListedModel {
  std::string_view name = {};
  std::string_view title = {};
  double alpha = 1;
  double beta = 1;
  std::string_view curve = {};
};

struct ListedCurve {
  std::string_view name = {};
  std::string_view formula = {};
  std::vector<std::string_view> coefficients = {};
};

struct Catalogue {
  std::vector<EstimatorInfo> estimators = {};
  std::vector<ListedTest> tests = {};
  std::vector<ListedCalibrator> calibrators = {};
  std::vector<ListedModel> models = {};
  std::vector<ListedCurve> curves = {};
};

}  // namespace tare::detail
