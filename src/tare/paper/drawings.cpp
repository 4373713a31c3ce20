// Charts of a data file, filled with the rows of its study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "tare/core/palette.hpp"
#include "tare/measure/spec.hpp"
#include "tare/paper/item.hpp"
#include "tare/paper/rule.hpp"
#include "tare/render/svg/chart.hpp"
#include "tare/render/svg/pictures.hpp"

namespace tare::detail::paper {
namespace {

render::Axis axis_of(const Settings& s, const std::string& which, const std::string& title) {
  render::Axis out{.title = s.text(which + "_title", title), .log = s.flag("log_" + which)};
  if (s.has(which + "_low")) out.low = s.number(which + "_low");
  if (s.has(which + "_high")) out.high = s.number(which + "_high");
  return out;
}

// The different values of the column, or one nameless one where the chart does not divide by it.
std::vector<Cell> divided(const Frame& frame, const std::string& column, const std::vector<std::size_t>& rows) {
  return column.empty() ? std::vector<Cell>{Cell()} : values_of(frame, column, rows);
}

// The rows with this value in the column; all of them where the chart does not divide by it.
std::vector<std::size_t> part(const Frame& frame, const std::vector<std::size_t>& rows, const std::string& column,
                              const Cell& value) {
  if (column.empty()) return rows;
  std::vector<std::size_t> out;
  std::ranges::copy_if(rows, std::back_inserter(out), [&](std::size_t r) { return frame.at(r, column) == value; });
  return out;
}

// Of an estimator; empty: it is none.
std::optional<Style> style_of_series(const std::string& name) {
  const Style* found = find_style(name);
  return found ? std::optional(*found) : std::nullopt;
}

// Rows at the same x are averaged, and so are their errors, as those of independent values.
render::Series series_of(const Frame& frame, const Settings& s, const std::string& y,
                         const std::vector<std::size_t>& rows) {
  struct Sum {
    double y = 0, squares = 0, count = 0;
  };
  std::map<double, Sum> at;
  const std::string x = s.text("x"), error = s.text("error", "");
  for (const std::size_t r : rows) {
    const double *a = frame.number(r, x), *b = frame.number(r, y);
    if (!a || !b) continue;
    Sum& sum = at[*a];
    sum.y += *b;
    sum.count += 1;
    if (const double* e = error.empty() ? nullptr : frame.number(r, error)) sum.squares += *e * *e;
  }
  render::Series out;
  for (const auto& [where, sum] : at) {
    out.x.push_back(where);
    out.y.push_back(sum.y / sum.count);
    if (!error.empty()) out.error.push_back(2 * std::sqrt(sum.squares) / sum.count);
  }
  return out;
}

void add_marks(const Frame& frame, const Settings& s, const Cell& panel, render::Panel& out) {
  for (const Settings& mark : s.list("marks")) {
    if (mark.has("panel") && mark.text("panel") != text_of(panel)) continue;
    const auto at = evaluate(frame, mark.text("at"));
    const auto label = filled(frame, mark.text("label", ""));
    if (!at || !label) {
      s.wrong(!at ? sentence(at.error()) : sentence(label.error()));
      continue;
    }
    out.marks.push_back({*at, mark.flag("vertical"), *label});
  }
}

// Numbers that the paper prints: of a column, and one by one.
render::Series published_points(const Frame& frame, const Settings& s, const Cell& panel,
                                const std::vector<std::size_t>& rows) {
  render::Series out{.name = "published", .look = render::published_look, .points = true};
  const std::string x = s.text("x"), y = s.text("published_y", "");
  for (const std::size_t r : rows)
    if (const double* a = frame.number(r, x), *b = y.empty() ? nullptr : frame.number(r, y); a && b) {
      out.x.push_back(*a);
      out.y.push_back(*b);
    }
  for (const Settings& point : s.list("points")) {
    if (point.has("panel") && point.text("panel") != text_of(panel)) continue;
    out.x.push_back(point.number("x"));
    out.y.push_back(point.number("y"));
  }
  return out;
}

void add_bands(const Settings& s, const Cell& panel, render::Panel& out) {
  for (const Settings& band : s.list("bands"))
    if (!band.has("panel") || band.text("panel") == text_of(panel))
      out.bands.push_back({band.number("from"), band.number("to"), band.flag("vertical"), band.text("label", "")});
}

std::string lines_svg(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  render::LineChart chart{.title = s.text("title"), .x = axis_of(s, "x", s.text("x", "")), .y = {}, .panels = {}};
  const auto ys = s.texts("y");
  chart.y = axis_of(s, "y", ys.empty() ? "" : ys.front());
  const std::string draw = s.text("draw", "lines");
  chart.draw = draw == "points" ? render::Draw::points : draw == "bars" ? render::Draw::bars : render::Draw::lines;
  chart.diagonal = s.flag("diagonal");
  chart.columns = static_cast<int>(s.number("columns", 3));
  const std::string by_panel = s.text("panel", ""), by_series = s.text("series", "");
  for (const Cell& panel : divided(frame, by_panel, rows)) {
    const auto inside = part(frame, rows, by_panel, panel);
    render::Panel p{.title = text_of(panel), .series = {}, .marks = {}, .bands = {}};
    for (const Cell& name : divided(frame, by_series, inside))
      for (const std::string& y : ys) {
        render::Series series = series_of(frame, s, y, part(frame, inside, by_series, name));
        series.name = ys.size() == 1      ? s.text("series_prefix", "") + text_of(name)
                      : by_series.empty() ? y
                                          : text_of(name) + " " + y;
        series.look = style_of_series(series.name);
        if (!series.x.empty()) p.series.push_back(std::move(series));
      }
    if (auto points = published_points(frame, s, panel, inside); !points.x.empty())
      p.series.push_back(std::move(points));
    add_marks(frame, s, panel, p);
    add_bands(s, panel, p);
    chart.panels.push_back(std::move(p));
  }
  return render::chart_svg(chart);
}

// Published and recomputed numbers side by side: from columns of the rows, or one by one as expressions.

std::optional<double> number_at(const Frame& frame, std::size_t row, const std::string& column) {
  const double* x = frame.number(row, column);
  return x ? std::optional<double>(*x) : std::nullopt;
}

// {"label": words, "published": a number, "ours": an expression}
render::DumbbellPanel stated(const Frame& frame, const Settings& s) {
  render::DumbbellPanel out;
  for (const Settings& row : s.list("rows")) {
    const auto ours = evaluate(frame, row.text("ours"));
    if (!ours) s.wrong(sentence(ours.error()));
    render::Dumbbell one{.label = row.text("label"), .published = {}, .ours = ours ? *ours : 0};
    if (row.has("published")) one.published = row.number("published");
    out.rows.push_back(std::move(one));
  }
  return out;
}

// Each label once: the first row that has it.
render::DumbbellPanel of_columns(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  const std::string label = s.text("label"), ours = s.text("ours"), published = s.text("published_column"),
                    error = s.text("error", "");
  render::DumbbellPanel out;
  for (const Cell& value : divided(frame, label, rows)) {
    const std::size_t row = part(frame, rows, label, value).front();
    render::Dumbbell one{
        .label = text_of(value), .published = number_at(frame, row, published), .ours = number_at(frame, row, ours)};
    if (!error.empty()) one.error = 2 * number_at(frame, row, error).value_or(0);
    if (one.published || one.ours) out.rows.push_back(std::move(one));
  }
  return out;
}

std::string dumbbells_svg(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  render::DumbbellChart chart{.title = s.text("title"), .x = axis_of(s, "x", s.text("x", "")), .panels = {}};
  chart.columns = static_cast<int>(s.number("columns", 2));
  if (s.has("rows")) {
    chart.panels.push_back(stated(frame, s));
    return render::chart_svg(chart);
  }
  const std::string by_panel = s.text("panel", "");
  for (const Cell& panel : divided(frame, by_panel, rows)) {
    chart.panels.push_back(of_columns(frame, s, part(frame, rows, by_panel, panel)));
    chart.panels.back().title = text_of(panel);
  }
  return render::chart_svg(chart);
}

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
      const auto c = std::ranges::find(columns, frame.at(r, x)) - columns.begin();
      const auto l = std::ranges::find(lines_, frame.at(r, y)) - lines_.begin();
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
        const auto g = std::ranges::find(groups, frame.at(r, x)) - groups.begin();
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

Result<std::vector<Picture>> drawings(const Frame& frame, const Item& item) {
  std::vector<Picture> out;
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

}  // namespace tare::detail::paper
