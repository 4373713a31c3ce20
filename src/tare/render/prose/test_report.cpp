#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {

std::string four_digits(double x) { return general(x, 4); }

std::string p_text(double p, std::size_t resamples) {
  const int digits = resamples >= 99'999 ? 5 : resamples >= 9'999 ? 4 : 3;
  const double least = std::pow(10, -digits);
  return p < least * (1 - 1e-9) ? fmt::format("< {:.{}f}", least, digits) : fmt::format("{:.{}f}", p, digits);
}

std::string p_equals(double p, std::size_t resamples) {
  const std::string text = p_text(p, resamples);
  return text.starts_with('<') ? "p " + text : "p = " + text;
}

std::string level(double alpha) { return fmt::format("{:.4g}%", 100 * alpha); }

bool rejected(const TestResult& t, double alpha) { return t.p_value && *t.p_value < alpha; }

namespace {

// " 2 of the other 6 tests reject; each by itself errs in 5% of calibrated samples."
std::string others(const TestReport& report) {
  int defined = 0, against = 0;
  for (std::size_t t = 1; t < report.tests.size(); ++t) {
    defined += report.tests[t].p_value.has_value();
    against += rejected(report.tests[t], report.alpha);
  }
  if (against == 0 || rejected(report.tests.front(), report.alpha)) return {};
  return fmt::format(" {} of the other {} tests {}; each by itself errs in {} of calibrated samples.", against, defined,
                     against == 1 ? "rejects" : "reject", level(report.alpha));
}

}  // namespace

std::string finding_words(const TestEvidence& e) {
  if (e.finding == Finding::too_extreme) return "The scores are too extreme: they rise by more than the labels do.";
  if (e.finding == Finding::too_timid) return "The scores are too timid: they rise by less than the labels do.";
  const std::string_view direction = e.finding == Finding::too_high ? "too high" : "too low";
  if (!e.from || !e.to) return fmt::format("The scores are {} on average.", direction);
  const std::string from = fmt::format("{:.4g}", *e.from), to = fmt::format("{:.4g}", *e.to);
  return fmt::format("The clearest gap is at {}, which {} {}.",
                     from == to ? "a score near " + from : "scores from " + from + " to " + to,
                     from == to ? "is" : "are", direction);
}

std::string part_words(const TestResult& t) {
  std::string out;
  for (const TestPart& part : t.evidence->parts) {
    const double p = std::exp(-part.minus_log_p);
    out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", part.name,
                       p > 1e-300 ? fmt::format("{:.2g}", p) : "below 1e-300",
                       part.name == t.evidence->spoke ? " (decides)" : "");
  }
  return "by parts: " + out + "; each by itself, on the scale of chi-square";
}

std::string level_words(const LevelShift& level) {
  const bool two = level.shift.size() == 1;
  const std::string what = two ? "A shift of the base rate alone" : "A shift of the base rates alone";
  const std::string p = p_text(level.p_value, level.resamples);
  if (!level.explained)
    return fmt::format("{} does not explain it: {} rejects after the shift, too (p = {}).", what, level.statistic, p);
  const auto [low, high] = std::minmax_element(level.shift.begin(), level.shift.end());
  const std::string by =
      two ? fmt::format("with the log-odds moved by {:+.3g} (odds times {:.3g})", *low, std::exp(*low))
          : fmt::format("with the log-odds of the classes moved by {:+.3g} to {:+.3g} (odds times {:.3g} to {:.3g})",
                        *low, *high, std::exp(*low), std::exp(*high));
  return fmt::format("{} explains it: {}, fitted to the same labels, {} does not reject after the shift (p = {}).",
                     what, by, level.statistic, p);
}

std::string test_conclusion(const TestReport& report) {
  const TestResult& first = report.tests.front();
  std::string out = verdict_sentence(report) + others(report);
  const Verdict& v = report.verdict;
  const bool named = v.direction != Direction::none || v.shape != Shape::none;
  if (v.outcome == Outcome::miscalibrated && named && first.evidence && first.evidence->from)
    out += " " + finding_words(*first.evidence);
  if (report.level) out += " " + level_words(*report.level);
  return out;
}

std::string detectable_words(const TestReport& report) {
  const Detectable& d = *report.detectable;
  if (!d.tce) return fmt::format("What error this n could have detected is not known along {}: {}.", d.path, d.reason);
  std::string out = fmt::format(
      "At this n, with these scores, {} finds a true error of {}% (norm {}) in {} of 100 samples, and smaller ones "
      "less often (path: {}, d = {:.4g}; level {}).",
      d.statistic, percent(*d.tce), d.norm, four_digits(100 * d.power), d.path, *d.exponent, level(d.alpha));
  const Verdict& v = report.verdict;
  if (v.outcome == Outcome::nothing_found && v.detectable && *v.detectable > *d.tce)
    out +=
        " The verdict names a larger error: the upper end of the interval of rank_poly, which also covers errors of "
        "other shapes.";
  return out;
}

}  // namespace tare::detail::render
