#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

Shown error_cell(const std::optional<ErrorRange>& e) {
  if (!e) return {};
  return {.text = fmt::format("{} ({} to {})", percent(*e->value), percent(*e->low), percent(*e->high)),
          .numbers = {100 * *e->value, 100 * *e->low, 100 * *e->high}};
}

Shown p_cell(double log_p, double p) { return {exact_p(log_p), Ink::plain, {}, {p}}; }

}  // namespace

std::string group_mark(const GroupReport& report, const GroupLine& line) {
  return !report.found(line) ? "" : line.holm <= report.alpha ? "!!" : "!";
}

std::string short_group_name(const GroupReport& report, const GroupLine& line, std::size_t most) {
  const std::string name = printable(group_name(report, line));
  if (display_width(name) <= most) return name;
  std::string cut;
  for (const char c : name) {
    const bool starts = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (starts && display_width(cut) + 1 == most) break;
    cut += c;
  }
  return cut + "…";
}

ColumnTable groups_table(const GroupReport& report, const std::vector<const GroupLine*>& rows, Reader reader,
                         int width) {
  const bool wide = width >= 100, means = width >= 72;  // what there is room for
  const bool top = report.input.reduction == Reduction::top_label;
  const auto most = static_cast<std::size_t>(std::clamp(width - (wide ? 80 : means ? 56 : 44), 12, 40));
  using L = GroupLine;
  const auto low = [](const L* l) { return l->gap.low; };
  const auto high = [](const L* l) { return l->gap.high; };
  Columns c(rows, reader);
  c.add("column", [&](const L* l) { return report.columns[l->column].name; });
  c.add("group", &L::name).text("group").page("group").shown([&](const L* l) {
    return Shown{.text = short_group_name(report, *l, most), .html = isolated(group_name(report, *l))};
  });
  c.add("n", &L::rows).count().text("rows").page("rows");
  auto score = c.add("confidence", &L::confidence).percent().page(top ? "confidence" : "mean probability");
  if (means) score.text(top ? "conf." : "prob.", 1);
  auto rate = c.add("accuracy", &L::accuracy).percent().page(top ? "accuracy" : "observed rate");
  if (means) rate.text(top ? "acc." : "rate", 1);
  c.add("gap", [](const L* l) { return l->gap.value; }).points().text("gap", 1).page("gap");
  c.add("low", low);
  c.add("high", high);
  c.range(low, high)
      .points()
      .text("interval", 1, "", " to ")
      .ink(Ink::dim)
      .page("95% interval", {"gap, low", "gap, high"}, " to ");
  auto shrunken = c.add("shrunken_gap", &L::shrunken_gap).points().page("shrunken");
  if (wide) shrunken.text("shrunken", 1);
  c.json("error", [](const L* l) { return l->error ? to_json(*l->error) : Json(); })
      .percent()
      .page("root mean square error", {"root mean square error", "its low end", "its high end"})
      .shown([](const L* l) { return error_cell(l->error); });
  c.add("p_gap", [](const L* l) { return std::exp(l->log_p_gap); });
  c.add("p_shape", &L::p_shape);
  auto both = c.add("p_value", [](const L* l) { return std::exp(l->log_p); }).plain().page("p").shown([](const L* l) {
    return p_cell(l->log_p, std::exp(l->log_p));
  });
  if (wide) both.text("p");
  c.json("log_p_value", &L::log_p);
  c.add("benjamini_hochberg", &L::bh).plain().text("adjusted").page("adjusted").shown([](const L* l) {
    return p_cell(std::log(l->bh), l->bh);
  });
  c.add("holm", &L::holm).plain().page("Holm").shown([](const L* l) { return p_cell(std::log(l->holm), l->holm); });
  c.add("found", [&](const L* l) { return report.found(*l); }).text("").page("verdict").shown([&](const L* l) {
    return Shown{group_mark(report, *l), Ink::red,
                 report.found(*l) ? "<span class=\"warn\">▲ off</span>" : "<span class=\"good\">≈ not found</span>"};
  });
  return c.take();
}

}  // namespace tare::detail::render
