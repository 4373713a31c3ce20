// What is said about tests of calibration, in the terminal and on the page.
#pragma once

#include <string>

#include "tare/core/test_report.hpp"

namespace tare::inner::render {

std::string four_digits(double x);                      // what is rounding away from 0 is 0
std::string p_text(double p, std::size_t resamples);    // as many digits as the resamples can tell apart
std::string p_equals(double p, std::size_t resamples);  // "p = 0.042" or "p < 0.001"
std::string level(double alpha);                        // "5%"
bool rejected(const TestResult& result, double alpha);

// What is wrong, where the test has parts; and what each part says on its scale of chi-square.
std::string finding_words(const TestEvidence& evidence);
std::string part_words(const TestResult& result);

std::string level_words(const LevelShift& level);

// The verdict, what the first test saw, what the others say, and whether a shift of base rates explains it.
std::string test_conclusion(const TestReport& report);
// What error the first test would have found at this n, and why the verdict may name a larger one.
std::string detectable_words(const TestReport& report);

}  // namespace tare::inner::render
