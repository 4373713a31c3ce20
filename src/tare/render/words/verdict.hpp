// The verdict in words: the same in the terminal, on the page, in JSON and from C++ and Python.
#pragma once

#include <string>

#include "tare/core/survey.hpp"

namespace tare::inner::render {

// What is wrong, or that nothing was found and what would have been, or that nobody can tell from so few rows.
std::string verdict_sentence(const TestReport& report);

// "Estimated true error: mean gap 3.8% [3.4, 4.2], root mean square gap 6.7% [5.9, 7.6] ...", or nothing.
std::string headline(const Verdict& verdict);

// Why the error that people quote does not say what the verdict says; nothing where it does.
std::string disagreement(const Survey& survey);

}  // namespace tare::inner::render
