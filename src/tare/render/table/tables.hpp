// The tables of results. A column stands here, and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/models.hpp"
#include "tare/core/report.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/test_report.hpp"
#include "tare/core/watch.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {

// Every estimator. bias: what simulation says about the same data; null: nothing.
ColumnTable estimates_table(const std::vector<const Measured*>& rows, Reader reader,
                            const std::vector<std::string>& class_names = {}, const BiasReport* bias = nullptr);

// Classes against the rest, in this order, of at least one; `classes` holds all that was measured of them. title: of
// the column of their names in the terminal.
ColumnTable classes_table(const Survey& classes, const std::vector<const Measured*>& rows,
                          std::string_view title = "class");
std::optional<double> class_size(const Survey& classes, const Measured& m);  // how many rows have it as their label

// width: of the terminal, which has no room for all columns.
ColumnTable groups_table(const GroupReport& report, const std::vector<const GroupLine*>& rows, Reader reader,
                         int width = 1000);
std::string group_mark(const GroupReport& report, const GroupLine& line);  // "!", "!!" or nothing
// For the terminal, at most so many columns wide.
std::string short_group_name(const GroupReport& report, const GroupLine& line, std::size_t most);

// Every calibrator. all: in the terminal every estimator, not only what people quote.
ColumnTable methods_table(const Comparison& comparison, Reader reader, bool all = true);

ColumnTable tests_table(const TestReport& report, Reader reader);
ColumnTable simulation_table(const SimTable& table, Reader reader);  // one row for each estimator and size
ColumnTable corrections_table(const std::vector<Correction>& rows, Reader reader);  // the measured values, corrected
ColumnTable days_table(const WatchReport& report, const std::vector<const WatchDay*>& days, Reader reader);
ColumnTable models_table(const ModelTable& models, Reader reader);

}  // namespace tare::detail::render
