#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

struct Words {
  std::string_view scores, claim, rate;  // "confidences", "mean confidence", "accuracy"
};
Words words_of(Reduction reduction) {
  if (reduction == Reduction::top_label) return {"confidences", "mean confidence", "accuracy"};
  return {"probabilities", "the mean probability", "the observed rate"};
}

std::string points(double fraction) {
  const std::string value = visible(100 * std::abs(fraction), 1);
  return value + (value == "1.0" ? " point" : " points");
}

// Without its full stop.
std::string unended(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

std::string p_words(const TestReport& report) {
  const Verdict& v = report.verdict;
  return v.p_value ? fmt::format("{}, {}", p_equals(*v.p_value, report.resamples), v.test) : "";
}

// "mean confidence 96.3% is 3.8 points above accuracy 92.4%"
std::string means(const Verdict& v, const Words& words) {
  return fmt::format("{} {:.1f}% is {} {} {} {:.1f}%", words.claim, 100 * v.mean_score, points(v.mean_gap.value),
                     v.mean_gap.value > 0 ? "above" : "below", words.rate, 100 * v.mean_label);
}

std::string shape_words(const Verdict& v, const Words& words) {
  const bool extreme = v.shape == Shape::too_extreme;
  std::string out = fmt::format("The {} are too {}: high ones are too {} and low ones too {}", words.scores,
                                extreme ? "extreme" : "timid", extreme ? "high" : "low", extreme ? "low" : "high");
  if (v.direction != Direction::none) return out + "; " + means(v, words);
  return out;
}

std::string direction_words(const Verdict& v, const InputInfo& in, const Words& words) {
  const bool over = v.direction == Direction::over;
  if (in.reduction == Reduction::top_label)
    return fmt::format("{}: {}", over ? "Overconfident" : "Underconfident", means(v, words));
  return fmt::format("The probabilities are too {} on average: {}", over ? "high" : "low", means(v, words));
}

std::string certain_words(const Certain& certain) {
  std::string out;
  if (certain.misses_at_one > 0) out += counted(certain.misses_at_one) + " with a score of 1 and label 0";
  if (certain.hits_at_zero > 0)
    out += (out.empty() ? "" : ", ") + counted(certain.hits_at_zero) + " with a score of 0 and label 1";
  return fmt::format("Certain and wrong: {}. A calibrated model is never wrong where it is certain", out);
}

// What is wrong, where the test has parts.
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

std::string level_words(const LevelShift& level) {
  const bool two = level.shift.size() == 1;
  const std::string what = two ? "A shift of the base rate alone" : "A shift of the base rates alone";
  const std::string p = p_text(level.p_value, level.resamples);
  if (!level.explained)
    return fmt::format("{} does not explain it: {} rejects after the shift, too (p = {}).", what, level.statistic, p);
  const auto [low, high] = std::ranges::minmax_element(level.shift);
  const std::string by =
      two ? fmt::format("with the log-odds moved by {:+.3g} (odds times {:.3g})", *low, std::exp(*low))
          : fmt::format("with the log-odds of the classes moved by {:+.3g} to {:+.3g} (odds times {:.3g} to {:.3g})",
                        *low, *high, std::exp(*low), std::exp(*high));
  return fmt::format("{} explains it: {}, fitted to the same labels, {} does not reject after the shift (p = {}).",
                     what, by, level.statistic, p);
}

std::string miscalibrated(const TestReport& report) {
  const Verdict& v = report.verdict;
  const Words words = words_of(report.input.reduction);
  std::string out;
  if (v.shape != Shape::none)
    out = shape_words(v, words);
  else if (v.direction != Direction::none)
    out = direction_words(v, report.input, words);
  else if (const auto& evidence = report.tests.front().evidence; evidence && v.certain.wrong() == 0)
    out = fmt::format("Miscalibrated, though not clearly on average ({} {:.1f}%, {} {:.1f}%). {}", words.claim,
                      100 * v.mean_score, words.rate, 100 * v.mean_label, unended(finding_words(*evidence)));
  else
    out = "Miscalibrated";
  out += fmt::format(" ({}).", p_words(report));
  if (v.certain.wrong() > 0) out += " " + certain_words(v.certain) + ".";
  return out;
}

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

std::string verdict_sentence(const TestReport& report) {
  const Verdict& v = report.verdict;
  if (v.outcome == Outcome::miscalibrated) return miscalibrated(report);
  const double n = static_cast<double>(report.input.n);
  if (!v.p_value)
    return fmt::format("Cannot tell: {} has no result here ({}).", v.test, printable(report.tests.front().reason));
  if (v.outcome == Outcome::nothing_found)
    return fmt::format(
        "No miscalibration found in {} ({}). An error of {}% or more (root mean square gap) would have "
        "been found.",
        counted(n), p_words(report), percent(*v.detectable, *v.detectable < 0.01 ? 2 : 1));
  if (!v.detectable && n < 2) return "Cannot tell: one row is too few.";
  if (!v.detectable)
    return fmt::format("Cannot tell: nothing was found ({}), and what {} would show is not known.", p_words(report),
                       counted(n));
  return fmt::format("Cannot tell: {} only {} errors above {} (root mean square gap), and none was found ({}).",
                     counted(n), n == 1 ? "shows" : "show", points(*v.detectable), p_words(report));
}

std::string headline(const Verdict& v) {
  const auto with_ends = [](const ErrorRange& r, int digits) {
    return fmt::format("{}%\u00a0[{},\u00a0{}]", percent(*r.value, digits), percent(*r.low, digits),
                       percent(*r.high, digits));
  };
  const bool square = v.square.value && v.square.low && v.square.high, mean = v.mean.value && v.mean.low && v.mean.high;
  if (!square && !mean) return {};
  const int digits = *(square ? v.square : v.mean).high < 0.01 ? 2 : 1;
  std::string out = "Estimated true error: ";
  if (mean) out += "mean gap " + with_ends(v.mean, digits);
  if (square) out += fmt::format("{}root mean square gap {}", mean ? ", " : "", with_ends(v.square, digits));
  out += mean && square ? " (95% intervals)." : " (95% interval).";
  for (const ErrorRange* each : {&v.square, &v.mean})
    if (each->value && !each->note.empty()) return out + fmt::format(" Caution: {}.", each->note);
  return out;
}

std::string disagreement(const Survey& survey) {
  const Measured* m = reference(survey);
  if (!survey.test || !m || !m->floor_high || m->judgement == Judgement::none) return {};
  const bool above = m->judgement == Judgement::above_noise;
  const bool miscalibrated = survey.test->verdict.outcome == Outcome::miscalibrated;
  if (above == miscalibrated) return {};
  const std::string value = fmt::format("{} is {}%", label_of(*m), percent(m->estimate->value));
  if (above)
    return fmt::format(
        "{}, more than the {}% that chance shows in 95 of 100 samples. {} looks at the whole curve at once and does "
        "not confirm it.",
        value, percent(*m->floor_high), survey.test->verdict.test);
  return fmt::format(
      "{}, and chance alone shows up to {}%. Bins see less than {}: gaps of opposite sign inside one bin cancel, and "
      "every bin adds its noise.",
      value, percent(*m->floor_high), survey.test->verdict.test);
}

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

std::string p_meaning(const TestReport& report) {
  return fmt::format(
      "p-value: the share of {} redrawings of the labels from the scores, and of what was observed, that are at least "
      "as extreme (seed {})",
      grouped(report.resamples), report.seed);
}

bool rejected(const TestResult& t, double alpha) { return t.p_value && *t.p_value < alpha; }

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
