// What `tare measure` knows of several models: one line each. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tare/core/comparison.hpp"
#include "tare/core/test_report.hpp"

namespace tare::detail {

struct ModelLine {
  TestReport test = {};                      // its input and its verdict
  std::optional<double> brier = {};          // empty: the rows are not there
  std::vector<Difference> differences = {};  // against the first model, where all hold the same rows
};

struct ModelTable {
  std::vector<ModelLine> models = {};  // the smallest estimated error first; without one last
  bool same_rows = false;
  std::string reason = {};  // why differences are not judged
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
};

}  // namespace tare::detail
