#include <algorithm>
#include <cmath>

#include "tare/render/json/json.hpp"
#include "tare/render/pictures/picture.hpp"
#include "tare/render/svg/chart_parts.hpp"
#include "tare/render/svg/pictures.hpp"

namespace tare::detail::render {
namespace {

constexpr double panel_left = 60, panel_width = 380, panel_gap = 72, legend_step = 18;

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
  const Pen around{.fill = (is_open(dot.look.mark) ? palette::ground : dot.look.colour).light,
                   .stroke = *dot.rim > 0 ? dot.outline.value_or(dot.look.colour).light : std::string_view("none"),
                   .width = *dot.rim};
  if (dot.look.mark == MarkShape::square)
    svg.rect({at.x - radius, at.y - radius, 2 * radius, 2 * radius}, around);
  else
    svg.circle(at.x, at.y, radius, around);
}

void draw_upright(Svg& svg, double x, double y, const Upright& mark) {
  if (mark.rim)
    svg.line(x, y - mark.above, x, y + mark.below, {.stroke = palette::ground.light, .width = mark.line.width + 2.2});
  svg.line(x, y - mark.above, x, y + mark.below, pen(mark.line));
}

void draw_range(Svg& svg, double from, double to, double y, const Stroke& line, bool caps) {
  svg.line(from, y, to, y, pen(line));
  if (!caps) return;
  for (const double end : {from, to}) svg.line(end, y - 4, end, y + 4, pen(line));
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

void draw_legend(Svg& svg, const std::vector<PictureEntry>& legend, double y, double usual_sample) {
  for (const PictureEntry& e : legend) {
    if (&e != legend.data() && !e.beside) y += legend_step;
    const double sample = e.sample.value_or(usual_sample), middle = e.x + sample / 2;
    if (e.box) svg.rect({e.x, y - 10, sample, e.box_height}, {.fill = e.box->light});
    if (e.line) draw_range(svg, e.x, e.x + sample, y - 4, *e.line, e.caps);
    if (e.dot) draw_dot(svg, {middle, y - 4}, *e.dot, e.dot->radius);
    if (e.upright) draw_upright(svg, middle, y - 4, *e.upright);
    if (!e.words.empty()) svg.text(e.x + sample + 6, y, e.words);
  }
}

void draw_row(Svg& svg, const RowPicture& picture, const PictureRow& row, const Frame& frame, const Scale& x,
              double y) {
  const auto at = [&](double value) { return x(std::min(value, x.high)); };
  svg.text(frame.left - 8, y + 4, row.label, {.size = picture.size, .bold = row.bold, .anchor = "end"});
  if (!row.words.empty()) return svg.text(frame.left + 6, y + 4, row.words);
  svg.begin("bin", row.tip);
  if (row.chance) svg.rect({frame.left, y - 6, at(*row.chance) - frame.left, 12}, {.fill = palette::chance.light});
  if (row.mean) draw_upright(svg, at(row.mean->at), y, *row.mean);
  if (row.low && row.high) draw_range(svg, at(*row.low), at(*row.high), y, row.line, row.caps);
  if (row.second) draw_upright(svg, at(row.second->at), y, *row.second);
  if (row.value > x.high)
    svg.text(frame.right() - 4, y + 4, "▸", {.size = 14, .anchor = "end"});
  else
    draw_dot(svg, {x(row.value), y}, row.dot, row.dot.radius);
  svg.end();
  if (!row.beside.empty()) svg.text(frame.right() + picture.beside_gap, y + 4, row.beside);
}

Json to_json(const PictureAxis& a) {
  return {{"title", a.title}, {"low", a.low}, {"high", a.high}, {"log", a.log}, {"factor", a.factor}};
}

Json to_json(const Stroke& s) { return {{"colour", s.colour.light}, {"width", s.width}, {"dash", s.dash}}; }

Json to_json(const Dot& d) {
  return {{"colour", d.look.colour.light}, {"mark", name(d.look.mark)}, {"dash", d.look.dash}, {"radius", d.radius}};
}

Json colour_or_null(const std::optional<Colour>& c) { return c ? Json(c->light) : Json(); }

Json to_json(const PictureMark& m) {
  return {{"label", or_null(m.label)},
          {"x", m.x},
          {"y", m.y},
          {"low", m.low},
          {"high", m.high},
          {"area", colour_or_null(m.area)},
          {"line", m.line ? to_json(*m.line) : Json()},
          {"dot", m.dot ? to_json(*m.dot) : Json()},
          {"size", m.size}};
}

Json to_json(const PictureRule& r) {
  return {{"label", or_null(r.label)}, {"at", r.at},
          {"vertical", r.vertical},    {"line", to_json(r.line)},
          {"low", or_null(r.low)},     {"high", or_null(r.high)},
          {"area", r.area.light}};
}

Json to_json(const PictureNote& n) { return {{"x", n.x}, {"y", n.y}, {"words", n.words}}; }

Json to_json(const PicturePanel& p) {
  const auto all = [](const auto& parts) { return json_list(parts, [](const auto& part) { return to_json(part); }); };
  return {{"title", p.title},      {"x", to_json(p.x)},     {"y", to_json(p.y)},
          {"rules", all(p.rules)}, {"marks", all(p.marks)}, {"notes", all(p.notes)}};
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
  Svg out(figure_width, bottom + 52 + legend_step * rows, picture.title + ": " + source_of(picture.input),
          facts_of(picture.input) + ". " + picture.description);
  if (heading) out.heading(kind_heading(picture.input, picture.about));
  for (const PicturePanel& panel : picture.panels) {
    draw_panel(out, panel, top);
    top += panel.height + panel_gap;
  }
  draw_legend(out, picture.legend, bottom + 56, picture.sample);
  return out.str();
}

std::string svg(const RowPicture& p) {
  const Frame frame{p.left, p.top, p.width, p.step * static_cast<double>(p.rows.size()) + 2 * p.margin};
  const Scale x{p.x.low, p.x.high, frame.left, frame.right()};
  const bool above = p.legend_at < 0;
  Svg out(figure_width, frame.bottom() + p.below, p.title, p.description);
  out.heading(p.heading);
  if (above) draw_legend(out, p.legend, frame.top + p.legend_at, 8);
  out.grid(frame, x, p.x.ticks, {}, {});
  if (p.zero) out.line(x(0), frame.top, x(0), frame.bottom(), pen(*p.zero));
  double y = frame.top + p.step / 2 + p.margin;
  for (const PictureRow& row : p.rows) {
    draw_row(out, p, row, frame, x, y);
    y += p.step;
  }
  if (!p.beside.empty()) out.text(frame.right() + p.beside_gap, frame.top - 4, p.beside);
  if (p.left_line) out.line(frame.left, frame.top, frame.left, frame.bottom(), {.stroke = palette::ink.light});
  out.x_axis(frame, x, p.x.ticks, p.x.title);
  if (!above) draw_legend(out, p.legend, frame.bottom() + p.legend_at, 8);
  return out.str();
}

Json to_json(const Picture& picture) {
  return {{"title", picture.title},
          {"about", picture.about},
          {"source", picture.input.source},
          {"n", picture.input.n},
          {"panels", json_list(picture.panels, [](const PicturePanel& p) { return to_json(p); })}};
}

}  // namespace tare::detail::render
