// The lines of a survey: which estimators with which options, and what is said about each value.
#pragma once

#include <span>
#include <vector>

#include "tare/infer/interval.hpp"
#include "tare/infer/null.hpp"
#include "tare/infer/survey.hpp"

namespace tare::infer {

// Checks the options. An estimator appears once per norm that it has and that was asked for.
Result<std::vector<Line>> make_lines(const SurveyOptions& options);

// The value, or the reason why there is none; nothing about noise yet.
Measured measure_line(const Line& line, const measure::Sample& sample);
Measured measure_line(const Line& line, const MulticlassView& matrix, int threads);

void set_interval(Measured& measured, const Interval& interval);
// n: the sum of weights.
void add_interval(Measured& measured, const Line& line, double n);
void add_floor(Measured& measured, std::span<const NullValue> values);

}  // namespace tare::infer
