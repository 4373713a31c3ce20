#include <fmt/format.h>

#include <algorithm>

#include "tare/render/json/json.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/svg/pictures.hpp"

namespace tare::detail::render {
namespace {

struct MapRow {
  const MapLine* line;
  const MapPoint* point;
};

std::vector<MapRow> map_rows(const MapLine& line, std::size_t step = 1) {
  std::vector<MapRow> out;
  for (std::size_t i = 0; i < line.curve.size(); i += step) out.push_back({&line, &line.curve[i]});
  return out;
}

ColumnTable map_table(const std::vector<MapRow>& rows) {
  const auto point = [](auto member) { return [=](const MapRow& r) { return r.point->*member; }; };
  Columns c(rows);
  c.csv("line", [](const MapRow& r) { return r.line->name; }).text("line");
  c.add("", [](const MapRow& r) {
     return r.line->class_index ? fmt::format("class {}", *r.line->class_index) : std::string("scores");
   }).page("line");
  c.add("before", point(&MapPoint::before)).percent().text("score", 2, "%").page("before");
  c.add("after", point(&MapPoint::after)).percent().text("becomes", 2, "%").ink(Ink::bold).page("after");
  c.add("low", point(&MapPoint::low));
  c.add("high", point(&MapPoint::high));
  c.range(point(&MapPoint::low), point(&MapPoint::high))
      .percent()
      .text("80 of 100", 2, "%")
      .ink(Ink::dim)
      .page("", {"low", "high"});
  c.add("weight", point(&MapPoint::weight)).count().text("rows").page("rows");
  return c.take();
}

ColumnTable map_table(const CalibratorMap& map, bool few) {
  std::vector<MapRow> rows;
  for (const MapLine& line : map.lines) {
    const auto more = map_rows(line, few ? std::max<std::size_t>(1, line.curve.size() / 12) : 1);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return map_table(rows);
}

Style map_look(const CalibratorMap& map, std::size_t i) {
  return map.lines.size() == 1 ? Style{palette::after, MarkShape::disc, palette::solid} : palette::series_style(i);
}

std::string map_name(const CalibratorMap& map, const MapLine& line) {
  if (line.class_index) return "class " + line.name;
  return map.input.reduction == Reduction::positive ? "class 1" : "predicted class";
}

void add_map_line(PicturePanel& panel, const CalibratorMap& map, std::size_t number) {
  const MapLine& line = map.lines[number];
  const bool one = map.lines.size() == 1;
  const Style look = map_look(map, number);
  PictureMark through{.label = one ? map.method : map_name(map, line), .line = Stroke{look.colour, 2, look.dash}};
  PictureMark dots{.dot = Dot{look, 2.6}};
  const std::size_t step = std::max<std::size_t>(1, line.curve.size() / 20);
  for (std::size_t i = 0; i < line.curve.size(); ++i) {
    const MapPoint& p = line.curve[i];
    through.add(p.before, p.after);
    if (i % step != 0) continue;
    dots.add(p.before, p.after,
             fmt::format("{}: score {} becomes {} ({} to {} in 80 of 100), {} rows", map_name(map, line),
                         visible(p.before, 4), visible(p.after, 4), visible(p.low, 4), visible(p.high, 4),
                         grouped(p.weight)));
  }
  panel.marks.push_back(std::move(through));
  panel.marks.push_back(std::move(dots));
}

// Where results scatter: the middle 80 of 100.
PictureMark scatter_of(const MapLine& line) {
  PictureMark out{.label = "80 of 100 rows with about this score", .area = palette::band};
  for (const MapPoint& p : line.curve) out.add_range(p.before, p.low, p.high);
  return out;
}

constexpr Style rates_look{palette::dim, MarkShape::ring, palette::solid};

// Hit rates of the data, their area by the number of rows.
PictureMark rates_of(const MapLine& line, const Words& say) {
  PictureMark out{.label = fmt::format("{} of the data, in bins", say.rate), .dot = Dot{rates_look, 2, 1.3}};
  double most = 0;
  for (const Bin& bin : line.data) most = std::max(most, bin.count);
  for (const Bin& bin : line.data) {
    out.add(bin.mean_score, bin.mean_label,
            fmt::format("{} rows, {} {}%, {} {}%", grouped(bin.count), say.mean_score, percent(bin.mean_score),
                        say.rate, percent(bin.mean_label)));
    out.size.push_back(bin.count / most);
  }
  return out;
}

}  // namespace

ColumnTable table(const CalibratorMap& map) { return map_table(map, false); }

std::string csv(const CalibratorMap& map) { return csv(table(map)); }

std::string json(const CalibratorMap& map) {
  Json out = plot_json("map", map.input);
  out.set("method", map.method);
  out.set("fitted_on", or_null(map.fitted_on));
  out.set("same_rows", map.same_rows);
  out.set("lines", json_list(map.lines, [](const MapLine& line) {
            return Json{{"name", or_null(line.name)},
                        {"class", or_null(line.class_index)},
                        {"curve", json_rows(map_table(map_rows(line)))},
                        {"data", to_json(line.data)}};
          }));
  return out.indented();
}

std::string text(const CalibratorMap& map, const TextOptions& options) {
  return header(map.input, options) + "\n" + map.method + (map.same_rows ? ", fitted on these rows" : "") + "\n" +
         text_table(map_table(map, true)).str(options.colour, options.width);
}

Result<Picture> picture(const CalibratorMap& map) {
  const Words say = words(map.input.reduction);
  const bool one = map.lines.size() == 1;
  const std::string classes =
      !one && map.classes > map.lines.size() ? fmt::format("; the {} largest classes", map.lines.size()) : "";
  const std::string on = map.same_rows ? "these rows" : map.fitted_on;
  const std::string about = (on.empty() ? map.method : fitted_words(map.method, on, 70 - classes.size())) + classes;
  PicturePanel panel{
      .x = percent_axis(std::string(say.score)),
      .y = percent_axis(one ? fmt::format("calibrated, and {}, %", say.rate) : std::string("calibrated, %")),
      .height = 380};
  if (one) panel.marks.push_back(scatter_of(map.lines.front()));
  panel.marks.push_back({.label = "perfectly calibrated",
                         .x = {0, 1},
                         .y = {0, 1},
                         .line = Stroke{palette::diagonal, 1.4, palette::dashed}});
  if (one) panel.marks.push_back(rates_of(map.lines.front(), say));
  Picture out{.title = fmt::format("What {} does", map.method),
              .description = about,
              .input = map.input,
              .about = about,
              .sample = 30};
  for (std::size_t i = 0; i < map.lines.size(); ++i) {
    add_map_line(panel, map, i);
    const Style look = map_look(map, i);
    out.legend.push_back(
        {.words = one ? "what the calibrator makes of a score" : shortened(map_name(map, map.lines[i]), 40),
         .line = Stroke{look.colour, 1.8, look.dash},
         .dot = Dot{look, 3.4}});
  }
  out.panels = {std::move(panel)};
  if (!one) return out;
  out.legend.push_back({.words = "80 of 100 rows with about this score", .box = palette::band});
  out.legend.push_back({.words = fmt::format("{} of the data, in bins", say.rate), .dot = Dot{rates_look, 4, 1.3}});
  return out;
}

}  // namespace tare::detail::render
