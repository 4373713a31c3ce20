#include <algorithm>
#include <tare/curve.hpp>
#include <tare/measurement.hpp>

#include "tare/analysis/survey.hpp"
#include "tare/api/api.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::api {
namespace {

// A survey in the words of the public interface.
Measurement measurement(Survey survey) {
  Measurement out{
      .rows = survey.input.n, .classes = survey.input.k, .reduction = survey.input.reduction, .notes = survey.notes};
  out.estimates.reserve(survey.measured.size());
  for (const Measured& m : survey.measured) out.estimates.push_back(estimate_row(m));
  if (survey.test) out.verdict = verdict(*survey.test);
  out.verdict.sentence = render::conclusion(survey);
  out.impl = hold(std::move(survey));
  return out;
}

}  // namespace
}  // namespace tare::detail::api

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;

const EstimateRow* Measurement::find(std::string_view estimator, int norm) const noexcept {
  const auto at = std::find_if(estimates.begin(), estimates.end(), [&](const EstimateRow& l) {
    return l.estimator == estimator && !l.class_index && (norm == 0 || l.norm == norm);
  });
  return at == estimates.end() ? nullptr : &*at;
}

const EstimateRow& Measurement::at(std::string_view estimator, int norm) const {
  if (const EstimateRow* line = find(estimator, norm)) return *line;
  support::raise({.code = Errc::bad_option,
                  .what = "'" + std::string(estimator) + "' was not measured" +
                          (norm == 0 ? std::string() : " in norm " + std::to_string(norm))});
}

Headline Measurement::headline() const {
  const auto of = [](const EstimateRow& l) { return Headline{l.estimator, l.norm, *l.value, l.low, l.high}; };
  if (impl.get() != nullptr)
    if (const detail::Measured* m = detail::render::find(detail::held<detail::Survey>(impl), &detail::Roles::headline);
        m && m->estimate && m->low)
      return of(api::estimate_row(*m));
  for (const EstimateRow& l : estimates)
    if (l.value && !l.class_index && (l.norm || l.noise)) return of(l);
  for (const EstimateRow& l : estimates)
    if (l.value && !l.class_index) return of(l);
  support::raise({.code = Errc::undefined,
                  .what = "nothing that was measured has a value",
                  .remedy = "the reason of each line says why"});
}

Result<Measurement> measure(const Predictions& predictions, const MeasureOptions& options, const Run& run) {
  return api::guarded(run, [&](const api::Going& going) -> Result<Measurement> {
    const auto& rows = detail::Access::rows(predictions);
    if (!rows.labelled) return api::unlabelled();
    auto survey = detail::analysis::survey(
        rows.predictions, api::asked<detail::analysis::SurveyOptions>(detail::measure_options, options, going));
    if (!survey) return survey.error();
    return api::measurement(*std::move(survey));
  });
}

Result<CurveBand> calibration_curve(const Measurement& measurement) {
  return api::guarded(nullptr, [&]() -> Result<CurveBand> {
    if (measurement.impl.get() == nullptr)
      return detail::bad_input("this was not made by measure", "only what measure returned has a curve");
    if (const auto& curve = detail::held<const detail::Survey>(measurement.impl).curve) return *curve;
    return detail::failure(Errc::undefined, "a classwise measurement has no common curve",
                           "measure with `reduction` top_label or positive");
  });
}

Result<std::string> to_text(const Measurement& measurement, int width, bool all) {
  return api::shown<detail::Survey>(measurement.impl, "measure", [&](const detail::Survey& s) {
    return detail::render::text(s, {.width = width, .all = all});
  });
}

Result<std::string> to_json(const Measurement& measurement) {
  return api::shown<detail::Survey>(measurement.impl, "measure",
                                    [](const detail::Survey& s) { return detail::render::json(s); });
}

}  // namespace v0_3
}  // namespace tare
