// From files to predictions, and from answers to files.
//
//     const auto test = tare::read("data/resnet110_cifar10.npz", "test");
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tare/measurement.hpp>
#include <tare/predictions.hpp>
#include <tare/run.hpp>

namespace tare {
inline namespace v0_3 {

// One .npz, .safetensors, .csv or .jsonl file (text also .gz) whose names say what it holds (logits, probs, labels,
// ...). split: "test" or "val" where it holds both; empty: test.
TARE_EXPORT Result<Predictions> read(const std::string& path, const std::string& split = {}, const Run& run = {});

// One array each: FILE.npy, FILE.npz:ARRAY, FILE.csv:COLUMN, or 'FILE.csv:p_*' for several columns.
struct Columns {
  std::string logits = {};
  std::string probs = {};
  std::string log_probs = {};  // natural logarithms of probabilities
  std::string confidences = {};
  std::string correct = {};
  std::string predictions = {};
  std::string labels = {};
  std::string weights = {};
};
TARE_EXPORT Result<Predictions> read(const Columns& columns, const Run& run = {});

struct ReportOptions {
  std::optional<Reduction> reduction = {};  // top_label or positive; empty: the rule of Reduction
  int bins = 15;
  bool bias = true;                       // simulate from a model fitted to the data
  bool classes = true;                    // every class against the rest
  std::size_t replicates = 1000;          // of the simulation
  std::vector<std::string> methods = {};  // calibrators, with validation data; empty: all
  std::string criterion = "brier";        // that chooses among them: brier or nll
  int folds = 5;
};

// Everything about these rows as one HTML page, written whole or not at all; the second also compares calibrators
// fitted on the validation data.
TARE_EXPORT Result<void> write_report(const std::string& path, const Predictions& test,
                                      const ReportOptions& options = {}, const Run& run = {});
TARE_EXPORT Result<void> write_report(const std::string& path, const Predictions& test, const Predictions& validation,
                                      const ReportOptions& options = {}, const Run& run = {});

// The reliability diagram of one estimator's bins (empty: the ECE) as an SVG document.
TARE_EXPORT Result<std::string> reliability_svg(const Measurement& measurement, const std::string& estimator = {});

}  // namespace v0_3
}  // namespace tare
