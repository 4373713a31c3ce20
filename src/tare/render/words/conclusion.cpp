#include "tare/render/words/conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

std::string points(double fraction) {
  const std::string value = visible(100 * fraction, 1);
  return value + (value == "1.0" ? " percentage point" : " percentage points");
}

// "Overconfident: mean confidence 97.7% is 4.2 percentage points above accuracy 93.5%"
std::string direction(const Survey& survey) {
  const Measured* rate = find(survey, &Roles::mean_label);
  const Measured* claim = find(survey, &Roles::mean_score);
  if (!rate || !claim || !rate->estimate || !claim->estimate) return {};
  const double a = rate->estimate->value, c = claim->estimate->value;
  const bool top = survey.input.reduction == Reduction::top_label;
  const std::string claim_word = top ? "mean confidence" : "the mean probability";
  const std::string rate_word = top ? "accuracy" : "the observed rate";
  // The mean claim inside the interval of the mean outcome: no side can be named.
  if (rate->low && rate->high && *rate->low <= c && c <= *rate->high)
    return fmt::format("{} ({} {:.1f}%, {} {:.1f}%)",
                       top ? "On average neither over- nor underconfident"
                           : "On average predicted probabilities are neither too high nor too low",
                       claim_word, 100 * c, rate_word, 100 * a);
  const bool over = c > a;
  const std::string side = top ? (over ? "Overconfident" : "Underconfident")
                               : fmt::format("Predicted probabilities are too {} on average", over ? "high" : "low");
  return fmt::format("{}: {} {:.1f}% is {} {} {} {:.1f}%", side, claim_word, 100 * c, points(std::abs(c - a)),
                     over ? "above" : "below", rate_word, 100 * a);
}

std::string enough(const Survey& survey, const Measured& ref) {
  const double value = ref.estimate->value;
  const std::string n = "n = " + grouped(static_cast<double>(survey.input.n));
  if (!ref.floor_high)
    return fmt::format("{} is {}%, and without its noise floor nobody can say whether {} is enough to tell",
                       label_of(ref), percent(value), n);
  if (ref.verdict == Judgement::within_noise) {
    const auto louder = std::count_if(survey.measured.begin(), survey.measured.end(), [](const Measured& m) {
      return !m.class_index &&
             (m.verdict == Judgement::miscalibrated || m.verdict == Judgement::strongly_miscalibrated);
    });
    const std::string but =
        louder == 0 ? "" : fmt::format("; other lines of the table ({}) do see more than noise", louder);
    return fmt::format(
        "{} is not enough to tell it from a calibrated model: {} is {}%, and a perfectly calibrated one "
        "would show up to {}% in 95 of 100 such samples{}",
        n, label_of(ref), percent(value), percent(*ref.floor_high), but);
  }
  return fmt::format(
      "{} is enough to tell: {} is {}%, and a perfectly calibrated model would stay below {}% in 95 of "
      "100 such samples",
      n, label_of(ref), percent(value), percent(*ref.floor_high));
}

}  // namespace

bool is_fraction(const Measured& m) { return m.about.unit == Unit::fraction; }

std::string label_of(const Measured& m) { return m.norm ? fmt::format("{} (l{})", m.name, *m.norm) : m.name; }

const Measured* find(const Survey& survey, bool Roles::*role, std::optional<std::size_t> class_index) {
  for (const Measured& m : survey.measured)
    if (m.about.roles.*role && m.class_index == class_index) return &m;
  return nullptr;
}

const Correction* correction_of(const BiasReport& report, const Measured& m) {
  for (const Correction& c : report.corrections)
    if (c.estimator == m.name && c.norm == m.norm && !m.class_index) return &c;
  return nullptr;
}

const Measured* reference(const Survey& survey, std::optional<std::size_t> class_index) {
  for (const Measured& m : survey.measured)
    if (m.class_index == class_index && m.estimate && m.about.roles.reference) return &m;
  for (const Measured& m : survey.measured)
    if (m.class_index == class_index && m.estimate && (m.norm || m.floor)) return &m;
  return nullptr;
}

const Measured* worst_class(const Survey& survey) {
  const Measured* worst = nullptr;
  const Measured* whole = reference(survey);
  for (const Measured& m : survey.measured)
    if (whole && m.class_index && m.estimate && m.name == whole->name && m.norm == whole->norm &&
        (!worst || m.estimate->value > worst->estimate->value))
      worst = &m;
  return worst;
}

std::string class_label(const Survey& survey, std::size_t class_index) {
  return class_index < survey.class_names.size() ? printable(survey.class_names[class_index])
                                                 : fmt::format("{}", class_index);
}

namespace {

const Measured* with_interval(const Survey& survey, bool Roles::*role) {
  const Measured* m = find(survey, role);
  return m && m->estimate && m->low && m->high ? m : nullptr;
}

// "6.7% [5.9, 7.6]"
std::string with_ends(const Measured& m, int digits) {
  return fmt::format("{}% [{}, {}]", percent(m.estimate->value, digits), percent(*m.low, digits),
                     percent(*m.high, digits));
}

}  // namespace

const Measured* headline_of(const Survey& survey) { return with_interval(survey, &Roles::headline); }
const Measured* mean_gap_of(const Survey& survey) { return with_interval(survey, &Roles::mean_gap); }

std::string headline(const Survey& survey) {
  const Measured *m = headline_of(survey), *mean = mean_gap_of(survey);
  if (!m && !mean) return {};
  const int digits = *(m ? m : mean)->high < 0.01 ? 2 : 1;
  std::string out = "True calibration error: ";
  if (mean) out += fmt::format("mean gap {}", with_ends(*mean, digits));
  if (m) out += fmt::format("{}root mean square gap {}", mean ? "; " : "", with_ends(*m, digits));
  out += fmt::format(" ({}, 95% interval{})", m && mean ? mean->name + " and " + m->name : (m ? m : mean)->name,
                     m && mean ? "s" : "");
  std::string quoted;
  for (const Measured& other : survey.measured)
    if (!other.class_index && other.estimate && other.about.roles.quoted && other.about.roles.quoted == other.norm)
      quoted += fmt::format("{}{} {}%", quoted.empty() ? "; often quoted: " : ", ", label_of(other),
                            percent(other.estimate->value));
  out += quoted + ".";
  for (const Measured* each : {m, mean})
    if (each && !each->estimate->note.empty()) return out + fmt::format(" Caution: {}.", each->estimate->note);
  return out;
}

std::string conclusion(const Survey& survey) {
  const Measured* ref = reference(survey);
  std::string out = survey.input.reduction == Reduction::classwise ? "" : direction(survey);
  if (ref) {
    if (!out.empty()) out += ref->verdict == Judgement::within_noise ? "; but " : "; ";
    out += enough(survey, *ref);
  }
  if (const Measured* worst = worst_class(survey))
    out += fmt::format("; the worst class is {} with {}%", class_label(survey, *worst->class_index),
                       percent(worst->estimate->value));
  return out.empty() ? out : out + ".";
}

}  // namespace tare::inner::render
