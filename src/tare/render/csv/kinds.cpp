#include "tare/render/csv/kinds.hpp"

#include <fmt/format.h>

#include <optional>

#include "tare/render/csv/csv.hpp"

namespace tare::inner::render {
namespace {

std::string number_or_nothing(const std::optional<double>& x) { return x ? csv_number(*x) : ""; }

}  // namespace

std::string csv(const RejectionCurve& curve) {
  std::string out = csv_line({"share", "threshold", "weight", "accuracy", "low", "high", "claimed"});
  for (const RejectionPoint& p : curve.points) {
    std::vector<std::string> cells;
    for (const double x : {p.share, p.threshold, p.weight, p.accuracy, p.low, p.high, p.claimed})
      cells.push_back(csv_number(x));
    out += csv_line(cells);
  }
  return out;
}

std::string csv(const DetectableCurve& curve) {
  std::string out = csv_line({"n", "tce", "here", "path", "exponent", "reason"});
  for (const DetectablePoint& p : curve.points)
    out += csv_line({fmt::format("{}", p.n), number_or_nothing(p.smallest.tce), p.here ? "true" : "false",
                     p.smallest.path, number_or_nothing(p.smallest.exponent), p.smallest.reason});
  return out;
}

std::string csv(const BinChoice& choice) {
  std::string out = csv_line({"estimator", "norm", "bins", "rows", "value", "sd", "floor", "floor_high"});
  for (const BinChoiceLine& line : choice.lines) {
    const auto add = [&](const BinChoicePoint& p, double bins, double rows) {
      out += csv_line({std::string(line.about.name), line.norm ? fmt::format("{}", *line.norm) : "", csv_number(bins),
                       csv_number(rows), csv_number(p.value), number_or_nothing(p.sd), number_or_nothing(p.floor),
                       number_or_nothing(p.floor_high)});
    };
    const double all = line.by_rows.empty() ? choice.input.total_weight : line.by_rows.back().at;
    for (const BinChoicePoint& p : line.by_bins) add(p, p.at, all);
    for (const BinChoicePoint& p : line.by_rows) add(p, choice.bins, p.at);
  }
  return out;
}

std::string csv(const CalibratorMap& map) {
  std::string out = csv_line({"line", "before", "after", "low", "high", "weight"});
  for (const MapLine& line : map.lines)
    for (const MapPoint& p : line.curve)
      out += csv_line({line.name, csv_number(p.before), csv_number(p.after), csv_number(p.low), csv_number(p.high),
                       csv_number(p.weight)});
  return out;
}

std::string csv(const std::vector<NamedCurve>& curves) {
  std::string out = csv_line({"model", "first", "last", "mean_score", "count", "rate", "curve", "low", "high"});
  for (const NamedCurve& c : curves)
    for (const CurveCell& cell : c.curve.cells) {
      std::vector<std::string> cells{c.name};
      for (const double x :
           {cell.first, cell.last, cell.mean_score, cell.count, cell.rate, cell.curve, cell.low, cell.high})
        cells.push_back(csv_number(x));
      out += csv_line(cells);
    }
  return out;
}

}  // namespace tare::inner::render
