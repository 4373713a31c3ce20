// A picture as plain data: panels with axes and marks, and a legend. The SVG (picture.cpp) and Python's matplotlib
// (python/tare/_pictures.py, from its JSON) are drawn from it. Coordinates are those of the data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  std::optional<double> rim = {};      // of a circle or a square, how wide; none: as marks have it
  std::optional<Colour> outline = {};  // of the rim; none: as the dot
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

  void add(double px, double py, std::string tip = {}) {
    x.push_back(px);
    y.push_back(py);
    if (!tip.empty()) tips.push_back(std::move(tip));
  }
  void add_range(double px, double from, double to) {  // without a point
    x.push_back(px);
    low.push_back(from);
    high.push_back(to);
  }
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

// An upright mark on a row, and how far it reaches.
struct Upright {
  Stroke line = {};
  double above = 6, below = 6;
  double at = 0;
  bool rim = false;  // of the ground: it stands out of what lies below it
};

struct PictureEntry {
  std::string words = {};
  std::optional<Colour> box = {};
  std::optional<Stroke> line = {};
  bool caps = false;  // at both ends of the line
  std::optional<Dot> dot = {};
  std::optional<Upright> upright = {};
  double x = 14;
  bool beside = false;                // on the line of the entry before it
  std::optional<double> sample = {};  // how wide; none: as all of the picture
  double box_height = 11;
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

// One of the rows of a chart, drawn in the order of the fields.
struct PictureRow {
  std::string label = {};
  bool bold = false;
  std::string words = {};  // instead of all that follows
  std::string tip = {};
  std::optional<double> chance = {};  // an area that ends here
  std::optional<Upright> mean = {};   // of chance
  std::optional<double> low = {}, high = {};
  Stroke line = {palette::ink, 1.6};  // from low to high
  bool caps = true;
  std::optional<Upright> second = {};  // a second estimate of the value
  double value = 0;                    // beyond the axis: an arrow at its end
  Dot dot = {};
  std::string beside = {};  // behind the end of the axis
};

// A chart of rows that share an axis: estimators, calibrators, groups.
struct RowPicture {
  std::string title = {}, description = {};
  std::vector<HeadingLine> heading = {};
  PictureAxis x = {};
  std::optional<Stroke> zero = {};  // the line at 0
  bool left_line = false;           // where the axis begins
  std::vector<PictureRow> rows = {};
  std::string beside = {};  // over what stands beside the rows
  std::vector<PictureEntry> legend = {};
  // In pixels. The legend: from the bottom of the rows down, or up from their top.
  double top = 14, left = 106, width = 286, step = 22, margin = 4, size = 11, beside_gap = 8, below = 64,
         legend_at = 54;
};
std::string svg(const RowPicture& picture);

}  // namespace tare::detail::render
