#include "tare/render/svg/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tare/core/clean.hpp"

namespace tare::detail::render {
namespace {

constexpr std::string_view ink = palette::ink.light, faint = palette::grid.light;
constexpr char32_t replacement = 0xFFFD;

// The next character of a non-empty text, removed from it; U+FFFD for a byte that begins none (RFC 3629: shortest
// form, no surrogates, at most 10FFFF).
char32_t next(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  bool fine = length > 0 && length <= text.size();
  char32_t c = length < 2 ? first : static_cast<char32_t>(first & (0x7FU >> length));
  for (std::size_t i = 1; fine && i < length; ++i) {
    fine = (byte(i) & 0xC0U) == 0x80U;
    c = (c << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  fine = fine && c >= smallest[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  text.remove_prefix(fine ? length : 1);
  return fine ? c : replacement;
}

void append(std::string& out, char32_t c) {
  const auto put = [&](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | (c >> 6U));
  } else {
    if (c < 0x10000) {
      put(0xE0 | (c >> 12U));
    } else {
      put(0xF0 | (c >> 18U));
      put(0x80 | ((c >> 12U) & 0x3F));
    }
    put(0x80 | ((c >> 6U) & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

// Two decimals are a hundredth of a pixel; no trailing zeros, no -0.
std::string px(double value) {
  constexpr double far =
      1e6;  // no picture is that large; what is not finite has no place, and must not break the others
  value = std::isnan(value) ? 0 : std::clamp(value, -far, far);
  std::string out = fmt::format("{:.2f}", value);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string look(const Pen& pen) {
  std::string out = fmt::format(" fill=\"{}\"", pen.fill);
  if (pen.stroke != "none") out += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", pen.stroke, px(pen.width));
  if (!pen.dash.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", pen.dash);
  if (pen.opacity < 1) out += fmt::format(" opacity=\"{}\"", px(pen.opacity));
  return out;
}

// 1, 2 or 5 times a power of ten, so that `most` steps are enough for the range.
double round_step(double range, int most) {
  const double decade = std::pow(10, std::floor(std::log10(range / most)));
  double step = decade;
  for (const double multiple : {1, 2, 5, 10})
    if (step * most < range * (1 - 1e-9)) step = multiple * decade;
  return step;
}

std::size_t columns_of(char32_t c) { return c >= 0x1100 && (c < 0x2000 || c > 0x2E7F) ? 2 : 1; }

std::string at(double x, double y) { return fmt::format("{:.2f},{:.2f}", x, y); }

std::string triangle(double x, double y, double r, double up) {
  return "M" + at(x, y - up * (r + 1)) + " L" + at(x + r + 0.6, y + up * r) + " L" + at(x - r - 0.6, y + up * r) + " Z";
}

std::string diamond(double x, double y, double r) {
  return "M" + at(x, y - r) + " L" + at(x + r, y) + " L" + at(x, y + r) + " L" + at(x - r, y) + " Z";
}

}  // namespace

std::string xml(std::string_view untrusted) {
  std::string out;
  for (char32_t before = 0, c = 0; !untrusted.empty(); before = c) {
    c = next(untrusted);
    std::string_view rest = untrusted;
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (c > 0x7F && is_hidden(c, before, rest.empty() ? 0 : next(rest)))
      out += escape(c);
    else
      append(out, c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF ? replacement : c);
  }
  return out;
}

std::string shortened(std::string_view utf8, std::size_t columns) {
  std::u32string all;
  std::size_t width = 0;
  while (!utf8.empty()) {
    all += next(utf8);
    width += columns_of(all.back());
  }
  std::string out;
  std::size_t skip = 0;
  if (width > columns) {
    out = "…";
    for (++width; skip < all.size() && width > columns; ++skip) width -= columns_of(all[skip]);
  }
  for (; skip < all.size(); ++skip) append(out, all[skip]);
  return out;
}

std::vector<Tick> percent_ticks() {
  std::vector<Tick> out;
  for (int percent = 0; percent <= 100; percent += 20) out.push_back({percent / 100.0, fmt::format("{}", percent)});
  return out;
}

std::vector<Tick> percent_ticks(double high) {
  const double step = round_step(std::max(100 * high, 1e-3), 5);
  std::vector<Tick> out;
  for (int i = 0; out.empty() || out.back().at < high * (1 - 1e-9); ++i)
    out.push_back({i * step / 100, fmt::format("{:g}", i * step)});
  return out;
}

std::vector<Tick> round_ticks(double low, double high, double factor, int most) {
  const double step = round_step(std::max(high - low, 1e-300) * factor, most);
  std::vector<Tick> out;
  for (double i = std::ceil(low * factor / step - 1e-9); i * step <= high * factor + 1e-9 * step; ++i)
    out.push_back({i * step / factor, fmt::format("{:g}", i == 0 ? 0.0 : i * step)});
  return out;
}

Svg::Svg(double width, double height, std::string_view title, std::string_view description) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n<title>{2}</title>\n"
      "<desc>{3}</desc>\n",
      px(width), px(height), xml(title), xml(description));
  rect({0, 0, width, height}, {.fill = palette::ground.light});
}

void Svg::rect(const Frame& where, const Pen& pen) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", px(where.left), px(where.top),
                       px(where.width), px(where.height), look(pen));
}

void Svg::line(double x1, double y1, double x2, double y2, const Pen& pen) {
  body_ +=
      fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", px(x1), px(y1), px(x2), px(y2), look(pen));
}

void Svg::circle(double x, double y, double radius, const Pen& pen) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", px(x), px(y), px(radius), look(pen));
}

void Svg::path(const std::vector<Point>& through, const Pen& pen) {
  std::string d;
  for (const Point& p : through) d += fmt::format("{}{},{}", d.empty() ? "M" : " ", px(p.x), px(p.y));
  body_ += fmt::format("<path d=\"{}\"{}/>\n", d, look(pen));
}

void Svg::begin(std::string_view css_class, std::string_view tip) {
  body_ += fmt::format("<g class=\"{}\">", css_class);
  if (!tip.empty()) body_ += "<title>" + xml(tip) + "</title>";
  body_ += "\n";
}

void Svg::end() { body_ += "</g>\n"; }

void Svg::path(std::string_view d, const Pen& pen) { body_ += fmt::format("<path d=\"{}\"{}/>\n", d, look(pen)); }

void Svg::text(double x, double y, std::string_view untrusted, const Type& type) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", px(x), px(y), px(type.size), ink);
  if (type.bold) body_ += " font-weight=\"bold\"";
  if (type.anchor != "start") body_ += fmt::format(" text-anchor=\"{}\"", type.anchor);
  if (type.upwards) body_ += fmt::format(" transform=\"rotate(-90 {} {})\"", px(x), px(y));
  body_ += ">" + xml(untrusted) + "</text>\n";
}

void Svg::heading(const std::vector<HeadingLine>& lines) {
  for (const HeadingLine& l : lines) text(14, l.y, l.words, {.size = l.size, .bold = l.bold});
}

void Svg::bracket(double x, double low, double high, double half, const Pen& pen) {
  line(x, low, x, high, pen);
  for (const double end : {low, high}) line(x - half, end, x + half, end, pen);
}

void Svg::hatch(std::string_view id, std::string_view ground, std::string_view colour, bool crossed) {
  // The corners beside the diagonal belong to the neighbouring tiles' lines.
  body_ += fmt::format(
      "<defs><pattern id=\"{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" "
      "height=\"6\" "
      "fill=\"{}\"/><path d=\"M-1,1 L1,-1 M0,6 L6,0 M5,7 L7,5{}\" stroke=\"{}\" "
      "stroke-width=\"1.1\"/></pattern></defs>\n",
      xml(id), ground, crossed ? " M-1,5 L1,7 M0,0 L6,6 M5,-1 L7,1" : "", colour);
}

void Svg::grid(const Frame& frame, const Scale& x, const std::vector<Tick>& across, const Scale& y,
               const std::vector<Tick>& up) {
  for (const Tick& tick : across) line(x(tick.at), frame.top, x(tick.at), frame.bottom(), {.stroke = faint});
  for (const Tick& tick : up) line(frame.left, y(tick.at), frame.right(), y(tick.at), {.stroke = faint});
}

void Svg::x_axis(const Frame& frame, const Scale& x, const std::vector<Tick>& ticks, std::string_view title) {
  const double y = frame.bottom();
  line(frame.left, y, frame.right(), y, {.stroke = ink});
  for (const Tick& tick : ticks) {
    line(x(tick.at), y, x(tick.at), y + 4, {.stroke = ink});
    text(x(tick.at), y + 16, tick.label, {.anchor = "middle"});
  }
  text(frame.left + frame.width / 2, y + 33, title, {.size = 12, .anchor = "middle"});
}

void Svg::y_axis(const Frame& frame, const Scale& y, const std::vector<Tick>& ticks, std::string_view title) {
  line(frame.left, frame.top, frame.left, frame.bottom(), {.stroke = ink});
  for (const Tick& tick : ticks) {
    line(frame.left - 4, y(tick.at), frame.left, y(tick.at), {.stroke = ink});
    text(frame.left - 7, y(tick.at) + 4, tick.label, {.anchor = "end"});
  }
  text(16, frame.top + frame.height / 2, title, {.size = 12, .anchor = "middle", .upwards = true});
}

std::string Svg::str() const { return body_ + "</svg>\n"; }

bool is_open(MarkShape shape) { return shape == MarkShape::ring || name(shape).starts_with("open_"); }

void draw_mark(Svg& svg, double x, double y, const Style& look, double r) {
  const std::string_view colour = look.colour.light;
  const Pen pen{.fill = is_open(look.mark) ? palette::ground.light : colour, .stroke = colour, .width = 1.4};
  const Pen stroke{.stroke = colour, .width = 1.8};
  switch (look.mark) {
    case MarkShape::disc:
    case MarkShape::ring:
      return svg.circle(x, y, r, pen);
    case MarkShape::square:
    case MarkShape::open_square:
      return svg.rect({x - r, y - r, 2 * r, 2 * r}, pen);
    case MarkShape::triangle:
    case MarkShape::open_triangle:
      return svg.path(triangle(x, y, r, 1), pen);
    case MarkShape::fall:
    case MarkShape::open_fall:
      return svg.path(triangle(x, y, r, -1), pen);
    case MarkShape::diamond:
    case MarkShape::open_diamond:
      return svg.path(diamond(x, y, r + 1), pen);
    case MarkShape::cross:
      return svg.path(
          "M" + at(x - r, y - r) + " L" + at(x + r, y + r) + " M" + at(x - r, y + r) + " L" + at(x + r, y - r), stroke);
    case MarkShape::plus:
      return svg.path(
          "M" + at(x - r - 1, y) + " L" + at(x + r + 1, y) + " M" + at(x, y - r - 1) + " L" + at(x, y + r + 1), stroke);
  }
}

void draw_sample(Svg& svg, double x, double y, double width, const Style& look) {
  svg.line(x, y, x + width, y, {.stroke = look.colour.light, .width = 1.8, .dash = look.dash});
  draw_mark(svg, x + width / 2, y, look);
}

}  // namespace tare::detail::render
