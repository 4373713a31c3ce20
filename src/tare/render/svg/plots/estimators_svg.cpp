#include <fmt/format.h>

#include <algorithm>

#include "tare/core/palette.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/svg/marks.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr double estimators_width = 460, estimator_step = 22;

bool is_shown(const Measured& m, std::optional<int> norm) {
  if (!m.about.is_error || m.about.unit != Unit::fraction || m.class_index || !m.estimate) return false;
  return !m.norm || *m.norm == norm.value_or(usual_norm(m.about));
}

std::string estimator_tip(const EstimatorLine& l) {
  const Measured& m = *l.measured;
  std::string out = fmt::format("{}: {}%", label_of(m), percent(m.estimate->value));
  if (m.floor && m.floor_high)
    out += fmt::format("; by chance {}% on average, up to {}% (95 of 100)", percent(*m.floor), percent(*m.floor_high));
  if (m.low && m.high) out += fmt::format("; interval {}% to {}%", percent(*m.low), percent(*m.high));
  if (l.corrected) out += fmt::format("; corrected {}%", percent(*l.corrected));
  return out;
}

// The axis is for errors of the same kind; a largest gap may be ten times as large, and stands at its end.
double end_of_axis(const std::vector<EstimatorLine>& lines) {
  double end = 0, any = 0;
  for (const EstimatorLine& l : lines) {
    const Measured& m = *l.measured;
    const double most = std::max({m.estimate->value, m.high.value_or(0), m.floor_high.value_or(0)});
    any = std::max(any, most);
    if (!m.estimand.empty()) end = std::max(end, most);
  }
  return end > 0 ? 1.04 * end : any > 0 ? 1.04 * any : 0.01;
}

void draw_estimator(Svg& svg, const EstimatorLine& l, const Frame& frame, const Scale& x, double y) {
  const Measured& m = *l.measured;
  const Style& look = style_of_estimator(m.name);
  const auto inside = [&](double v) { return x(std::min(v, x.high)); };
  const std::string_view colour = look.colour.light;
  svg.begin("bin", estimator_tip(l));
  if (m.floor_high) {
    svg.rect({frame.left, y - 6, inside(*m.floor_high) - frame.left, 12}, {.fill = palette::chance.light});
    if (m.floor)
      svg.line(inside(*m.floor), y - 6, inside(*m.floor), y + 6, {.stroke = palette::dim.light, .width = 1.2});
  }
  if (m.low && m.high) {
    svg.line(inside(*m.low), y, inside(*m.high), y, {.stroke = colour, .width = 1.8});
    for (const double end : {*m.low, *m.high})
      svg.line(inside(end), y - 4, inside(end), y + 4, {.stroke = colour, .width = 1.8});
  }
  if (l.corrected) {
    svg.line(inside(*l.corrected), y - 8, inside(*l.corrected), y + 8, {.stroke = palette::ground.light, .width = 5});
    svg.line(inside(*l.corrected), y - 8, inside(*l.corrected), y + 8, {.stroke = colour, .width = 2.8});
  }
  if (m.estimate->value > x.high)  // beyond the axis: an arrow, and the number beside it
    svg.text(frame.right() - 4, y + 4, "▸", {.size = 14, .anchor = "end"});
  else
    draw_mark(svg, inside(m.estimate->value), y, look, 4.4);
  svg.end();
}

void estimators_legend(Svg& svg, double y, bool corrected) {
  svg.circle(20, y - 4, 4, {.fill = palette::ink.light});
  svg.text(30, y, "value");
  svg.line(80, y - 4, 106, y - 4, {.stroke = palette::ink.light, .width = 1.8});
  svg.line(80, y - 8, 80, y, {.stroke = palette::ink.light, .width = 1.8});
  svg.line(106, y - 8, 106, y, {.stroke = palette::ink.light, .width = 1.8});
  svg.text(112, y, "95% interval of the true error");
  y += 18;
  svg.rect({14, y - 10, 30, 12}, {.fill = palette::chance.light});
  svg.line(30, y - 10, 30, y + 2, {.stroke = palette::dim.light, .width = 1.2});
  svg.text(50, y, "chance: a calibrated model, on average and 95 of 100");
  if (!corrected) return;
  svg.line(20, y + 6, 20, y + 20, {.stroke = palette::ink.light, .width = 2.8});
  svg.text(30, y + 18, "corrected for the bias at this n, by simulation");
}

}  // namespace

std::vector<EstimatorLine> estimator_lines(const Survey& survey, const EstimatorsPicture& options) {
  std::vector<EstimatorLine> out;
  for (const Measured& m : survey.measured) {
    if (!is_shown(m, options.norm)) continue;
    const Correction* c = options.bias ? correction_of(*options.bias, m) : nullptr;
    out.push_back({&m, c ? c->corrected : std::nullopt});
  }
  std::stable_partition(out.begin(), out.end(), [](const EstimatorLine& l) {
    return l.measured->about.roles.headline || l.measured->about.roles.mean_gap;
  });
  return out;
}

Error no_estimators() {
  return {.code = Errc::undefined,
          .what = "no error of calibration was measured here",
          .remedy = "measure one that has this norm"};
}

Result<std::string> estimators_svg(const Survey& survey, const EstimatorsPicture& options) {
  const auto lines = estimator_lines(survey, options);
  if (lines.empty()) return no_estimators();
  const bool corrected = std::any_of(lines.begin(), lines.end(), [](const auto& l) { return l.corrected.has_value(); });
  const double top = kind_top(options.heading) + (options.heading ? 4 : 0);
  const Frame frame{106, top, 286, estimator_step * static_cast<double>(lines.size()) + 8};
  const Scale x{0, end_of_axis(lines), frame.left, frame.right()};
  Svg svg(estimators_width, frame.bottom() + (corrected ? 106 : 88), "Estimators: " + source_of(survey.input),
          facts_of(survey.input) + ". " + conclusion(survey));
  kind_heading(svg, survey.input, "every estimator beside what chance alone shows", estimators_width, options.heading);
  const auto ticks = ticks_of(0, x.high, 5);
  svg.grid(frame, x, ticks, {0, 1, frame.bottom(), frame.top}, {});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Measured& m = *lines[i].measured;
    const double y = frame.top + estimator_step * (static_cast<double>(i) + 0.5) + 4;
    svg.text(frame.left - 8, y + 4, label_of(m), {.anchor = "end"});
    draw_estimator(svg, lines[i], frame, x, y);
    svg.text(frame.right() + 10, y + 4, percent(m.estimate->value) + "%" + (m.estimate->value > x.high ? " ▸" : ""));
  }
  svg.line(frame.left, frame.top, frame.left, frame.bottom(), {.stroke = palette::ink.light});
  svg.x_axis(frame, x, ticks, "error, %");
  estimators_legend(svg, frame.bottom() + 58, corrected);
  return svg.str();
}

}  // namespace tare::detail::render
