// Charts of numbers as SVG: lines with error bars, heat maps, grouped bars, dumbbells. Series differ by colour, dash
// and marker, and heat maps carry their numbers, so that nothing is said by colour alone. Numbers come as they are to
// be shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tare/core/palette.hpp"

namespace tare::detail::render {

struct Axis {
  std::string title = {};
  bool log = false;
  std::optional<double> low = {};  // empty: from the data
  std::optional<double> high = {};
};

struct Series {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> error = {};  // half the length of the bars; empty: none
  std::optional<Style> look = {};  // of an estimator; empty: the next of the palette
  bool points = false;             // never joined by a line
};

// Numbers that somebody else published, beside ours.
inline constexpr Style published_look{palette::grey, MarkShape::open_diamond, palette::solid};

struct Stripe {  // grey, across a panel
  double from = 0, to = 0;
  bool vertical = false;
  std::string label = {};
};

struct Mark {  // a dashed line across a panel
  double at = 0;
  bool vertical = false;
  std::string label = {};
};

struct Panel {
  std::string title = {};
  std::vector<Series> series = {};
  std::vector<Mark> marks = {};
  std::vector<Stripe> bands = {};
};

enum class Draw { lines, points, bars };  // bars: a histogram, x are centres of equal width

struct LineChart {
  std::string title = {};
  Axis x = {}, y = {};
  Draw draw = Draw::lines;
  bool diagonal = false;  // y = x
  std::vector<Panel> panels = {};
  int columns = 3;
};
std::string chart_svg(const LineChart& chart);

struct HeatPanel {
  std::string title = {};
  std::vector<std::string> columns = {}, rows = {};
  std::vector<std::vector<std::optional<double>>> value = {};  // [row][column]
};

struct HeatChart {
  std::string title = {}, x_title = {}, y_title = {};
  int digits = 1;
  std::vector<HeatPanel> panels = {};
};
std::string chart_svg(const HeatChart& chart);

struct BarChart {
  std::string title = {};
  std::string id = {};  // begins the names of its hatchings: several charts may stand on one page
  Axis y = {};
  std::vector<std::string> groups = {}, series = {};
  std::vector<std::optional<Style>> looks = {};                // of the series, as in Series; may be shorter
  std::vector<std::vector<std::optional<double>>> value = {};  // [series][group]
};
std::string chart_svg(const BarChart& chart);

// Two numbers for one thing, published and ours, and the way between them.
struct Dumbbell {
  std::string label = {};
  std::optional<double> published = {}, ours = {};
  double error = 0;  // of ours: half the length of its bar; 0: none
};

struct DumbbellPanel {
  std::string title = {};
  std::vector<Dumbbell> rows = {};
};

struct DumbbellChart {
  std::string title = {};
  Axis x = {};
  std::string published = "published", ours = "recomputed";
  std::vector<DumbbellPanel> panels = {};
  int columns = 2;
};
std::string chart_svg(const DumbbellChart& chart);

}  // namespace tare::detail::render
