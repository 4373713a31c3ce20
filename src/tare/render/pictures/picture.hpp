// A picture as plain data: panels with axes and marks, and a legend. The SVG (picture_svg.cpp) and Python's matplotlib
// (python/tare/_pictures.py, from its JSON) are drawn from it. Coordinates are those of the data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/palette.hpp"
#include "tare/core/results.hpp"
#include "tare/render/json/json_text.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {

struct PictureAxis {
  std::string title = {};
  double low = 0, high = 1;
  bool log = false;
  double factor = 1;             // 100: fractions, shown in percent
  std::vector<Tick> ticks = {};  // empty: round numbers
};
PictureAxis percent_axis(std::string title, double low = 0, double high = 1);
PictureAxis log_axis(std::string title, double low, double high, double factor = 1);

struct Stroke {
  Colour colour = palette::ink;
  double width = 2;
  std::string_view dash = palette::solid;
};

struct Dot {
  Style look = {};
  double radius = 3;
  std::optional<double> rim = {};  // of a circle, how wide; none: as marks have it
};

// Drawn in the order of the fields: the area between `low` and `high`, error bars instead of it where there are dots, a
// line through the points, a dot on each.
struct PictureMark {
  std::string label = {};  // of matplotlib's legend; empty: not there
  std::vector<double> x = {}, y = {};
  std::vector<double> low = {}, high = {};
  std::optional<Colour> area = {};
  std::optional<Stroke> line = {};
  std::optional<Dot> dot = {};
  std::vector<double> size = {};       // of each dot beside its radius, 0 to 1; empty: all alike
  std::vector<std::string> tips = {};  // the exact numbers of each point
};

// A line across the panel, with the area around it.
struct PictureRule {
  std::string label = {};
  double at = 0;
  bool vertical = false;
  Stroke line = {};
  std::optional<double> low = {}, high = {};
  Colour area = palette::chance;
  std::string tip = {};
};

struct PictureNote {
  double x = 0, y = 0;
  std::string words = {};
};

struct PicturePanel {
  std::string title = {};
  PictureAxis x = {}, y = {};
  double height = 300;
  std::vector<PictureRule> rules = {};
  std::vector<PictureMark> marks = {};
  std::vector<PictureNote> notes = {};
};

struct PictureEntry {
  std::string words = {};
  std::optional<Colour> box = {};
  std::optional<Stroke> line = {};
  std::optional<Dot> dot = {};
  double x = 14;
  bool beside = false;  // on the line of the entry before it
};

struct Picture {
  std::string title = {}, description = {};  // for those who cannot see it
  InputInfo input = {};
  std::string about = {};  // a line of the heading
  std::vector<PicturePanel> panels = {};
  std::vector<PictureEntry> legend = {};
  double sample = 26;  // how wide the samples of the legend are
};

// Alone, or without its heading inside a page that says it.
std::string svg(const Picture& picture, bool heading = true);
Json to_json(const Picture& picture);

}  // namespace tare::detail::render
