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

std::string rows_of(double count) { return grouped(count) + (count == 1 ? " row" : " rows"); }

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
  if (certain.misses_at_one > 0) out += rows_of(certain.misses_at_one) + " with a score of 1 and label 0";
  if (certain.hits_at_zero > 0)
    out += (out.empty() ? "" : ", ") + rows_of(certain.hits_at_zero) + " with a score of 0 and label 1";
  return fmt::format("Certain and wrong: {}. A calibrated model is never wrong where it is certain", out);
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
        rows_of(n), p_words(report), percent(*v.detectable, *v.detectable < 0.01 ? 2 : 1));
  if (!v.detectable && n < 2) return "Cannot tell: one row is too few.";
  if (!v.detectable)
    return fmt::format("Cannot tell: nothing was found ({}), and what {} would show is not known.", p_words(report),
                       rows_of(n));
  return fmt::format("Cannot tell: {} only {} errors above {} (root mean square gap), and none was found ({}).",
                     rows_of(n), n == 1 ? "shows" : "show", points(*v.detectable), p_words(report));
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

}  // namespace tare::detail::render
