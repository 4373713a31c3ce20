#include "tare/render/json/json_parts.hpp"

#include "tare/core/names.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/words/curve.hpp"
#include "tare/render/words/verdict.hpp"

namespace tare::inner::render {

Json to_json(const std::vector<Bin>& bins) {
  Json out = Json::array();
  for (const Bin& b : bins)
    out.push_back({{"lower", b.lower},
                   {"upper", b.upper},
                   {"count", b.count},
                   {"mean_score", b.mean_score},
                   {"mean_label", b.mean_label}});
  return out;
}

Json to_json(const std::vector<Part>& parts) {
  Json out = Json::object();
  for (const Part& p : parts) out.set(p.name, p.value);
  return out;
}

Json to_json(const Measured& m, const std::vector<std::string>& class_names) {
  const Estimate none;
  const Estimate& e = m.estimate ? *m.estimate : none;
  Json out = Json::object();
  out.set("name", m.name);
  out.set("norm", or_null(m.norm));
  out.set("class", or_null(m.class_index));
  if (m.class_index && *m.class_index < class_names.size()) out.set("class_name", class_names[*m.class_index]);
  out.set("bins", or_null(e.bins));
  out.set("value", m.estimate ? Json(e.value) : Json());
  out.set("reason", or_null(m.reason));
  out.set("estimand", or_null(m.estimand));
  out.set("low", or_null(m.low));
  out.set("high", or_null(m.high));
  out.set("interval", or_null(m.interval));
  out.set("interval_reason", or_null(m.interval_reason));
  out.set("floor", or_null(m.floor));
  out.set("floor_high", or_null(m.floor_high));
  out.set("verdict", or_null(name(m.judgement)));
  out.set("squared", or_null(e.squared));
  out.set("squared_se", or_null(e.squared_se));
  out.set("se", or_null(e.se));
  out.set("parts", to_json(e.parts));
  out.set("per_bin", to_json(e.per_bin));
  return out;
}

Json to_json(const Range& r) { return {{"value", r.value}, {"low", or_null(r.low)}, {"high", or_null(r.high)}}; }

Json to_json(const TestReport& report) {
  const Verdict& v = report.verdict;
  return {{"outcome", name(v.outcome)},
          {"p_value", or_null(v.p_value)},
          {"test", v.test},
          {"alpha", v.alpha},
          {"value", or_null(v.square.value)},
          {"low", or_null(v.square.low)},
          {"high", or_null(v.square.high)},
          {"norm", 2},
          {"detectable", or_null(v.detectable)},
          {"direction", name(v.direction)},
          {"mean_gap", to_json(v.mean_gap)},
          {"shape", name(v.shape)},
          {"slope", v.slope ? to_json(*v.slope) : Json()},
          {"certain_and_wrong", v.certain.wrong()},
          {"sentence", verdict_sentence(report)}};
}

Json to_json(const CurveBand& band) {
  Json cells = Json::array(), spans = Json::array(), pieces = Json::array();
  for (const BandPiece& p : band_pieces(band))
    pieces.push_back({{"from", p.from}, {"to", p.to}, {"low", p.low}, {"high", p.high}});
  for (const CurveCell& c : band.cells)
    cells.push_back({{"first", c.first},
                     {"last", c.last},
                     {"mean_score", c.mean_score},
                     {"count", c.count},
                     {"rate", c.rate},
                     {"curve", c.curve},
                     {"low", c.low},
                     {"high", c.high}});
  for (const CurveSpan& s : band.spans)
    spans.push_back({{"from", s.from},
                     {"to", s.to},
                     {"mean_score", s.mean_score},
                     {"count", s.count},
                     {"rate", s.rate},
                     {"low", s.low},
                     {"high", s.high}});
  return {{"basis", name(band.basis)},
          {"level", band.level},
          {"diagonal", name(band.diagonal)},
          {"outside", band.outside},
          {"reason", or_null(band.reason)},
          {"meaning", band_meaning(band)},
          {"sentence", or_null(diagonal_sentence(band))},
          {"axis", axis_name(band.cells.empty() ? AxisKind::linear : suited_axis({&band}))},
          {"band", pieces},
          {"cells", cells},
          {"spans", spans}};
}

Json to_json(const InputInfo& in) {
  return {{"n", in.n},
          {"k", in.k ? Json(in.k) : Json()},
          {"kind", name(in.kind)},
          {"reduction", name(in.reduction)},
          {"source", in.source},
          {"used", or_null(in.used)},
          {"weighted", in.weighted},
          {"total_weight", in.total_weight},
          {"note", or_null(in.note)}};
}

}  // namespace tare::inner::render
