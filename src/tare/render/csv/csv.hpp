// Tables for other programs: comma-separated, one heading line, numbers unrounded, an empty cell where there is none.
#pragma once

#include <string>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/models.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/test_report.hpp"
#include "tare/core/watch.hpp"

namespace tare::detail::render {

// Unrounded; empty where it is not finite.
std::string csv_number(double x);

// Cells as RFC 4180 has them, quoted where they must be, and a line break. Text of others is cleaned (core/clean.hpp),
// and what a spreadsheet would take for a formula begins with a single quote.
std::string csv_line(const std::vector<std::string>& cells);

std::string csv(const Survey& survey);  // one line per estimator
std::string csv(const TestReport& report);
std::string csv(const Comparison& comparison);
std::string csv(const GroupReport& report);
std::string csv(const ModelTable& models);   // one line per model
std::string csv(const SimTable& table);      // one line per estimator and size
std::string csv(const BiasReport& report);   // the measured values, corrected
std::string csv(const WatchReport& report);  // one line per day

}  // namespace tare::detail::render
