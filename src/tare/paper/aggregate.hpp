// One number from rows of a study: the functions of rules (rule.hpp) that look at columns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/paper/frame.hpp"

namespace tare::inner::paper {

double spearman(std::span<const double> x, std::span<const double> y);  // middle ranks; 0 if either is constant

// columns and rows as the function wants them; `problem` says what is wrong, and then the value means nothing.
double aggregate(const Frame& frame, const std::string& function, const std::vector<std::string_view>& columns,
                 const std::vector<std::vector<std::size_t>>& rows, std::string& problem);

}  // namespace tare::inner::paper
