// What is said about tests of calibration, in the terminal and on the page.
#pragma once

#include <string>

#include "tare/core/test_report.hpp"

namespace tare::inner::render {

std::string four_digits(double x);                    // what is rounding away from 0 is 0
std::string p_text(double p, std::size_t resamples);  // as many digits as the resamples can tell apart
std::string level(double alpha);                      // "5%"
bool rejected(const TestResult& result, double alpha);

// What is wrong, where the test has parts; and what each part says on its scale of chi-square.
std::string finding_words(const TestEvidence& evidence);
std::string part_words(const TestResult& result);

std::string level_words(const LevelShift& level);

// What to make of it, in one or two sentences; and rows that were certain and wrong, or nothing.
std::string test_conclusion(const TestReport& report);
std::string contradiction_words(const TestReport& report);

}  // namespace tare::inner::render
