#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

// Of means over classes, which have no test of their own.
std::string enough(const Survey& survey, const Measured& ref) {
  const double value = ref.estimate->value;
  const std::string n = "n = " + grouped(survey.input.n);
  if (!ref.floor_high)
    return fmt::format("{} is {}%; labels were not redrawn, so it is not known how much of it is chance", label_of(ref),
                       percent(value));
  if (ref.judgement == Judgement::within_noise)
    return fmt::format("{} is {}%, and at {} chance alone shows up to {}% in 95 of 100 samples: nothing was found",
                       label_of(ref), percent(value), n, percent(*ref.floor_high));
  return fmt::format("{} is {}%, and at {} chance alone shows no more than {}% in 95 of 100 samples", label_of(ref),
                     percent(value), n, percent(*ref.floor_high));
}

// Parts that are subtracted: what telling rows apart gains.
bool gains(std::string_view part) { return part == "resolution" || part.ends_with("_dsc"); }

// The score a part belongs to: "brier" and "log" of brier_mcb and log_mcb; of a score's own parts the score.
std::string_view score_of(const Measured& m, std::string_view part) {
  const auto at = part.rfind('_');
  const bool corp = part.ends_with("_mcb") || part.ends_with("_dsc") || part.ends_with("_unc");
  return corp ? part.substr(0, at) : std::string_view(m.name);
}

// The value furthest from what the fitted model gives, in standard deviations.
const Correction* worst_described(const BiasReport& report) {
  const Correction* out = nullptr;
  const auto distance = [](const Correction& c) { return std::abs(*c.observed - *c.mean) / *c.sd; };
  for (const Correction& c : report.corrections)
    if (c.observed && c.mean && c.sd && *c.sd > 0 && (!out || distance(c) > distance(*out))) out = &c;
  return out && distance(*out) > 4 ? out : nullptr;
}

int samples(const CurveBand& band) { return static_cast<int>(std::lround(100 * band.level)); }

}  // namespace

bool is_fraction(const Measured& m) { return m.about.unit == Unit::fraction; }

std::string shown_number(const Measured& m, double value) {
  return is_fraction(m) ? percent(value) + "%" : visible(value, 4);
}

std::string noise_words(const Measured& m) {
  return fmt::format("a perfectly calibrated model of this n: {} on average, up to {}", shown_number(m, *m.floor),
                     shown_number(m, *m.floor_high));
}

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

std::vector<const Measured*> worst_classes(const Survey& survey) {
  const Measured* whole = reference(survey);
  std::vector<const Measured*> out;
  for (const Measured& m : survey.measured)
    if (whole && m.class_index && m.estimate && m.name == whole->name && m.norm == whole->norm) out.push_back(&m);
  std::ranges::stable_sort(out, [](const auto* a, const auto* b) { return a->estimate->value > b->estimate->value; });
  return out;
}

const Measured* worst_class(const Survey& survey) {
  const auto all = worst_classes(survey);
  return all.empty() ? nullptr : all.front();
}

std::string counted(double rows, bool weighted) {
  return grouped(rows) + (weighted ? " of weight" : rows == 1 ? " row" : " rows");
}

std::string class_label(const Survey& survey, std::size_t class_index) {
  return class_index < survey.class_names.size() ? printable(survey.class_names[class_index])
                                                 : fmt::format("{}", class_index);
}

std::string name_of(const Measured& m, Reduction reduction) {
  if (reduction != Reduction::top_label && m.about.roles.mean_label) return "observed rate";
  if (reduction != Reduction::top_label && m.about.roles.mean_score) return "mean probability";
  return m.about.roles.mean_score ? "mean confidence" : m.name;
}

void SharedNotes::add(const std::string& note, const std::string& who) {
  const auto at = std::ranges::find_if(all_, [&](const auto& known) { return known.first == note; });
  if (at == all_.end())
    all_.push_back({note, who});
  else if (!(", " + at->second + ",").ends_with(" " + who + ","))
    at->second += ", " + who;
}

std::string conclusion(const Survey& survey) {
  if (survey.test) return verdict_sentence(*survey.test);
  const Measured* ref = reference(survey);
  std::string out = ref ? enough(survey, *ref) : "";
  if (const Measured* worst = worst_class(survey))
    out += fmt::format("; the worst class is {} with {}%", class_label(survey, *worst->class_index),
                       percent(worst->estimate->value));
  return out.empty() ? out : out + ".";
}

std::vector<std::string> sums_of(const Measured& m) {
  std::vector<std::string> out;
  if (!m.estimate || m.estimate->parts.empty()) return out;
  const auto& parts = m.estimate->parts;
  if (m.about.unit == Unit::fraction) {  // no score, so no sum
    std::string list;
    for (const Component& p : parts)
      list += fmt::format("{} {} {}", list.empty() ? ":" : ",", p.name, fixed(p.value, 4));
    return {m.name + list};
  }
  for (std::size_t from = 0; from < parts.size();) {
    const std::string_view score = score_of(m, parts[from].name);
    std::string terms;
    double sum = 0;
    std::size_t to = from;
    for (; to < parts.size() && score_of(m, parts[to].name) == score; ++to) {
      const bool minus = gains(parts[to].name) != (parts[to].value < 0);
      sum += gains(parts[to].name) ? -parts[to].value : parts[to].value;
      terms += fmt::format("{}{} {}",
                           to == from ? (minus ? "-" : "")
                           : minus    ? " - "
                                      : " + ",
                           parts[to].name, fixed(parts[to].value < 0 ? -parts[to].value : parts[to].value, 4));
    }
    const std::string which = score == m.name ? m.scope : fmt::format("{} score (binary)", score);
    out.push_back(fmt::format("{}: {} {} = {}", m.name, which, fixed(sum, 4), terms));
    from = to;
  }
  return out;
}

std::string norm_of(const std::optional<int>& norm) { return norm ? fmt::format("l{}", *norm) : ""; }

std::string description(const BiasReport& report) {
  if (report.corrections.empty()) return {};
  const Correction* c = worst_described(report);
  if (!c)
    return "The fitted model describes these data: every measured value is within four standard deviations of what "
           "its samples show.";
  return fmt::format(
      "The fitted model does not describe these data well: {} {} is {}% here and {} ± {}% in samples of the "
      "model. Biases are those of the model{}; corrected values depend on it less.",
      c->estimator, norm_of(c->norm), percent(*c->observed), percent(*c->mean), percent(*c->sd),
      report.table.truth.scores == "beta" ? " (the data's own scores are closer: leave out `scores`)" : "");
}

std::string band_meaning(const CurveBand& band) {
  switch (band.basis) {
    case BandBasis::none:
      return "There is no band: " + band.reason + ".";
    case BandBasis::rising:
      return fmt::format(
          "The band holds the whole true curve in at least {} of 100 samples, if the true curve never falls.",
          samples(band));
    case BandBasis::values:
      return fmt::format(
          "The intervals hold the true rates of all values at once in at least {} of 100 samples; nothing is assumed "
          "about the curve.",
          samples(band));
    case BandBasis::spans:
      return fmt::format(
          "These data contradict a curve that never falls, so the band assumes nothing about its shape: it holds the "
          "mean of the true curve over each of {} spans of scores, all at once, in at least {} of 100 samples.",
          band.spans.size(), samples(band));
  }
  return {};
}

std::string diagonal_sentence(const CurveBand& band) {
  const int rare = 100 - samples(band);
  const std::string_view what = band.basis == BandBasis::values ? "an interval" : "the band";
  if (band.basis == BandBasis::none) return {};
  if (band.basis == BandBasis::spans)
    return fmt::format(
        "The diagonal never falls either: a calibrated model would show this in at most {} of 100 samples.", rare);
  if (band.diagonal == Diagonal::outside)
    return fmt::format("The diagonal leaves {}: with a calibrated model it would in at most {} of 100 samples.", what,
                       rare);
  return fmt::format("The diagonal stays in {}: this picture does not rule out a calibrated model.",
                     band.basis == BandBasis::values ? "all intervals" : "the band");
}

std::string band_label(const CurveBand& band) {
  switch (band.basis) {
    case BandBasis::none:
      return "no band";
    case BandBasis::rising:
      return fmt::format("{}% band for the whole curve, if it never falls", samples(band));
    case BandBasis::values:
      return fmt::format("exact interval; all hold at once, {}%", samples(band));
    case BandBasis::spans:
      return fmt::format("{}% band for means over spans: the curve falls", samples(band));
  }
  return {};
}

}  // namespace tare::detail::render
