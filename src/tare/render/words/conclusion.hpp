// The last sentence of a report: over- or underconfident, by how much, and whether n is enough to tell.
#pragma once

#include <string>
#include <string_view>

#include "tare/core/bias.hpp"
#include "tare/core/results.hpp"

namespace tare::inner::render {

// Scores are shown in their own units; everything else is a fraction and shown in percent.
bool is_fraction(const Measured& m);

// The measured line of that name; a negative norm takes the first.
const Measured* find(const Survey& survey, std::string_view name, int norm = -1,
                     std::optional<std::size_t> class_index = {});

// What simulation says about that line; null if nothing.
const Correction* correction_of(const BiasReport& report, const Measured& m);

// The line a verdict is spoken from and the diagram is drawn from: the ECE everybody knows where it was measured, else
// the first calibration error. Null if there is none.
const Measured* reference(const Survey& survey, std::optional<std::size_t> class_index = {});

// The class with the largest reference error; null if nothing was measured per class.
const Measured* worst_class(const Survey& survey);

std::string class_label(const Survey& survey, std::size_t class_index);

// The one number to report: the true calibration error by rank_poly, whose interval holds it in 95 of 100 samples
// (docs/studies/coverage.md). Null where it was not measured or has no interval.
const Measured* headline_of(const Survey& survey);

// "True calibration error 6.7% [5.9, 7.6] ...", with the numbers that people quote beside it; or nothing.
std::string headline(const Survey& survey);

std::string conclusion(const Survey& survey);

}  // namespace tare::inner::render
