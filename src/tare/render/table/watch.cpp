#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

Json calibration_shift_json(const WatchDay* day) {
  const CalibrationShift& m = day->calibration_shift;
  const bool known = m.p_value.has_value();
  return {{"p_value", or_null(m.p_value)},
          {"change", known ? Json(m.change) : Json()},
          {"se", known ? Json(m.se) : Json()},
          {"strata", m.strata},
          {"untold", m.uncovered},
          {"parts", to_json(m.parts)}};
}

Json drift_json(const WatchDay* day) {
  return {
      {"distance", day->score_drift.distance}, {"p_value", day->score_drift.p_value}, {"mean", day->score_drift.mean}};
}

}  // namespace

ColumnTable days_table(const WatchReport& report, const std::vector<const WatchDay*>& days, Reader reader) {
  using D = WatchDay;
  const auto alarm = [&](Alert alert, double D::*value) {  // it has a mark
    return [&report, alert, value](const D* day) {
      const std::string words = general(day->*value, 3);
      return report.is(alert, *day) ? Shown{"! " + words, Ink::red} : Shown{words};
    };
  };
  const auto ink = [&](const D* day, Alert alert, Ink loud) { return report.is(alert, *day) ? loud : Ink::plain; };
  Columns c(days, reader);
  c.csv("day", &D::name).text("day");
  c.json("name", &D::name);
  c.add("rows", &D::rows).count().text("rows");
  c.add("mean_score", &D::mean_score);
  c.add("hit_rate", &D::hit_rate);
  c.json("moved", calibration_shift_json);
  c.json("drift", drift_json).plain().text("drift").spare().shown([&](const D* day) {
    return Shown{percent(day->score_drift.distance, 1), ink(day, Alert::drifted, Ink::yellow)};
  });
  c.csv("change",
        [](const D* day) { return day->calibration_shift.p_value ? Value(day->calibration_shift.change) : Value(); })
      .points()
      .text("change")
      .spare()
      .shown([](const D* day) {
        return Shown{day->calibration_shift.p_value ? signed_percent(day->calibration_shift.change) : "n/a"};
      });
  c.csv("p_value", [](const D* day) { return day->calibration_shift.p_value; })
      .plain()
      .text("p")
      .shown([&](const D* day) {
        return Shown{
            day->calibration_shift.p_value ? p_text(*day->calibration_shift.p_value, report.options.resamples) : "n/a",
            ink(day, Alert::moved, Ink::red)};
      });
  c.csv("drift", [](const D* day) { return day->score_drift.distance; });
  c.csv("drift_p_value", [](const D* day) { return day->score_drift.p_value; });
  c.add("evidence", &D::evidence).plain().text("lost").shown(alarm(Alert::lost, &D::evidence));
  c.add("detector", &D::detector).plain().text("lately").shown(alarm(Alert::lately, &D::detector));
  c.add("reference_evidence", &D::reference_evidence)
      .plain()
      .text("changed")
      .shown(alarm(Alert::changed, &D::reference_evidence));
  c.json("alerts",
         [&](const D* day) {
           Json alerts = Json::array();
           for (std::size_t i = 0; i < std::size(alert_names); ++i)
             if (report.is(static_cast<Alert>(i), *day)) alerts.push_back(alert_names[i]);
           return alerts;
         })
      .text("")
      .shown([&](const D* day) { return Shown{day_words(report, *day)}; });
  for (std::size_t i = 0; i < std::size(alert_names); ++i)
    c.csv(std::string(alert_names[i]), [&](const D* day) { return report.is(static_cast<Alert>(i), *day); });
  return c.take();
}

}  // namespace tare::detail::render
