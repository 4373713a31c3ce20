// A survey for a person at a terminal: what was measured, a table of estimates, the reliability diagram, and one
// sentence that says what to make of it.
#pragma once

#include <string>

#include "tare/core/bias.hpp"
#include "tare/core/results.hpp"

namespace tare::inner::render {

struct TextOptions {
  int width = 80;
  bool colour = false;  // nothing is said by colour alone
};

// What the input is: source, n, K, kind and reduction, and an empty line.
std::string header(const InputInfo& input, const TextOptions& options = {});

// bias: what simulation says about the same data, as two more columns; null: nothing was simulated.
std::string text(const Survey& survey, const TextOptions& options = {}, const BiasReport* bias = nullptr);

}  // namespace tare::inner::render
