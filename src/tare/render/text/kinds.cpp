#include "tare/render/text/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/text/layout.hpp"
#include "tare/render/words/conclusion.hpp"

namespace tare::inner::render {
namespace {

// A bar of `value` on 0 .. `most`, `columns` wide.
std::string kind_bar(double value, double most, int columns, const char* block = "█") {
  const int full = most > 0 ? static_cast<int>(std::lround(std::clamp(value / most, 0.0, 1.0) * columns)) : 0;
  std::string out;
  for (int i = 0; i < full; ++i) out += block;
  return out;
}

std::string percent_or_nothing(const std::optional<double>& x) { return x ? percent(*x) + "%" : ""; }

std::string range_of(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? percent(*low) + "–" + percent(*high) + "%" : "";
}

}  // namespace

Result<std::string> estimators_chart(const Survey& survey, const EstimatorsPicture& picture,
                                     const TextOptions& options) {
  const auto lines = estimator_lines(survey, picture);
  if (lines.empty()) return no_estimators();
  Table table({{"estimator"},
               {"value", true},
               {"by chance", true},
               {"up to", true},
               {"interval", true, true},
               {"corrected", true, true}});
  for (const EstimatorLine& l : lines) {
    const Measured& m = *l.measured;
    const bool above = m.judgement == Judgement::above_noise;
    table.add({{label_of(m)},
               {percent(m.estimate->value) + "%", above ? Ink::yellow : Ink::plain},
               {percent_or_nothing(m.floor), Ink::dim},
               {percent_or_nothing(m.floor_high), Ink::dim},
               {range_of(m.low, m.high)},
               {percent_or_nothing(l.corrected)}});
  }
  return header(survey.input, options) + "\n" + table.str(options.colour, options.width) +
         wrap("by chance: what a calibrated model with these scores shows, on average and 95 of 100 times",
              options.width);
}

std::string rejection_chart(const RejectionCurve& curve, const TextOptions& options) {
  Table table({{"kept", true},
               {"rows", true},
               {"scores from", true, true},
               {"accuracy", true},
               {"interval", true},
               {"claimed", true}});
  double next = 0.05;
  for (const RejectionPoint& p : curve.points) {
    if (p.share < next - 1e-12 && &p != &curve.points.back()) continue;
    while (next <= p.share + 1e-12) next += next < 0.0999 ? 0.05 : 0.1;
    table.add({{percent(p.share, 0) + "%"},
               {grouped(p.weight)},
               {fmt::format("{:.4g}", p.threshold)},
               {percent(p.accuracy) + "%", Ink::bold},
               {range_of(p.low, p.high)},
               {percent(p.claimed) + "%", Ink::dim}});
  }
  return header(curve.input, options) + "\naccuracy among the most confident rows\n" +
         table.str(options.colour, options.width);
}

std::string detectable_chart(const DetectableCurve& curve, const TextOptions& options) {
  Table table({{"n", true}, {"smallest error found", true}, {""}, {""}});
  double most = 0;
  for (const DetectablePoint& p : curve.points) most = std::max(most, p.smallest.tce.value_or(0));
  for (const DetectablePoint& p : curve.points)
    table.add({{grouped(p.n), p.here ? Ink::bold : Ink::plain},
               {p.smallest.tce ? percent(*p.smallest.tce) + "%" : "none", p.here ? Ink::bold : Ink::plain},
               {kind_bar(p.smallest.tce.value_or(0), most, 24)},
               {p.here ? "◂ you are here" : ""}});
  std::string out = header(curve.input, options) + "\n" + table.str(options.colour, options.width);
  if (curve.estimate.value)
    out +=
        wrap(fmt::format(
                 "estimated error of these data: {}%{}", percent(*curve.estimate.value),
                 curve.needed ? fmt::format("; found from about {} rows on", grouped(std::ceil(*curve.needed))) : ""),
             options.width);
  return out;
}

std::string bins_chart(const BinChoice& choice, const TextOptions& options) {
  std::string out = header(choice.input, options);
  for (const auto& [points, title, column] :
       {std::tuple{&BinChoiceLine::by_bins, "all rows, other bins", "bins"},
        std::tuple{&BinChoiceLine::by_rows, "parts of the rows, as many bins as asked for", "rows"}}) {
    std::vector<Table::Column> columns{{column, true}};
    for (const BinChoiceLine& line : choice.lines) {
      columns.push_back({std::string(line.about.name), true});
      columns.push_back({"by chance", true});
    }
    Table table(columns);
    const std::size_t count = choice.lines.empty() ? 0 : (choice.lines.front().*points).size();
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Cell> cells{{grouped((choice.lines.front().*points)[i].at)}};
      for (const BinChoiceLine& line : choice.lines) {
        cells.push_back({percent((line.*points)[i].value) + "%"});
        cells.push_back({percent_or_nothing((line.*points)[i].floor), Ink::dim});
      }
      table.add(cells);
    }
    out += fmt::format("\n{}\n{}", title, table.str(options.colour, options.width));
  }
  if (!choice.reason.empty()) out += wrap(choice.reason, options.width);
  return out;
}

std::string kind_table(const CalibratorMap& map, const TextOptions& options) {
  Table table({{"line"}, {"score", true}, {"becomes", true}, {"80 of 100", true}, {"rows", true}});
  for (const MapLine& line : map.lines) {
    const std::size_t step = std::max<std::size_t>(1, line.curve.size() / 12);
    for (std::size_t i = 0; i < line.curve.size(); i += step) {
      const MapPoint& p = line.curve[i];
      table.add({{printable(line.name)},
                 {percent(p.before) + "%"},
                 {percent(p.after) + "%", Ink::bold},
                 {range_of(p.low, p.high), Ink::dim},
                 {grouped(p.weight)}});
    }
  }
  return header(map.input, options) + "\n" + map.method + (map.same_rows ? ", fitted on these rows" : "") + "\n" +
         table.str(options.colour, options.width);
}

std::string kind_table(const std::vector<NamedCurve>& curves, const TextOptions& options) {
  std::string out;
  for (const NamedCurve& c : curves) {
    Table table({{"score", true}, {"rows", true}, {"rate", true}, {"curve", true}, {"band", true}});
    const std::size_t step = std::max<std::size_t>(1, c.curve.cells.size() / 12);
    for (std::size_t i = step / 2; i < c.curve.cells.size(); i += step) {
      const CurveCell& cell = c.curve.cells[i];
      const bool known = c.curve.basis != BandBasis::none;
      table.add({{percent(cell.mean_score) + "%"},
                 {grouped(cell.count)},
                 {percent(cell.rate) + "%"},
                 {percent(cell.curve) + "%", Ink::bold},
                 {known ? range_of(cell.low, cell.high) : "", Ink::dim}});
    }
    out += (out.empty() ? "" : "\n") + paint(printable(c.name), Ink::bold, options.colour) + "\n" +
           table.str(options.colour, options.width);
  }
  return out;
}

}  // namespace tare::inner::render
