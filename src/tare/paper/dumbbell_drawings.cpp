// Published and recomputed numbers side by side: from columns of the rows, or one by one as expressions.
#include "tare/paper/drawing_parts.hpp"
#include "tare/paper/rule.hpp"

namespace tare::inner::paper {
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

}  // namespace tare::inner::paper
