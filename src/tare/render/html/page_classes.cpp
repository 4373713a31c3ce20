// Every class against the rest, the worst first.
#include <fmt/format.h>

#include <algorithm>

#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/small_svg.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/words/conclusion.hpp"

namespace tare::inner::render {
namespace {

constexpr std::size_t most_pictures = 12, most_open_rows = 20;

// A rare class has a small error and a common one more noise: what counts is the error beyond its own noise.
double excess(const Measured& m) { return m.estimate->value - m.floor.value_or(0); }

std::vector<const Measured*> ranked(const Survey& classes) {
  std::vector<const Measured*> out;
  for (const Measured& m : classes.measured)
    if (m.class_index && m.estimate && m.about.roles.reference) out.push_back(&m);
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return excess(*a) > excess(*b); });
  return out;
}

// Lines of one class follow each other in the survey: looked for near the first, not from the start.
const Measured* beside(const Survey& classes, const Measured& m, bool Roles::*role) {
  const auto at = static_cast<std::size_t>(&m - classes.measured.data());
  for (std::size_t i = at; i < classes.measured.size() && classes.measured[i].class_index == m.class_index; ++i)
    if (classes.measured[i].about.roles.*role) return &classes.measured[i];
  for (std::size_t i = at; i-- > 0 && classes.measured[i].class_index == m.class_index;)
    if (classes.measured[i].about.roles.*role) return &classes.measured[i];
  return nullptr;
}

// Errors of a thousand classes are hundredths of a percent.
std::string fine_percent(double fraction) { return percent(fraction, 3); }

std::string percent_of(const Measured* m) { return m && m->estimate ? fine_percent(m->estimate->value) : ""; }

std::string thumbnail(const Survey& classes, const Measured& m) {
  const std::string label = class_label(classes, *m.class_index);
  const std::string value = fine_percent(m.estimate->value), noise = m.floor_high ? fine_percent(*m.floor_high) : "?";
  const std::string picture = small_reliability_svg(
      m.estimate->per_bin,
      {.title = "Reliability diagram of class " + label,
       .description = fmt::format("Calibration error {}%; if calibrated, up to {}%.", value, noise),
       .patterns = page_patterns});
  return fmt::format("<figure>\n{}<figcaption><b>{}</b><br>{}%, if calibrated up to {}%</figcaption>\n</figure>\n",
                     picture, isolated(label), value, noise);
}

std::string rows(const Survey& classes, const std::vector<const Measured*>& order, std::size_t from, std::size_t to) {
  HtmlTable table(
      fmt::format("Classes {} to {}, by their calibration error beyond noise ({}{}), in percent", from + 1, to,
                  order.front()->name, order.front()->norm ? fmt::format(", l{}", *order.front()->norm) : ""),
      {{"class"},
       {"rank", true},
       {"error", true},
       {"if calibrated: mean", true},
       {"95% quantile", true},
       {"mean probability", true},
       {"observed rate", true},
       {"verdict"}});
  for (std::size_t i = from; i < to; ++i) {
    const Measured& m = *order[i];
    table.add({isolated(class_label(classes, *m.class_index)), fmt::format("{}", i + 1),
               fine_percent(m.estimate->value), m.floor ? fine_percent(*m.floor) : "",
               m.floor_high ? fine_percent(*m.floor_high) : "", percent_of(beside(classes, m, &Roles::mean_score)),
               percent_of(beside(classes, m, &Roles::mean_label)), judgement_mark(m.judgement)});
  }
  return table.str();
}

}  // namespace

std::string classes_section(const Report& report) {
  if (!report.classes)
    return report.classes_reason.empty() || report.classes_reason == "not asked for"
               ? ""
               : section("classes", "Classes", paragraph("No classes are shown: " + report.classes_reason + "."));
  const Survey& classes = *report.classes;
  const auto order = ranked(classes);
  if (order.empty()) return "";
  const auto loud = std::count_if(order.begin(), order.end(),
                                  [](const Measured* m) { return m->judgement == Judgement::above_noise; });
  std::string body =
      paragraph(fmt::format("Each class against the rest: the probability of the class, and whether it was the label. "
                            "{} of {} classes show more than "
                            "95 of 100 calibrated ones would; {} would do so by chance.",
                            loud, order.size(), fmt::format("{:.3g}", 0.05 * static_cast<double>(order.size()))));
  body += "<div class=\"small\">\n";
  for (std::size_t i = 0; i < std::min(order.size(), most_pictures); ++i) body += thumbnail(classes, *order[i]);
  body += "</div>\n";
  const std::size_t open = std::min(order.size(), most_open_rows);
  body += rows(classes, order, 0, open);
  if (order.size() > open) {
    std::string rest =
        details(fmt::format("The other {} classes", order.size() - open), rows(classes, order, open, order.size()));
    body += rest.replace(0, std::string_view("<details").size(), "<details class=\"long\"");
  }
  for (const std::string& note : classes.notes) body += paragraph(note, "notes");
  return section("classes", "Classes, the worst first", body);
}

}  // namespace tare::inner::render
