#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/svg/chart.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {

Result<std::string> watch_svg(const WatchReport& report) {
  if (report.days.empty())
    return Error{.code = Errc::undefined, .what = "there is no day to draw", .remedy = "add a day to the watch first"};
  Panel panel{.marks = {{.at = 1, .label = "alarm"}}};
  const auto add = [&](std::string name, double limit, double WatchDay::*value) {
    Series line{.name = std::move(name)};
    for (std::size_t i = 0; i < report.days.size(); ++i) {
      line.x.push_back(static_cast<double>(i + 1));
      const double over = report.days[i].*value / limit;  // undefined where both are infinite
      line.y.push_back(std::isnan(over) ? 1 : std::clamp(over, 1e-4, 1e4));
    }
    panel.series.push_back(std::move(line));
  };
  add("lost: evidence / " + general(report.evidence_limit(), 4), report.evidence_limit(), &WatchDay::evidence);
  add("lately: detector / " + general(report.options.run_length, 4), report.options.run_length, &WatchDay::detector);
  add("changed: evidence / " + general(report.reference_limit(), 4), report.reference_limit(),
      &WatchDay::reference_evidence);
  const auto days = static_cast<double>(report.days.size());
  return chart_svg(
      LineChart{.title = fmt::format("{} days since {}", report.days.size(), shortened(report.reference, 40)),
                .x = {.title = "day", .low = 0, .high = days + 1},
                .y = {.title = "over its alarm", .log = true, .low = 1e-4, .high = 1e4},
                .panels = {std::move(panel)}});
}

}  // namespace tare::detail::render
