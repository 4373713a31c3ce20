// The table of kinds. To add one: write its file and its test, then its line here.
#include <algorithm>
#include <array>

#include "tare/paper/study.hpp"

namespace tare::detail::paper {

std::span<const StudyKind> kinds() {
  static constexpr std::array rows{
      StudyKind{"bias", "estimators on samples of known truth: mean, bias, spread by truth, n and bins", bias_study},
      StudyKind{"distribution", "the values of one estimator over many samples, and one of the samples",
                distribution_study},
      StudyKind{"detection", "how often a test at a given level misses a given true error", detection_study},
      StudyKind{"curves", "densities of scores and calibration curves of known truths", curves_study},
      StudyKind{"fits", "Beta distributions and calibration curves fitted to networks", fits_study},
      StudyKind{"choice", "which calibrator an estimator would choose, and which the fitted truth", choice_study},
      StudyKind{"recalibration", "calibrators on networks: ECE, MCE, NLL, error", recalibration_study},
      StudyKind{"bins", "reliability diagrams and confidence histograms of networks", bins_study},
      StudyKind{"records", "training runs that were recorded", records_study},
      StudyKind{"timing", "seconds that fitting a calibrator takes", timing_study, true},
  };
  return rows;
}

const StudyKind* find_kind(std::string_view name) {
  const auto all = kinds();
  const auto at = std::find_if(all.begin(), all.end(), [&](const StudyKind& k) { return k.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace tare::detail::paper
