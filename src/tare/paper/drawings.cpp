// Charts of a data file, filled with the rows of its study.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tare/core/palette.hpp"
#include "tare/measure/spec.hpp"
#include "tare/paper/drawing_parts.hpp"
#include "tare/paper/item.hpp"
#include "tare/render/svg/chart.hpp"
#include "tare/render/svg/pictures.hpp"

namespace tare::detail::paper {
namespace {

std::string heat(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  render::HeatChart chart{.title = s.text("title"),
                          .x_title = s.text("x_title"),
                          .y_title = s.text("y_title"),
                          .digits = static_cast<int>(s.number("digits", 1)),
                          .panels = {}};
  const std::string x = s.text("x"), y = s.text("y"), value = s.text("value"), by_panel = s.text("panel", "");
  for (const Cell& panel : divided(frame, by_panel, rows)) {
    const auto inside = part(frame, rows, by_panel, panel);
    const auto columns = values_of(frame, x, inside), lines_ = values_of(frame, y, inside);
    render::HeatPanel p{.title = text_of(panel), .columns = {}, .rows = {}, .value = {}};
    for (const Cell& c : columns) p.columns.push_back(text_of(c));
    for (const Cell& c : lines_) p.rows.push_back(text_of(c));
    p.value.assign(lines_.size(), std::vector<std::optional<double>>(columns.size()));
    for (const std::size_t r : inside) {
      const auto c = std::find(columns.begin(), columns.end(), frame.at(r, x)) - columns.begin();
      const auto l = std::find(lines_.begin(), lines_.end(), frame.at(r, y)) - lines_.begin();
      if (c < static_cast<std::ptrdiff_t>(columns.size()) && l < static_cast<std::ptrdiff_t>(lines_.size()))
        if (const double* v = frame.number(r, value))
          p.value[static_cast<std::size_t>(l)][static_cast<std::size_t>(c)] = *v;
    }
    chart.panels.push_back(std::move(p));
  }
  return render::chart_svg(chart);
}

// Groups by one column; series by another, or one for each value column.
std::string bars(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows, const std::string& id) {
  render::BarChart chart{.title = s.text("title"),
                         .id = id,
                         .y = {.title = s.text("y_title")},
                         .groups = {},
                         .series = {},
                         .looks = {},
                         .value = {}};
  if (s.has("y_high")) chart.y.high = s.number("y_high");
  const std::string x = s.text("x"), by_series = s.text("series", "");
  const auto ys = s.texts("y");
  const auto groups = values_of(frame, x, rows);
  for (const Cell& g : groups) chart.groups.push_back(text_of(g));
  for (const Cell& name : divided(frame, by_series, rows))
    for (const std::string& y : ys) {
      chart.series.push_back(by_series.empty() ? y : ys.size() == 1 ? text_of(name) : text_of(name) + " " + y);
      chart.looks.push_back(style_of_series(chart.series.back()));
      chart.value.emplace_back(groups.size());
      for (const std::size_t r : part(frame, rows, by_series, name)) {
        const auto g = std::find(groups.begin(), groups.end(), frame.at(r, x)) - groups.begin();
        if (g == static_cast<std::ptrdiff_t>(groups.size())) continue;
        if (const double* v = frame.number(r, y)) chart.value.back()[static_cast<std::size_t>(g)] = *v;
      }
    }
  return render::chart_svg(chart);
}

EstimatorInfo about_estimator(std::string_view name) {
  const measure::Estimator* found = measure::find(name);
  return found ? static_cast<const EstimatorInfo&>(*found) : EstimatorInfo{};
}

// The bins in the rows as a survey, for the pictures that every fold can have.
std::string survey_picture(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows,
                           const std::string& id) {
  Survey survey;
  Measured m;
  Estimate estimate;
  const auto of = [&](std::size_t r, const char* column) {
    return frame.number(r, column) ? *frame.number(r, column) : 0;
  };
  for (const std::size_t r : rows) {
    if (!frame.number(r, "lower")) continue;
    estimate.per_bin.push_back(
        {of(r, "lower"), of(r, "upper"), of(r, "count"), of(r, "mean_score"), of(r, "mean_label")});
    estimate.value = of(r, "value") / 100;
    estimate.bins = static_cast<std::int64_t>(of(r, "bins"));
    survey.input.n = static_cast<std::size_t>(of(r, "n"));
    survey.input.k = static_cast<std::size_t>(of(r, "k"));
    m.name = text_of(frame.at(r, "estimator"));
    m.about = about_estimator(m.name);
    m.norm = static_cast<int>(of(r, "norm"));
    if (frame.number(r, "floor_high")) {
      m.floor = of(r, "floor") / 100;
      m.floor_high = of(r, "floor_high") / 100;
    }
  }
  if (estimate.per_bin.empty()) {
    s.wrong("there are no bins to draw");
    return {};
  }
  survey.input.source = s.text("title");
  survey.input.total_weight = static_cast<double>(survey.input.n);
  m.estimate = estimate;
  survey.measured.push_back(m);
  for (const char* name : {"accuracy", "confidence"})
    if (frame.number(rows.front(), name)) {
      Measured mean{.name = name, .about = about_estimator(name)};
      mean.estimate = Estimate{.value = of(rows.front(), name) / 100};
      survey.measured.push_back(mean);
    }
  const render::PictureOptions options{.estimator = m.name, .id = id};
  const auto svg =
      s.text("type") == "histogram" ? render::histogram_svg(survey, options) : render::reliability_svg(survey, options);
  if (svg) return *svg;
  s.wrong(sentence(svg.error()));
  return {};
}

}  // namespace

Result<std::vector<Drawing>> drawings(const Frame& frame, const Item& item) {
  std::vector<Drawing> out;
  const Settings file(item.file, item.name);
  const auto list = file.list("charts");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Settings& s = list[i];
    const auto where = Where::parse(s.text("where", ""));
    if (!where) return where.error();
    const auto rows = where->rows(frame);
    const std::string type = s.text("type");
    const std::string name =
        list.size() == 1 ? item.name : fmt::format("{}_{}", item.name, s.text("name", std::to_string(i + 1)));
    std::string svg;
    if (rows.empty())
      s.wrong("no rows where " + s.text("where", ""));
    else if (type == "lines")
      svg = lines_svg(frame, s, rows);
    else if (type == "heat")
      svg = heat(frame, s, rows);
    else if (type == "bars")
      svg = bars(frame, s, rows, name);
    else if (type == "dumbbells")
      svg = dumbbells_svg(frame, s, rows);
    else if (type == "reliability" || type == "histogram")
      svg = survey_picture(frame, s, rows, name);
    else
      s.wrong("there is no chart '" + type + "'");
    if (!file.problem().empty()) return file.error();
    out.push_back(
        {name + ".svg", s.text("caption", s.text("title")), s.text("published", ""), std::move(svg), s.has("panel")});
  }
  if (!file.problem().empty()) return file.error();
  return out;
}

render::Axis axis_of(const Settings& s, const std::string& which) {
  render::Axis out{.title = s.text(which + "_title", s.text(which, "")), .log = s.flag("log_" + which)};
  if (s.has(which + "_low")) out.low = s.number(which + "_low");
  if (s.has(which + "_high")) out.high = s.number(which + "_high");
  return out;
}

std::vector<Cell> divided(const Frame& frame, const std::string& column, const std::vector<std::size_t>& rows) {
  return column.empty() ? std::vector<Cell>{Cell()} : values_of(frame, column, rows);
}

std::vector<std::size_t> part(const Frame& frame, const std::vector<std::size_t>& rows, const std::string& column,
                              const Cell& value) {
  if (column.empty()) return rows;
  std::vector<std::size_t> out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out),
               [&](std::size_t r) { return frame.at(r, column) == value; });
  return out;
}

std::optional<Style> style_of_series(const std::string& name) {
  const Style* found = find_style(name);
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace tare::detail::paper
