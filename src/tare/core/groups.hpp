// For which group is the model wrong? Plain data: the groups that rows belong to, and what `--group` finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/results.hpp"

namespace tare::detail {

// Every row belongs to one group of a column; columns overlap.
struct Grouping {
  std::string column = {};
  std::vector<std::string> names = {};
  std::vector<std::uint32_t> of_row = {};  // an index into names
};

// The rows of group g are row[start[g]] .. row[start[g + 1] - 1], in their own order.
struct RowsByGroup {
  std::vector<std::size_t> start = {};
  std::vector<std::size_t> row = {};
};
inline RowsByGroup rows_by_group(const Grouping& grouping) {
  RowsByGroup out{std::vector<std::size_t>(grouping.names.size() + 1),
                  std::vector<std::size_t>(grouping.of_row.size())};
  for (const std::uint32_t g : grouping.of_row) ++out.start[g + 1];
  for (std::size_t g = 1; g < out.start.size(); ++g) out.start[g] += out.start[g - 1];
  std::vector<std::size_t> next = out.start;
  for (std::size_t i = 0; i < grouping.of_row.size(); ++i) out.row[next[grouping.of_row[i]]++] = i;
  return out;
}

struct GroupLine {
  std::size_t column = 0;  // an index into GroupReport::columns
  std::string name = {};
  std::uint64_t rows = 0;                // with weights: their sum
  double confidence = 0;                 // mean score
  double accuracy = 0;                   // share of hits
  IntervalEstimate gap = {};             // confidence less accuracy; 0 lies inside exactly when p_gap is at least alpha
  double shrunken_gap = 0;               // an estimate that borrows from all groups of the column; decides nothing
  double log_p_gap = 0;                  // exact, of "the mean score is right"
  std::optional<double> p_shape = {};    // of smooth_test, where it was run
  double log_p = 0;                      // of both together
  double bh = 1;                         // adjusted for the number of groups: false discoveries (Benjamini-Hochberg)
  double holm = 1;                       // any false one at all (Holm)
  std::optional<ErrorRange> error = {};  // the estimated true error; empty: too few rows
};

struct GroupColumn {
  std::string name = {};
  std::size_t groups = 0;
  double p_value = 1;  // of "calibrated on average in every group"
};

struct GroupReport {
  InputInfo input = {};
  std::vector<GroupColumn> columns = {};
  std::vector<GroupLine> lines = {};  // the strongest evidence first
  double alpha = 0.05;
  double p_value = 1;  // of "calibrated in every group of every column"
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
  std::size_t shapes = 0;      // groups in which errors that cancel were looked for
  std::size_t shape_rows = 0;  // a group needs so many rows for that; 0: they were not looked for anywhere
  std::vector<std::string> notes = {};

  [[nodiscard]] bool found(const GroupLine& line) const { return line.bh <= alpha; }
  [[nodiscard]] std::size_t count_found() const {
    std::size_t n = 0;
    for (const GroupLine& line : lines) n += found(line) ? 1 : 0;
    return n;
  }
};

}  // namespace tare::detail
