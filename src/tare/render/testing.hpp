// Tests of calibration, for a person and for a program.
#pragma once

#include <string>

#include "tare/core/testing.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

std::string text(const TestReport& report, const TextOptions& options = {});
std::string json(const TestReport& report);  // ends with a newline

// What to make of it, in one or two sentences; and rows that were certain and wrong, or nothing.
std::string testing_conclusion(const TestReport& report);
std::string contradiction_words(const TestReport& report);

}  // namespace tare::inner::render
