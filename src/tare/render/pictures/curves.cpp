
#include <algorithm>

#include <tare/version.hpp>
#include "tare/render/json/json.hpp"
#include "tare/render/pictures/plots.hpp"

namespace tare::detail::render {
namespace {

struct CurveRow {
  const NamedCurve* of;
  const CurveCell* cell;
};

ColumnTable curve_table(const std::vector<CurveRow>& rows) {
  const auto cell = [](double CurveCell::*member) { return [=](const CurveRow& r) { return r.cell->*member; }; };
  const auto if_known = [](double CurveCell::*member) {
    return [=](const CurveRow& r) { return r.of->curve.basis == BandBasis::none ? Value() : Value(r.cell->*member); };
  };
  Columns c(rows);
  c.add("model", [](const CurveRow& r) { return r.of->name; }).page("curve");
  c.add("first", cell(&CurveCell::first)).percent().page("from");
  c.add("last", cell(&CurveCell::last)).percent().page("to");
  c.add("mean_score", cell(&CurveCell::mean_score)).percent().text("score", 2, "%");
  c.add("count", cell(&CurveCell::count)).count().text("rows").page("rows");
  c.add("rate", cell(&CurveCell::rate)).percent().text("rate", 2, "%").page("rate");
  c.add("curve", cell(&CurveCell::curve)).percent().text("curve", 2, "%").ink(Ink::bold).page("smooth");
  c.add("low", cell(&CurveCell::low)).percent().page("low");
  c.add("high", cell(&CurveCell::high)).percent().page("high");
  c.range(if_known(&CurveCell::low), if_known(&CurveCell::high)).percent().text("band", 2, "%").ink(Ink::dim);
  return c.take();
}

}  // namespace

Json plot_json(const char* kind, const InputInfo& input) {
  return {{"tare", TARE_VERSION}, {"command", "plot"}, {"kind", kind}, {"input", to_json(input)}};
}

ColumnTable table(const std::vector<NamedCurve>& curves) {
  std::vector<CurveRow> rows;
  for (const NamedCurve& c : curves)
    for (const CurveCell& cell : c.curve.cells) rows.push_back({&c, &cell});
  return curve_table(rows);
}

std::string csv(const std::vector<NamedCurve>& curves) { return csv(table(curves)); }

std::string json(const std::vector<NamedCurve>& curves) {
  Json out = plot_json("curves", curves.empty() ? InputInfo{} : curves.front().input), list = Json::array();
  for (const NamedCurve& c : curves) {
    Json one = to_json(c.curve);
    one.set("name", c.name);
    one.set("n", c.input.n);
    one.set("histogram", to_json(c.histogram));
    list.push_back(one);
  }
  out.set("curves", list);
  return out.indented();
}

std::string text(const std::vector<NamedCurve>& curves, const TextOptions& options) {
  std::string out;
  for (const NamedCurve& c : curves) {
    std::vector<CurveRow> few;
    const std::size_t step = std::max<std::size_t>(1, c.curve.cells.size() / 12);
    for (std::size_t i = step / 2; i < c.curve.cells.size(); i += step) few.push_back({&c, &c.curve.cells[i]});
    out += (out.empty() ? "" : "\n") + paint(printable(c.name), Ink::bold, options.colour) + "\n" +
           text_table(curve_table(few)).str(options.colour, options.width);
  }
  return out;
}

}  // namespace tare::detail::render
