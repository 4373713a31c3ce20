#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/clean.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

std::string days_text(std::size_t count, std::size_t of) {
  return count == 0 ? std::string("on no day") : fmt::format("on {} of {} day{}", count, of, of == 1 ? "" : "s");
}

std::size_t count_of(const WatchReport& report, Alert alert) {
  return static_cast<std::size_t>(
      std::ranges::count_if(report.days, [&](const WatchDay& day) { return report.is(alert, day); }));
}

// The first day that is one; null where there is none.
const WatchDay* first_of(const WatchReport& report, Alert alert) {
  for (const WatchDay& day : report.days)
    if (report.is(alert, day)) return &day;
  return nullptr;
}

// A level of almost 0 asks for more evidence than there are numbers.
std::string alarm_at(double limit) {
  return std::isfinite(limit) ? "alarm at " + general(limit, 4) : "and no alarm can come at this level";
}

// Evidence that stays: since when, and where it is.
std::string evidence_words(const WatchReport& report, Alert alert, double now, double limit, std::string_view found,
                           std::string_view not_found) {
  const WatchDay* first = first_of(report, alert);
  if (!first) return fmt::format("{}: evidence {}, {}.", not_found, general(now, 3), alarm_at(limit));
  if (report.is(alert, report.days.back()))
    return fmt::format("{}: the alarm came on {}, evidence is {} now, {}.", found, clean(first->name), general(now, 3),
                       alarm_at(limit));
  return fmt::format("{}: the alarm came on {}; evidence has fallen to {} since, {}.", found, clean(first->name),
                     general(now, 3), alarm_at(limit));
}

std::string detector_words(const WatchReport& report) {
  const std::string promise =
      fmt::format("if calibrated, {} days between alarms on average, or more", grouped(report.options.run_length));
  const std::size_t alarms = count_of(report, Alert::lately);
  if (alarms == 0)
    return fmt::format("Of late: no alarm of the detector; it is at {} ({}).", general(report.days.back().detector, 3),
                       promise);
  std::string last;
  for (const WatchDay& day : report.days)
    if (report.is(Alert::lately, day)) last = clean(day.name);
  return fmt::format("Of late: the detector raised its alarm {}, the last on {} ({}).",
                     days_text(alarms, report.days.size()), last, promise);
}

std::string curve_words(const WatchReport& report) {
  std::size_t scores_only = 0;
  for (const WatchDay& day : report.days)
    scores_only += report.is(Alert::drifted, day) && !report.is(Alert::moved, day);
  return fmt::format(
      "Day by day: the curve had moved {}, only the scores had drifted {} (each at {}: so many calm days show it by "
      "chance).",
      days_text(count_of(report, Alert::moved), report.days.size()), days_text(scores_only, report.days.size()),
      level(report.options.alpha));
}

}  // namespace

std::vector<std::string> watch_sentences(const WatchReport& report) {
  if (report.days.empty()) return {"No day has been added yet."};
  const WatchDay& last = report.days.back();
  return {evidence_words(report, Alert::lost, last.evidence, report.evidence_limit(), "Calibration is lost",
                         "No sign that calibration is lost"),
          detector_words(report),
          evidence_words(report, Alert::changed, last.reference_evidence, report.reference_limit(),
                         "Compared with the reference it has changed", "As in the reference, as far as can be told"),
          curve_words(report)};
}

std::string day_words(const WatchReport& report, const WatchDay& day) {
  if (report.is(Alert::moved, day)) return "moved";
  return report.is(Alert::drifted, day) ? "scores only" : "";
}

std::vector<std::string> watch_notes(const WatchReport& report) {
  std::vector<std::string> out = {
      fmt::format(
          "change: of the hit rate at equal scores since the reference, in points; p: that the curve has not "
          "moved, by {} redrawings; drift: the largest difference between shares of rows below a score, in "
          "points; lost: evidence against calibration, at most {} false alarms ever; lately: the detector, "
          "which begins again after an alarm; changed: evidence against the curve of the reference; !: an alarm",
          grouped(report.options.resamples), level(report.options.alpha)),
      "assumed: given the scores, labels are independent; labels that are missing because of what they are, or rows "
      "that share a customer, break all of this"};
  double uncovered = 0;
  for (const WatchDay& day : report.days) uncovered = std::max(uncovered, day.calibration_shift.uncovered);
  if (uncovered > 0.2)
    out.push_back(
        fmt::format("on some day {}% of the rows have scores where the curves cannot be compared: no row of "
                    "the reference, or no difference among labels",
                    percent(uncovered, 0)));
  return out;
}

}  // namespace tare::detail::render
