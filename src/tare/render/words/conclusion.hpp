// The last sentence of a report: over- or underconfident, by how much, and whether n is enough to tell.
#pragma once

#include <string>

#include "tare/core/bias.hpp"
#include "tare/core/results.hpp"

namespace tare::inner::render {

// Scores are shown in their own units; everything else is a fraction and shown in percent.
bool is_fraction(const Measured& m);

// "ece_ew (l1)"
std::string label_of(const Measured& m);

// The first measured line with that role; null if there is none.
const Measured* find(const Survey& survey, bool Roles::*role, std::optional<std::size_t> class_index = {});

// What simulation says about that line; null if nothing.
const Correction* correction_of(const BiasReport& report, const Measured& m);

// The line a verdict is spoken from and the diagram is drawn from: one whose role that is where it was measured (the
// ECE everybody knows), else the first calibration error. Null if there is none.
const Measured* reference(const Survey& survey, std::optional<std::size_t> class_index = {});

// The class with the largest reference error; null if nothing was measured per class.
const Measured* worst_class(const Survey& survey);

std::string class_label(const Survey& survey, std::size_t class_index);

// The one number to report: an estimate of the true calibration error whose interval holds it in 95 of 100 samples
// (docs/studies/coverage.md). Null where it was not measured or has no interval.
const Measured* headline_of(const Survey& survey);

// The same in norm 1, beside it; null where it was not measured.
const Measured* mean_gap_of(const Survey& survey);

// "True calibration error: mean gap 3.8% [3.4, 4.2], root mean square gap 6.7% [5.9, 7.6] ...", with the numbers that
// people quote beside it; or nothing.
std::string headline(const Survey& survey);

std::string conclusion(const Survey& survey);

}  // namespace tare::inner::render
