// A fitted map as code for other programs: a C++17 header, or an SQL expression.
#pragma once

#include <string>
#include <string_view>

#include "tare/core/model.hpp"
#include "tare/core/recipe.hpp"
#include "tare/core/result.hpp"

namespace tare::detail::render {

struct CodeOptions {
  std::string_view name = "calibrate";  // header: of the namespace and of the functions for C
  std::string_view score = "score";     // SQL: the column
  std::string_view about = {};          // one line: what was fitted
};

// That line, where the method has this title.
std::string about(const Model& model, std::string_view title);

// The same bits as `tare apply` on rows of float64 or float32.
Result<std::string> cpp_header(const Recipe& recipe, const CodeOptions& options);

// The probability of class 1 (of a hit, for confidences) from one number per row. More classes are refused.
Result<std::string> sql_expression(const Recipe& recipe, const CodeOptions& options);

// A literal of C++ and SQL that reads back as the same double.
std::string literal(double x);
// What was fitted may be named by a file: nothing in it ends a comment.
std::string in_comment(std::string_view text);

}  // namespace tare::detail::render
