#include "tare/render/svg/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

// More bars than pixels tell nothing.
constexpr std::size_t most_bars = 1000;

std::string value_line(const Measured& m) {
  const Estimate& e = *m.estimate;
  std::string out = label_of(m);
  if (e.bins) out += ", " + grouped(*e.bins) + (*e.bins == 1 ? " bin" : " bins");
  out += ": " + shown_number(m, e.value);
  if (m.low && m.high) out += ", interval " + shown_number(m, *m.low) + "–" + shown_number(m, *m.high);
  return out;
}

std::string noise_line(const Measured& m) {
  if (!m.floor || !m.floor_high) return "its noise floor was not computed";
  return noise_words(m);
}

}  // namespace

Result<const Measured*> drawn(const Survey& survey, const PictureOptions& options) {
  std::string wanted = options.estimator;
  if (const Measured* m = reference(survey); wanted.empty() && m) wanted = m->name;
  const bool classwise = survey.input.reduction == Reduction::classwise;
  const Measured* found = nullptr;
  for (const Measured& m : survey.measured) {
    if (m.name != wanted || (options.norm && m.norm && m.norm != options.norm)) continue;
    if (options.class_index ? m.class_index != options.class_index : m.class_index.has_value() != classwise) continue;
    const bool larger = found && m.class_index && m.norm == found->norm && m.estimate &&
                        (!found->estimate || beyond_noise(m) > beyond_noise(*found));
    if (!found || larger) found = &m;
  }
  const std::string hint = "ece_ew, ece_em, sweep_em and their relatives have bins to draw";
  if (!found) return Error{.code = Errc::undefined, .what = wanted + " was not measured here", .remedy = hint};
  if (!found->estimate)
    return Error{.code = Errc::undefined, .what = wanted + " is undefined here: " + found->reason, .remedy = hint};
  const auto& bins = found->estimate->per_bin;
  const auto asked = static_cast<double>(found->estimate->bins.value_or(0));
  if (bins.size() > most_bars || (bins.empty() && asked > 0))
    return Error{
        .code = Errc::unsupported,
        .what = fmt::format("{} has {} bins, more than the {} a picture can show", wanted,
                            grouped(bins.empty() ? asked : static_cast<double>(bins.size())), grouped(most_bars)),
        .remedy = "ask for fewer bins, or for those of ece_ew or ece_em"};
  if (bins.empty()) return Error{.code = Errc::unsupported, .what = wanted + " has no bins", .remedy = hint};
  return found;
}

Svg figure(const Survey& survey, const Measured& m, std::string_view kind, double height, bool heading) {
  const std::string source = source_of(survey.input);
  const std::string label = m.class_index ? "class " + class_label(survey, *m.class_index) : "";
  const std::string facts = facts_of(survey.input), value = value_line(m), noise = noise_line(m);
  Svg svg(figure_width, height, fmt::format("{}: {}", kind, source),
          fmt::format("{}{}{}. {}; {}. {}", facts, label.empty() ? "" : ", ", label, value, noise, conclusion(survey)));
  if (!heading) return svg;
  // Names stand in elements of their own: the direction of their script ends with them.
  svg.heading({{22, shortened(source, 50), 14, true}, {41, facts}});
  if (!label.empty())
    svg.text(figure_width - 14, 41, shortened(label, 26), {.size = 12, .bold = true, .anchor = "end"});
  svg.heading({{58, value, 12, true}, {75, noise}});
  return svg;
}

Words words(Reduction reduction) {
  if (reduction == Reduction::top_label)
    return {"confidence, %", "mean confidence", "accuracy", "confidence above it", "confidence below it"};
  return {reduction == Reduction::positive ? "probability of class 1, %" : "probability of the class, %",
          "mean probability", "observed rate", "probability above it", "probability below it"};
}

std::string source_of(const InputInfo& input) { return input.source.empty() ? "predictions" : input.source; }

std::string facts_of(const InputInfo& input) {
  std::string out = "n = " + grouped(input.n);
  if (input.weighted) out += ", total weight " + grouped(input.total_weight);
  if (input.k > 0) out += fmt::format(" · K = {}", input.k);
  return out + fmt::format(" · {}", name(input.reduction));
}

std::string fitted_words(std::string_view method, std::string_view on, std::size_t columns) {
  const std::string head = std::string(method) + ", fitted on ";
  return head + shortened(on, std::max(columns, head.size() + 12) - head.size());
}

std::vector<HeadingLine> kind_heading(const InputInfo& input, std::string_view about) {
  return {{22, shortened(source_of(input), 56), 14, true}, {40, facts_of(input)}, {57, std::string(about)}};
}

std::string bin_tip(const Bin& bin, const Words& say) {
  return fmt::format("{:.4g}% to {:.4g}%: {} rows, {} {:.1f}%, {} {:.1f}%", 100 * bin.lower, 100 * bin.upper,
                     grouped(bin.count), say.mean_score, 100 * bin.mean_score, say.rate, 100 * bin.mean_label);
}

}  // namespace tare::detail::render
