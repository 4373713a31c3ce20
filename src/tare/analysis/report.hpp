// Everything `tare report` says about one fold, and about every calibrator when there is a second one to fit them on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"
#include "tare/core/report.hpp"

namespace tare::detail::analysis {

struct ReportOptions {
  std::optional<Reduction> reduction = {};  // top_label or positive; empty: the rule of choose_reduction
  int bins = options::bins.usual;
  bool bias = true;     // simulate from a model fitted to the data
  bool classes = true;  // every class against the rest
  // Of the simulation; fewer from n = 20,000 on, so that time does not grow with n.
  std::size_t replicates = options::report_replicates.usual;
  std::vector<std::string> methods = {};                        // calibrators; empty: all
  std::string criterion = std::string(name(Criterion::brier));  // that chooses among them
  int folds = options::folds.usual;
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
};

// `validation`: what calibrators are fitted on, or null. What cannot be computed is left out with its reason; an error
// is returned only where nothing could be measured.
Result<Report> report(const Predictions& judged, const Predictions* validation, const ReportOptions& options = {});

// Name and value of every option that matters, for Report::settings.
std::vector<std::pair<std::string, std::string>> report_settings(const Report& report, const ReportOptions& options);

// Today, for Report::date; SOURCE_DATE_EPOCH (seconds since 1970) stands for now where it is set.
std::string report_date();

}  // namespace tare::detail::analysis
