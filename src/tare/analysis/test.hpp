// Is this model calibrated? Any statistic, against its distribution on the same scores with labels redrawn from them
// (Bröcker and Smith 2007; Vaicenavicius et al. 2019): the p-value is (1 + count) / (R + 1). Asymptotic distributions
// are not used, because they fail where scores pile up at 1.
//
// The cost does not grow with n beyond sorting: above 8192 different scores rows are gathered into cells
// (cells.hpp), and the observed statistic that redrawings are compared with is that of the same cells, so nothing in
// the comparison is approximate. The statistic shown is that of the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"
#include "tare/core/test_report.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/infer/tests/statistic.hpp"

namespace tare::detail::analysis {

struct TestOptions {
  std::optional<Reduction> reduction = {};   // empty: the rule of choose_reduction
  std::vector<std::string> statistics = {};  // names; empty: default_statistics()
  int bins = options::bins.usual;
  int norm = options::norm.usual;  // of estimators that have one
  std::size_t resamples = options::resamples.usual;
  double alpha = options::alpha.usual;
  bool gate = false;                    // decide by the one statistic asked for, or by the first of the default ones
  bool detectable = true;               // for the first statistic
  double power = options::power.usual;  // of `detectable`
  std::size_t cells = infer::usual_cells;
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
};

Result<TestReport> test(const Predictions& predictions, const TestOptions& options = {});

// The same for one binary problem; `input` is left empty. `known`: lines measured on it, of which the verdict takes
// what it needs.
Result<TestReport> test_sample(const measure::Sample& sample, const TestOptions& options = {},
                               std::span<const Measured> known = {});

// What `detectable` of a report says, for rows with these scores; their labels do not matter. By the first statistic.
Result<Detectable> detectable_for(const numeric::Ordered& scores, const TestOptions& options = {});

// Does a shift of the base rates alone explain why calibration is rejected? One intercept per class is fitted to the
// labels (fit/prior_shift.hpp), and the shifted scores are tested once more, in the same way and on the same rows.

// Empty where there is nothing to explain (the first of the tests was not run, or did not reject), where the fit has no
// optimum, for bare confidences, and where a certain prediction was wrong: no shift repairs that.
std::optional<LevelShift> level_shift(const Predictions& predictions, Reduction reduction, const TestReport& report,
                                      const TestOptions& options);

}  // namespace tare::detail::analysis
