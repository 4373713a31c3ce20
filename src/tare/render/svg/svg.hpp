// A small SVG writer: shapes by coordinates, text by trust. Everything is a presentation attribute, because a <style>
// inside an inlined picture would reach the page around it; the background is white, so a picture prints as it looks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/palette.hpp"

namespace tare::detail::render {

// Text as XML 1.0 may hold it: markup is escaped; what is not UTF-8 or not an XML character becomes U+FFFD; what cannot
// be seen is written out (core/clean.hpp).
std::string xml(std::string_view untrusted);

// At most `columns` wide, the beginning replaced by an ellipsis: the end of a path is what tells files apart.
// East Asian characters and emoji count as two columns.
std::string shortened(std::string_view utf8, std::size_t columns);

// From data to pixels; `to` may lie below `from`, as it does on every vertical axis.
struct Scale {
  double low = 0, high = 1;
  double from = 0, to = 1;
  double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
};

struct Point {
  double x = 0, y = 0;
};

struct Pen {
  std::string_view fill = "none";
  std::string_view stroke = "none";
  double width = 1;
  std::string_view dash = {};
  double opacity = 1;
};

struct Type {
  double size = 11;
  bool bold = false;
  std::string_view anchor = "start";  // start, middle, end
  bool upwards = false;               // turned by a quarter, for the title of a vertical axis
};

struct HeadingLine {
  double y = 0;
  std::string words = {};
  double size = 12;
  bool bold = false;
};

struct Tick {
  double at = 0;  // in data units
  std::string label = {};
};

std::vector<Tick> percent_ticks();  // 0, 20, ..., 100 for fractions
// Round numbers inside low .. high, times `factor` in their labels; about `most` of them.
std::vector<Tick> round_ticks(double low, double high, double factor = 1, int most = 5);
std::vector<Tick> percent_ticks(double high);  // round percentages, at most six, the last at or above `high`

class Svg {
 public:
  // `title` and `description` are what a screen reader says.
  Svg(double width, double height, std::string_view title, std::string_view description);

  void rect(const Frame& where, const Pen& pen);
  void line(double x1, double y1, double x2, double y2, const Pen& pen);
  void circle(double x, double y, double radius, const Pen& pen);
  void path(const std::vector<Point>& through, const Pen& pen);  // straight from point to point
  // What is drawn until end() is one group: a page can style it by its class, and shows the tip when it is pointed at.
  void begin(std::string_view css_class, std::string_view tip = {});
  void end();
  void path(std::string_view d, const Pen& pen);  // d as SVG has it, coordinates in pixels
  void text(double x, double y, std::string_view untrusted, const Type& type = {});
  void heading(const std::vector<HeadingLine>& lines);
  // An I: from `low` to `high`, with ends that reach `half` to both sides.
  void bracket(double x, double low, double high, double half, const Pen& pen);
  // Diagonal lines to fill areas with as "url(#id)": the difference is seen without colour.
  void hatch(std::string_view id, std::string_view ground, std::string_view ink, bool crossed);

  // Scales {}: the ticks are in pixels already.
  void grid(const Frame& frame, const Scale& x, const std::vector<Tick>& across, const Scale& y,
            const std::vector<Tick>& up);
  void x_axis(const Frame& frame, const Scale& x, const std::vector<Tick>& ticks, std::string_view title);
  void y_axis(const Frame& frame, const Scale& y, const std::vector<Tick>& ticks, std::string_view title);

  [[nodiscard]] std::string str() const;

 private:
  std::string body_;
};

void draw_mark(Svg& svg, double x, double y, const Style& look, double radius = 3.4);
bool is_open(MarkShape shape);  // its inside is the ground

// A short piece of the line with its mark, for legends.
void draw_sample(Svg& svg, double x, double y, double width, const Style& look);

}  // namespace tare::detail::render
