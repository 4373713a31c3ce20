#include "tare/render/json/kinds.hpp"

#include <tare/version.hpp>
#include "tare/render/json/json_parts.hpp"

namespace tare::inner::render {
namespace {

Json head_of(const char* kind, const InputInfo& input) {
  Json out = Json::object();
  out.set("tare", TARE_VERSION);
  out.set("command", "plot");
  out.set("kind", kind);
  out.set("input", render::to_json(input));
  return out;
}

Json points_of(const std::vector<BinChoicePoint>& points, const char* at) {
  Json out = Json::array();
  for (const BinChoicePoint& p : points)
    out.push_back({{at, p.at},
                   {"value", p.value},
                   {"sd", or_null(p.sd)},
                   {"floor", or_null(p.floor)},
                   {"floor_high", or_null(p.floor_high)}});
  return out;
}

}  // namespace

std::string json(const RejectionCurve& curve) {
  Json out = head_of("rejection", curve.input), points = Json::array();
  for (const RejectionPoint& p : curve.points)
    points.push_back({{"share", p.share},
                      {"threshold", p.threshold},
                      {"weight", p.weight},
                      {"accuracy", p.accuracy},
                      {"low", p.low},
                      {"high", p.high},
                      {"claimed", p.claimed}});
  out.set("thresholds", curve.thresholds);
  out.set("mean_accuracy", curve.mean_accuracy);
  out.set("points", points);
  return out.indented();
}

std::string json(const DetectableCurve& curve) {
  Json out = head_of("detectable", curve.input), points = Json::array();
  for (const DetectablePoint& p : curve.points)
    points.push_back({{"n", p.n},
                      {"tce", or_null(p.smallest.tce)},
                      {"here", p.here},
                      {"path", or_null(p.smallest.path)},
                      {"exponent", or_null(p.smallest.exponent)},
                      {"reason", or_null(p.smallest.reason)}});
  const Detectable any = curve.points.empty() ? Detectable{} : curve.points.front().smallest;
  out.set("seed", curve.seed);
  out.set("resamples", curve.resamples);
  out.set("statistic", any.statistic);
  out.set("alpha", any.alpha);
  out.set("power", any.power);
  out.set("norm", any.norm);
  out.set("estimate", {{"estimator", or_null(curve.estimate.estimator)},
                       {"value", or_null(curve.estimate.value)},
                       {"low", or_null(curve.estimate.low)},
                       {"high", or_null(curve.estimate.high)}});
  out.set("needed", or_null(curve.needed));
  out.set("points", points);
  return out.indented();
}

std::string json(const BinChoice& choice) {
  Json out = head_of("bins", choice.input), lines = Json::array();
  for (const BinChoiceLine& line : choice.lines)
    lines.push_back({{"estimator", line.about.name},
                     {"norm", or_null(line.norm)},
                     {"by_bins", points_of(line.by_bins, "bins")},
                     {"by_rows", points_of(line.by_rows, "rows")}});
  out.set("seed", choice.seed);
  out.set("bins", choice.bins);
  out.set("parts", choice.parts);
  out.set("resamples", choice.resamples);
  out.set("reason", or_null(choice.reason));
  out.set("lines", lines);
  return out.indented();
}

std::string json(const CalibratorMap& map) {
  Json out = head_of("map", map.input), lines = Json::array();
  for (const MapLine& line : map.lines) {
    Json curve = Json::array();
    for (const MapPoint& p : line.curve)
      curve.push_back(
          {{"before", p.before}, {"after", p.after}, {"low", p.low}, {"high", p.high}, {"weight", p.weight}});
    lines.push_back({{"name", or_null(line.name)},
                     {"class", or_null(line.class_index)},
                     {"curve", curve},
                     {"data", render::to_json(line.data)}});
  }
  out.set("method", map.method);
  out.set("fitted_on", or_null(map.fitted_on));
  out.set("same_rows", map.same_rows);
  out.set("lines", lines);
  return out.indented();
}

std::string json(const std::vector<NamedCurve>& curves) {
  Json out = head_of("curves", curves.empty() ? InputInfo{} : curves.front().input), list = Json::array();
  for (const NamedCurve& c : curves) {
    Json one = render::to_json(c.curve);
    one.set("name", c.name);
    one.set("n", c.input.n);
    one.set("histogram", render::to_json(c.histogram));
    list.push_back(one);
  }
  out.set("curves", list);
  return out.indented();
}

}  // namespace tare::inner::render
