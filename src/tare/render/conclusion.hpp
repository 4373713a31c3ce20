// The last sentence of a report: over- or underconfident, by how much, and whether n is enough to tell.
#pragma once

#include <string>
#include <string_view>

#include "tare/core/results.hpp"

namespace tare::render {

// Scores are shown in their own units; everything else is a fraction and shown in percent.
bool is_fraction(const Measured& m);

// The measured line of that name; a negative norm takes the first.
const Measured* find(const Survey& survey, std::string_view name, int norm = -1,
                     std::optional<std::size_t> class_index = {});

// The line a verdict is spoken from and the diagram is drawn from: the ECE everybody knows where it was measured, else
// the first calibration error. Null if there is none.
const Measured* reference(const Survey& survey, std::optional<std::size_t> class_index = {});

// The class with the largest reference error; null if nothing was measured per class.
const Measured* worst_class(const Survey& survey);

std::string class_label(const Survey& survey, std::size_t class_index);

std::string conclusion(const Survey& survey);

}  // namespace tare::render
