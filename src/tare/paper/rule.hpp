// Rules: expressions over the rows of a study, by which a claim is decided. All numbers; a comparison is 1 or 0.
// By hand: libraries of expressions know no rows and no conditions on them.
//
//   mean_abs(bias; estimator=sweep_em) < mean_abs(bias; estimator=debias_em) and 2 * (1 + 1) == 4
//
// Of the rows where the conditions after the semicolon hold (frame.hpp; none: all rows), those with a number in the
// column:
//   mean sum min max sd count         of the column
//   mean_abs max_abs rms              of its absolute values; root of the mean square
//   se_mean(se; ...)                  the standard error of a mean of independent values with standard errors se
//   value(x; ...)                     the only one
//   at_min(k, x; ...) at_min_abs at_max   the value of column k where x is least, nearest to 0, largest
//   spearman(x, y; ...)               correlation of ranks
//   mean_gap(x, y; ...) max_gap       of |x - y|
//   read_off(x, y, v; ...)            y where x is v, by straight lines between the rows in order of x
//   variance_ratio(x, g; ...)         variance of the means of the groups g over the mean variance inside them
//   paired_t(x; a; b) sign_share(x; a; b)   of |x| in the rows a less |x| in the rows b, row by row: Student's t; the
//   share above 0
// For every value of a column in turn, with rows reduced to it:
//   share(k; rule) mean_of(k; expression) min_of max_of spearman_of(k; expression)
// and abs(e) sqrt(e) log(e) least(e; e) most(e; e).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/paper/frame.hpp"

namespace tare::detail::paper {

Result<double> evaluate(const Frame& frame, std::string_view expression);

// Every {expression} of the text replaced by its value, {expression|.3f} with these decimals; without, two.
Result<std::string> filled(const Frame& frame, std::string_view text);

// One number from rows of a study: the functions of rules that look at columns.

double spearman(std::span<const double> x, std::span<const double> y);  // middle ranks; 0 if either is constant

// columns and rows as the function wants them; `problem` says what is wrong, and then the value means nothing.
double aggregate(const Frame& frame, const std::string& function, const std::vector<std::string_view>& columns,
                 const std::vector<std::vector<std::size_t>>& rows, std::string& problem);

}  // namespace tare::detail::paper
