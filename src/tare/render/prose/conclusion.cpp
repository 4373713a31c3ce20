#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

// Of means over classes, which have no test of their own.
std::string enough(const Survey& survey, const Measured& ref) {
  const double value = ref.estimate->value;
  const std::string n = "n = " + grouped(static_cast<double>(survey.input.n));
  if (!ref.floor_high)
    return fmt::format("{} is {}%; labels were not redrawn, so it is not known how much of it is chance", label_of(ref),
                       percent(value));
  if (ref.judgement == Judgement::within_noise)
    return fmt::format("{} is {}%, and at {} chance alone shows up to {}% in 95 of 100 samples: nothing was found",
                       label_of(ref), percent(value), n, percent(*ref.floor_high));
  return fmt::format("{} is {}%, and at {} chance alone shows no more than {}% in 95 of 100 samples", label_of(ref),
                     percent(value), n, percent(*ref.floor_high));
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

std::string name_of(const Measured& m, Reduction reduction) {
  if (reduction != Reduction::top_label && m.about.roles.mean_label) return "observed rate";
  if (reduction != Reduction::top_label && m.about.roles.mean_score) return "mean probability";
  return m.about.roles.mean_score ? "mean confidence" : m.name;
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

}  // namespace tare::detail::render
