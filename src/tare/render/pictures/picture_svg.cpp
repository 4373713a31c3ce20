#include <algorithm>
#include <cmath>

#include "tare/render/pictures/picture.hpp"
#include "tare/render/svg/chart_parts.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/svg/marks.hpp"

namespace tare::detail::render {
namespace {

constexpr double picture_width = 460, panel_left = 60, panel_width = 380, panel_gap = 72, legend_step = 18;

Pen pen(const Stroke& stroke) { return {.stroke = stroke.colour.light, .width = stroke.width, .dash = stroke.dash}; }

// The area between two lines over the same x, in pixels.
void area(Svg& svg, const std::vector<Point>& low, const std::vector<Point>& high, const Colour& colour) {
  if (low.empty()) return;
  std::vector<Point> around = low;
  around.insert(around.end(), high.rbegin(), high.rend());
  svg.path(around, {.fill = colour.light});
}

void log_x_axis(Svg& svg, const Frame& frame, const Ruler& x, std::string_view title) {
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = palette::ink.light});
  double last = frame.left - 100;
  for (const Tick& tick : x.ticks(6)) {
    svg.line(x(tick.at), frame.bottom(), x(tick.at), frame.bottom() + 4, {.stroke = palette::ink.light});
    const double half = 3.6 * static_cast<double>(tick.label.size()), room = half + 5;
    const double at = std::min(x(tick.at), frame.right() + 16 - half);  // the last label stays in the picture
    if (at - room < last) continue;                                     // labels may not touch
    svg.text(at, frame.bottom() + 16, tick.label, {.anchor = "middle"});
    last = at + room;
  }
  svg.text(frame.left + frame.width / 2, frame.bottom() + 33, title, {.size = 12, .anchor = "middle"});
}

// A panel with its place: from data to pixels.
struct Placed {
  const PicturePanel& panel;
  Frame frame;
  Ruler x, y;
  [[nodiscard]] Point at(double px, double py) const { return {x(px), y(std::clamp(py, y.low, y.high))}; }
};

Ruler ruler_of(const PictureAxis& axis, double from, double to) {
  return {.log = axis.log, .low = axis.low, .high = axis.high, .from = from, .to = to};
}

void draw_dot(Svg& svg, const Point& at, const Dot& dot, double radius) {
  if (!dot.rim) return draw_mark(svg, at.x, at.y, dot.look, radius);
  const std::string_view colour = dot.look.colour.light;
  svg.circle(at.x, at.y, radius,
             {.fill = is_open(dot.look.mark) ? palette::ground.light : colour,
              .stroke = *dot.rim > 0 ? colour : std::string_view("none"),
              .width = *dot.rim});
}

void draw_rule(Svg& svg, const Placed& p, const PictureRule& rule) {
  const Frame& f = p.frame;
  const Point at = rule.vertical ? p.at(rule.at, p.y.low) : p.at(p.x.low, rule.at);
  if (!rule.tip.empty()) svg.begin("bin", rule.tip);
  if (rule.low && rule.high) {
    const double low = p.at(p.x.low, *rule.low).y, high = p.at(p.x.low, *rule.high).y;
    svg.rect({f.left, high, f.width, low - high}, {.fill = rule.area.light});
  }
  if (rule.vertical)
    svg.line(at.x, f.top, at.x, f.bottom(), pen(rule.line));
  else
    svg.line(f.left, at.y, f.right(), at.y, pen(rule.line));
  if (!rule.tip.empty()) svg.end();
}

void draw_mark_of(Svg& svg, const Placed& p, const PictureMark& mark) {
  std::vector<Point> through, low, high;
  for (std::size_t i = 0; i < mark.y.size(); ++i) through.push_back(p.at(mark.x[i], mark.y[i]));
  for (std::size_t i = 0; i < mark.low.size(); ++i) {
    low.push_back(p.at(mark.x[i], mark.low[i]));
    high.push_back(p.at(mark.x[i], mark.high[i]));
  }
  if (mark.area) area(svg, low, high, *mark.area);
  if (mark.line && through.size() > 1) svg.path(through, pen(*mark.line));
  if (!mark.dot) return;
  for (std::size_t i = 0; i < through.size(); ++i) {
    if (!mark.tips.empty()) svg.begin("bin", mark.tips[i]);
    if (!low.empty() && mark.high[i] > mark.low[i])
      svg.line(low[i].x, low[i].y, high[i].x, high[i].y, {.stroke = mark.dot->look.colour.light, .width = 1});
    draw_dot(svg, through[i], *mark.dot, mark.dot->radius + (mark.size.empty() ? 0 : 4 * std::sqrt(mark.size[i])));
    if (!mark.tips.empty()) svg.end();
  }
}

void draw_axes(Svg& svg, const Placed& p) {
  std::vector<Tick> up = p.panel.y.ticks;
  for (Tick& tick : up) tick.at = p.y(tick.at);
  svg.y_axis(p.frame, {}, up, p.panel.y.title);  // in pixels already
  if (p.panel.x.log)
    log_x_axis(svg, p.frame, p.x, p.panel.x.title);
  else
    svg.x_axis(p.frame, {p.x.low, p.x.high, p.frame.left, p.frame.right()}, p.panel.x.ticks, p.panel.x.title);
}

void draw_panel(Svg& svg, const PicturePanel& panel, double top) {
  const Frame frame{panel_left, top, panel_width, panel.height};
  const Placed p{panel, frame, ruler_of(panel.x, frame.left, frame.right()),
                 ruler_of(panel.y, frame.bottom(), frame.top)};
  if (!panel.title.empty()) svg.text(frame.left, frame.top - 6, panel.title, {.bold = true});
  for (const Tick& tick : panel.x.ticks)
    svg.line(p.x(tick.at), frame.top, p.x(tick.at), frame.bottom(), {.stroke = palette::grid.light});
  for (const Tick& tick : panel.y.ticks)
    svg.line(frame.left, p.y(tick.at), frame.right(), p.y(tick.at), {.stroke = palette::grid.light});
  for (const PictureRule& rule : panel.rules) draw_rule(svg, p, rule);
  for (const PictureMark& mark : panel.marks) draw_mark_of(svg, p, mark);
  for (const PictureNote& note : panel.notes) {
    const Point at = p.at(note.x, note.y);
    const bool left = at.x > frame.left + 0.6 * frame.width;
    svg.text(at.x + (left ? -10 : 10), at.y - 10, note.words, {.bold = true, .anchor = left ? "end" : "start"});
  }
  draw_axes(svg, p);
}

void draw_legend(Svg& svg, const Picture& picture, double y) {
  bool first = true;
  for (const PictureEntry& e : picture.legend) {
    if (!first && !e.beside) y += legend_step;
    first = false;
    if (e.box) svg.rect({e.x, y - 10, picture.sample, 11}, {.fill = e.box->light});
    if (e.line) svg.line(e.x, y - 4, e.x + picture.sample, y - 4, pen(*e.line));
    if (e.dot) draw_dot(svg, {e.x + picture.sample / 2, y - 4}, *e.dot, e.dot->radius);
    svg.text(e.x + picture.sample + 6, y, e.words);
  }
}

}  // namespace

PictureAxis percent_axis(std::string title, double low, double high) {
  const bool whole = low == 0 && high == 1;
  return {.title = std::move(title),
          .low = low,
          .high = high,
          .factor = 100,
          .ticks = whole ? percent_ticks() : round_ticks(low, high, 100, 6)};
}

PictureAxis log_axis(std::string title, double low, double high, double factor) {
  PictureAxis out{
      .title = std::move(title), .low = low, .high = high > low ? high : 2 * low, .log = true, .factor = factor};
  out.ticks = Ruler{.log = true, .low = factor * out.low, .high = factor * out.high}.ticks(6);
  for (Tick& tick : out.ticks) tick.at /= factor;
  return out;
}

std::string svg(const Picture& picture, bool heading) {
  double top = kind_top(heading) + (picture.panels.front().title.empty() ? 4 : 16), rows = 0;
  double bottom = top - panel_gap;
  for (const PicturePanel& panel : picture.panels) bottom += panel_gap + panel.height;
  for (const PictureEntry& e : picture.legend) rows += e.beside ? 0 : 1;
  Svg out(picture_width, bottom + 52 + legend_step * rows, picture.title + ": " + source_of(picture.input),
          facts_of(picture.input) + ". " + picture.description);
  kind_heading(out, picture.input, picture.about, picture_width, heading);
  for (const PicturePanel& panel : picture.panels) {
    draw_panel(out, panel, top);
    top += panel.height + panel_gap;
  }
  draw_legend(out, picture, bottom + 56);
  return out.str();
}

}  // namespace tare::detail::render
