#include "tare/render/json/groups.hpp"

#include <cmath>

#include "tare/render/json/json_parts.hpp"
#include "tare/render/words/groups.hpp"

namespace tare::inner::render {
namespace {

Json line_json(const GroupReport& report, const GroupLine& line) {
  const auto range = [](const ErrorRange& r) {
    return Json{{"name", r.estimator}, {"value", or_null(r.value)}, {"low", or_null(r.low)}, {"high", or_null(r.high)}};
  };
  return {{"column", report.columns[line.column].name},
          {"group", line.name},
          {"n", line.rows},
          {"confidence", line.confidence},
          {"accuracy", line.accuracy},
          {"gap", line.gap.value},
          {"low", or_null(line.gap.low)},
          {"high", or_null(line.gap.high)},
          {"shrunken_gap", line.shrunken_gap},
          {"error", line.error ? range(*line.error) : Json()},
          {"p_gap", std::exp(line.log_p_gap)},
          {"p_shape", or_null(line.p_shape)},
          {"p_value", std::exp(line.log_p)},
          {"log_p_value", line.log_p},
          {"benjamini_hochberg", line.bh},
          {"holm", line.holm},
          {"found", report.found(line)}};
}

}  // namespace

Json to_json(const GroupReport& report) {
  Json columns = Json::array(), lines = Json::array();
  for (const GroupColumn& column : report.columns)
    columns.push_back({{"name", column.name}, {"groups", column.groups}, {"p_value", column.p_value}});
  for (const GroupLine& line : report.lines) lines.push_back(line_json(report, line));
  return {{"alpha", report.alpha},
          {"p_value", report.p_value},
          {"resamples", report.resamples},
          {"found", report.count_found()},
          {"columns", columns},
          {"sentences", group_sentences(report)},
          {"notes", report.notes},
          {"groups", lines}};
}

}  // namespace tare::inner::render
