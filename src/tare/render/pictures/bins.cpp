#include <fmt/format.h>

#include <algorithm>

#include "tare/core/palette.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/pictures/plots.hpp"

namespace tare::detail::render {
namespace {

using BinPoints = std::vector<BinChoicePoint> BinChoiceLine::*;

// A point with the number of bins and of rows it is about; one of them changes from point to point.
struct BinRow {
  const BinChoiceLine* line;
  const BinChoicePoint* point;
  bool by_bins;
  double bins, rows;
};

void add_rows(std::vector<BinRow>& out, const BinChoice& choice, const BinChoiceLine& line, bool by_bins) {
  const double all = line.by_rows.empty() ? choice.input.total_weight : line.by_rows.back().at;
  for (const BinChoicePoint& p : by_bins ? line.by_bins : line.by_rows)
    out.push_back({&line, &p, by_bins, by_bins ? p.at : choice.bins, by_bins ? all : p.at});
}

ColumnTable bin_table(const std::vector<BinRow>& rows) {
  const bool by_bins = rows.empty() || rows.front().by_bins;  // JSON has those of one line and of one kind
  const auto point = [](auto member) { return [=](const BinRow& r) { return Value(r.point->*member); }; };
  const auto if_changed = [](bool bins) {
    return [=](const BinRow& r) {
      return r.by_bins == bins ? Shown{grouped(r.point->at), Ink::plain, {}, {r.point->at}} : Shown{};
    };
  };
  Columns c(rows);
  c.csv("estimator", [](const BinRow& r) { return r.line->about.name; }).page("estimator").shown([](const BinRow& r) {
    return Shown{.html = fmt::format("<code>{}</code>", r.line->about.name)};
  });
  c.csv("norm", [](const BinRow& r) { return r.line->norm; });
  c.csv("bins", &BinRow::bins).count().page("bins").shown(if_changed(true));
  c.csv("rows", &BinRow::rows).count().page("rows").shown(if_changed(false));
  c.json(by_bins ? "bins" : "rows", [](const BinRow& r) { return r.point->at; });
  c.add("value", point(&BinChoicePoint::value)).percent().page("error");
  c.add("sd", point(&BinChoicePoint::sd));
  c.add("floor", point(&BinChoicePoint::floor)).percent().page("if calibrated: mean");
  c.add("floor_high", point(&BinChoicePoint::floor_high)).percent().page("95% quantile");
  return c.take();
}

std::string bin_point_tip(const BinChoiceLine& line, const BinChoicePoint& p, bool by_bins) {
  std::string out = fmt::format("{}, {} {}: {}%", line.about.name, grouped(p.at),
                                by_bins ? (p.at == 1 ? "bin" : "bins") : "rows", percent(p.value));
  if (p.sd) out += fmt::format(" on average over parts of the rows, sd {}", percent(*p.sd));
  if (p.floor && p.floor_high)
    out += fmt::format("; by chance {}%, up to {}%", percent(*p.floor), percent(*p.floor_high));
  return out;
}

// The estimators side by side.
std::string side_by_side(const BinChoice& choice, BinPoints points, const char* column, const TextOptions& options) {
  ColumnTable out;
  for (const BinChoiceLine& line : choice.lines) {
    Columns c(line.*points);
    if (&line == &choice.lines.front()) c.add("", &BinChoicePoint::at).count().text(column);
    c.add("", &BinChoicePoint::value).percent().text(std::string(line.about.name), 2, "%");
    c.add("", &BinChoicePoint::floor).percent().text("by chance", 2, "%").ink(Ink::dim);
    ColumnTable more = c.take();
    out.rows = more.rows;
    std::move(more.columns.begin(), more.columns.end(), std::back_inserter(out.columns));
  }
  return text_table(out).str(options.colour, options.width);
}

void add_bin_line(PicturePanel& panel, const BinChoiceLine& line, BinPoints points) {
  const Style& look = style_of_estimator(line.about.name);
  const std::string name(line.about.name);
  PictureMark chance{.label = panel.marks.empty() ? "by chance" : "",
                     .line = Stroke{look.colour, 1.3, palette::dotted}};
  PictureMark values{.label = name, .line = Stroke{look.colour}, .dot = Dot{look}};
  for (const BinChoicePoint& p : line.*points) {
    if (p.floor) chance.add(p.at, *p.floor);
    values.add(p.at, p.value, bin_point_tip(line, p, points == &BinChoiceLine::by_bins));
    values.low.push_back(std::max(0.0, p.value - p.sd.value_or(0)));
    values.high.push_back(p.value + p.sd.value_or(0));
  }
  panel.marks.push_back(std::move(chance));
  panel.marks.push_back(std::move(values));
}

PicturePanel bins_panel(const BinChoice& choice, BinPoints points, double high, std::string title, std::string axis,
                        double mark) {
  double first = mark, last = mark;
  for (const BinChoiceLine& line : choice.lines)
    for (const BinChoicePoint& p : line.*points) first = std::min(first, p.at), last = std::max(last, p.at);
  PicturePanel out{.title = std::move(title),
                   .x = log_axis(std::move(axis), first / 1.15, last * 1.15),
                   .y = percent_axis("error, %", 0, high),
                   .height = 200,
                   .rules = {{.at = mark, .vertical = true, .line = {palette::ink, 1, palette::dotted}}}};
  for (const BinChoiceLine& line : choice.lines) add_bin_line(out, line, points);
  return out;
}

}  // namespace

ColumnTable table(const BinChoice& choice) {
  std::vector<BinRow> rows;
  for (const BinChoiceLine& line : choice.lines)
    for (const bool by_bins : {true, false}) add_rows(rows, choice, line, by_bins);
  return bin_table(rows);
}

std::string csv(const BinChoice& choice) { return csv(table(choice)); }

std::string json(const BinChoice& choice) {
  Json out = plot_json("bins", choice.input), lines = Json::array();
  for (const BinChoiceLine& line : choice.lines) {
    std::vector<BinRow> by_bins, by_rows;
    add_rows(by_bins, choice, line, true);
    add_rows(by_rows, choice, line, false);
    lines.push_back({{"estimator", line.about.name},
                     {"norm", or_null(line.norm)},
                     {"by_bins", json_rows(bin_table(by_bins))},
                     {"by_rows", json_rows(bin_table(by_rows))}});
  }
  out.set("seed", choice.seed);
  out.set("bins", choice.bins);
  out.set("parts", choice.parts);
  out.set("resamples", choice.resamples);
  out.set("reason", or_null(choice.reason));
  out.set("lines", lines);
  return out.indented();
}

std::string text(const BinChoice& choice, const TextOptions& options) {
  return header(choice.input, options) + "\nall rows, other bins\n" +
         side_by_side(choice, &BinChoiceLine::by_bins, "bins", options) +
         "\nparts of the rows, as many bins as asked for\n" +
         side_by_side(choice, &BinChoiceLine::by_rows, "rows", options) +
         (choice.reason.empty() ? "" : wrap(choice.reason, options.width));
}

Result<Picture> picture(const BinChoice& choice) {
  double high = 0.001;
  for (const BinChoiceLine& line : choice.lines)
    for (const BinPoints points : {&BinChoiceLine::by_bins, &BinChoiceLine::by_rows})
      for (const BinChoicePoint& p : line.*points)
        high = std::max({high, p.value + p.sd.value_or(0), p.floor.value_or(0)});
  high *= 1.05;
  const std::string norm =
      choice.lines.empty() || !choice.lines.front().norm ? "" : fmt::format(", norm {}", *choice.lines.front().norm);
  Picture out{.title = "Errors against the number of bins",
              .description = "Binned errors for several numbers of bins and of rows, beside chance.",
              .input = choice.input,
              .about = "the same data: the error depends on bins and rows" + norm,
              .panels = {bins_panel(choice, &BinChoiceLine::by_bins, high, "all rows, other bins",
                                    "number of bins (log)", choice.bins)}};
  if (!choice.lines.empty() && choice.lines.front().by_rows.size() > 1)
    out.panels.push_back(bins_panel(choice, &BinChoiceLine::by_rows, high,
                                    fmt::format("{} bins, parts of the rows", choice.bins), "number of rows (log)",
                                    choice.lines.front().by_rows.back().at));
  double at = 14;
  for (const BinChoiceLine& line : choice.lines) {
    const Style& look = style_of_estimator(line.about.name);
    out.legend.push_back({.words = std::string(line.about.name),
                          .line = Stroke{look.colour},
                          .dot = Dot{look},
                          .x = at,
                          .beside = &line != &choice.lines.front()});
    at += 44 + 6.4 * static_cast<double>(line.about.name.size());
  }
  out.legend.push_back(
      {.words = "chance: a calibrated model, on average", .line = Stroke{palette::dim, 1.3, palette::dotted}});
  return out;
}

}  // namespace tare::detail::render
