// Every estimator on the same rows: its value, how much of it noise alone would show, its interval, and one verdict.
//
//     const auto m = tare::measure(*p);
//     if (!m) return fail(m.error());
//     std::cout << m->headline().value << "  " << m->verdict.sentence << '\n';
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tare/estimators.hpp>
#include <tare/predictions.hpp>
#include <tare/run.hpp>
#include <tare/verdict.hpp>

namespace tare {
inline namespace v0_3 {

struct MeasureOptions {
  std::optional<Reduction> reduction = {};  // empty: the rule of Reduction
  int bins = 15;
  std::vector<int> norms = {1, 2};
  std::vector<std::string> estimators = {};  // by name; empty: all
  bool resample = true;                      // noise and verdicts: redraws the labels a thousand times
};

// Of one number; whether the model is miscalibrated is the verdict.
enum class Judgement {
  none,          // nothing was resampled, or the number is no error
  within_noise,  // a calibrated model would show as much in more than 5 of 100 such samples
  above_noise    // in fewer than 5
};

// One estimator in one norm.
struct EstimateRow {
  std::string estimator;
  std::optional<int> norm = {};
  std::optional<std::size_t> class_index = {};  // classwise: of one class; empty: of all
  std::optional<double> value = {};
  std::string reason = {};         // why there is no value
  std::optional<double> low = {};  // 95% interval
  std::optional<double> high = {};
  std::string interval = {};              // how it was made, or why there is none
  std::optional<double> noise = {};       // the mean value of a perfectly calibrated model on such a sample
  std::optional<double> noise_high = {};  // and what it stays below in 95 of 100
  Judgement judgement = Judgement::none;
  std::vector<Bin> bins = {};
};

// The number to report.
struct Headline {
  std::string estimator;
  std::optional<int> norm = {};
  double value = 0;
  std::optional<double> low = {};  // 95% interval, where it has one
  std::optional<double> high = {};
};

struct TARE_EXPORT Measurement {
  std::size_t rows = 0;
  std::size_t classes = 0;  // 0: unknown
  Reduction reduction = Reduction::top_label;
  std::vector<EstimateRow> estimates = {};
  Verdict verdict = {};                 // the one decision; its sentence is always there
  std::vector<std::string> notes = {};  // what was done differently, and why
  support::Handle impl = {};            // what to_text, to_json and reliability_svg show

  // The true calibration error where it was measured (rank_poly), else the first error of calibration with a value.
  // Throws Failure where there is none.
  [[nodiscard]] Headline headline() const;
  // The first line of that name, over all classes; norm 0: any. Null if there is none.
  [[nodiscard]] const EstimateRow* find(std::string_view estimator, int norm = 0) const noexcept;
  // The same; throws Failure where there is none.
  [[nodiscard]] const EstimateRow& at(std::string_view estimator, int norm = 0) const;
};

TARE_EXPORT Result<Measurement> measure(const Predictions& predictions, const MeasureOptions& options = {},
                                        const Run& run = {});

// As the program prints it: `tare measure`, and `tare measure --json`.
// `all`: every estimator, as --all does; else the five numbers that people quote.
TARE_EXPORT Result<std::string> to_text(const Measurement& measurement, int width = 80, bool all = false);
TARE_EXPORT Result<std::string> to_json(const Measurement& measurement);

}  // namespace v0_3
}  // namespace tare
