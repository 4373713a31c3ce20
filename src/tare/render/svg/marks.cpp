#include "tare/render/svg/marks.hpp"

#include <fmt/format.h>

namespace tare::detail::render {
namespace {

std::string at(double x, double y) { return fmt::format("{:.2f},{:.2f}", x, y); }

std::string triangle(double x, double y, double r, double up) {
  return "M" + at(x, y - up * (r + 1)) + " L" + at(x + r + 0.6, y + up * r) + " L" + at(x - r - 0.6, y + up * r) + " Z";
}

std::string diamond(double x, double y, double r) {
  return "M" + at(x, y - r) + " L" + at(x + r, y) + " L" + at(x, y + r) + " L" + at(x - r, y) + " Z";
}

}  // namespace

bool is_open(MarkShape shape) {
  switch (shape) {
    case MarkShape::ring:
    case MarkShape::open_square:
    case MarkShape::open_triangle:
    case MarkShape::open_diamond:
    case MarkShape::open_fall:
      return true;
    default:
      return false;
  }
}

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
