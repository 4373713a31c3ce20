// By what calibrators are compared: two proper scores, of which one chooses the winner, and a squared error of
// calibration. One spelling for the command line, JSON and reports.
#pragma once

#include <array>
#include <string_view>

namespace tare::detail {

enum class Criterion { brier, nll, squared_error };

struct CriterionInfo {
  Criterion criterion;
  std::string_view name;          // of options and JSON
  std::string_view title;         // in sentences
  std::string_view short_title;   // of columns
  std::string_view abbreviation;  // where a line is narrow
  std::string_view axis;          // of pictures
  double factor = 1;              // of the numbers shown: squared percentage points instead of squares
  int digits = 4;
  bool chooses = true;  // may choose a winner: an error of calibration can be lowered by throwing information away
};

inline constexpr std::array<CriterionInfo, 3> criteria{{
    {Criterion::brier, "brier", "Brier score", "Brier", "Brier score", "Brier score"},
    {Criterion::nll, "nll", "log loss", "NLL", "NLL", "log loss (NLL)"},
    {Criterion::squared_error, "debias_em_squared", "squared error, pp²", "squared error (pp²)", "squared error",
     "squared calibration error (squared percentage points)", 1e4, 2, false},
}};

constexpr const CriterionInfo& about(Criterion criterion) { return criteria[static_cast<std::size_t>(criterion)]; }
constexpr std::string_view name(Criterion criterion) { return about(criterion).name; }

// Null if there is none of that name.
constexpr const CriterionInfo* find_criterion(std::string_view name) {
  for (const CriterionInfo& c : criteria)
    if (c.name == name) return &c;
  return nullptr;
}

}  // namespace tare::detail
