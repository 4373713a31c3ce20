#include "tare/render/json/json_parts.hpp"

#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/score_axis.hpp"

namespace tare::detail::render {

Json to_json(const std::vector<Bin>& bins) {
  return json_list(bins, [](const Bin& b) {
    return Json{{"lower", b.lower},
                {"upper", b.upper},
                {"count", b.count},
                {"mean_score", b.mean_score},
                {"mean_label", b.mean_label}};
  });
}

Json to_json(const std::vector<Component>& parts) {
  Json out = Json::object();
  for (const Component& p : parts) out.set(p.name, p.value);
  return out;
}

Json to_json(const std::vector<TestPart>& parts) {
  return json_list(parts, [](const TestPart& part) {
    return Json{{"name", part.name}, {"weight", part.weight}, {"minus_log_p", part.minus_log_p}};
  });
}

Json to_json(const ErrorRange& r) {
  return {{"name", r.estimator}, {"value", or_null(r.value)}, {"low", or_null(r.low)}, {"high", or_null(r.high)}};
}

Json to_json(const Difference& d) {
  return {
      {"criterion", name(d.criterion)}, {"against", d.against}, {"value", d.value}, {"low", d.low}, {"high", d.high},
      {"change", name(d.change)}};
}

Json to_json(const std::vector<Difference>& differences) {
  return json_list(differences, [](const Difference& d) { return to_json(d); });
}

Json to_json(const IntervalEstimate& r) {
  return {{"value", r.value}, {"low", or_null(r.low)}, {"high", or_null(r.high)}};
}

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
  const Json pieces = json_list(band_pieces(band), [](const BandPiece& p) {
    return Json{{"from", p.from}, {"to", p.to}, {"low", p.low}, {"high", p.high}};
  });
  const Json cells = json_list(band.cells, [](const CurveCell& c) {
    return Json{{"first", c.first}, {"last", c.last}, {"mean_score", c.mean_score},
                {"count", c.count}, {"rate", c.rate}, {"curve", c.curve},
                {"low", c.low},     {"high", c.high}};
  });
  const Json spans = json_list(band.spans, [](const CurveSpan& s) {
    return Json{{"from", s.from}, {"to", s.to},    {"mean_score", s.mean_score}, {"count", s.count}, {"rate", s.rate},
                {"low", s.low},   {"high", s.high}};
  });
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

}  // namespace tare::detail::render
