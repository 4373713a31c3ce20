// Lines of a data file, with what the paper prints: points and bands.
#include <cmath>
#include <map>

#include "tare/paper/drawing_parts.hpp"
#include "tare/paper/rule.hpp"

namespace tare::detail::paper {
namespace {

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

}  // namespace

std::string lines_svg(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  render::LineChart chart{.title = s.text("title"), .x = axis_of(s, "x"), .y = {}, .panels = {}};
  const auto ys = s.texts("y");
  chart.y = {.title = s.text("y_title", ys.empty() ? "" : ys.front()), .log = s.flag("log_y")};
  if (s.has("y_low")) chart.y.low = s.number("y_low");
  if (s.has("y_high")) chart.y.high = s.number("y_high");
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

namespace {

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

}  // namespace

std::string dumbbells_svg(const Frame& frame, const Settings& s, const std::vector<std::size_t>& rows) {
  render::DumbbellChart chart{.title = s.text("title"), .x = axis_of(s, "x"), .panels = {}};
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

}  // namespace tare::detail::paper
