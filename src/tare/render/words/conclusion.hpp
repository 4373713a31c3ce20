// What to make of a survey, and the lines of it that have a part in that.
#pragma once

#include <string>

#include "tare/core/bias.hpp"
#include "tare/core/survey.hpp"

namespace tare::inner::render {

// Scores are shown in their own units; everything else is a fraction and shown in percent.
bool is_fraction(const Measured& m);

// "ece_ew (l1)"
std::string label_of(const Measured& m);

// The first measured line with that role; null if there is none.
const Measured* find(const Survey& survey, bool Roles::*role, std::optional<std::size_t> class_index = {});

// What simulation says about that line; null if nothing.
const Correction* correction_of(const BiasReport& report, const Measured& m);

// The line that people quote and the diagram is drawn from: one whose role that is where it was measured (the ECE
// everybody knows), else the first calibration error. Null if there is none.
const Measured* reference(const Survey& survey, std::optional<std::size_t> class_index = {});

// The class with the largest reference error; null if nothing was measured per class.
const Measured* worst_class(const Survey& survey);

std::string class_label(const Survey& survey, std::size_t class_index);

// How a person calls it: "observed rate" for the mean label of two classes, else its name.
std::string name_of(const Measured& m, Reduction reduction);

// The sentence of the verdict; of means over classes, which have none, what chance says about the reference line.
std::string conclusion(const Survey& survey);

}  // namespace tare::inner::render
