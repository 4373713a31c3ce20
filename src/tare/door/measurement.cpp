#include <algorithm>
#include <tare/curve.hpp>
#include <tare/measurement.hpp>

#include "tare/answer/survey.hpp"
#include "tare/door/door.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/text/text.hpp"
#include "tare/render/words/words.hpp"

namespace tare::inner::door {
namespace {

// A survey in the words of the front door.
Measurement measurement(Survey survey) {
  Measurement out{
      .rows = survey.input.n, .classes = survey.input.k, .reduction = survey.input.reduction, .notes = survey.notes};
  out.lines.reserve(survey.measured.size());
  for (const Measured& m : survey.measured) out.lines.push_back(line(m));
  if (survey.test) out.verdict = verdict(*survey.test);
  out.verdict.sentence = render::conclusion(survey);
  out.inner = hold(std::move(survey));
  return out;
}

}  // namespace
}  // namespace tare::inner::door

namespace tare {
inline namespace v0_3 {

namespace door = inner::door;

const Line* Measurement::find(std::string_view estimator, int norm) const noexcept {
  const auto at = std::find_if(lines.begin(), lines.end(), [&](const Line& l) {
    return l.estimator == estimator && !l.class_index && (norm == 0 || l.norm == norm);
  });
  return at == lines.end() ? nullptr : &*at;
}

const Line& Measurement::at(std::string_view estimator, int norm) const {
  if (const Line* line = find(estimator, norm)) return *line;
  detail::raise({.code = Errc::bad_option,
                 .what = "'" + std::string(estimator) + "' was not measured" +
                         (norm == 0 ? std::string() : " in norm " + std::to_string(norm))});
}

Headline Measurement::headline() const {
  const auto of = [](const Line& l) { return Headline{l.estimator, l.norm, *l.value, l.low, l.high}; };
  if (inner.get() != nullptr)
    if (const inner::Measured* m = inner::render::find(inner::held<inner::Survey>(inner), &inner::Roles::headline);
        m && m->estimate && m->low)
      return of(door::line(*m));
  for (const Line& l : lines)
    if (l.value && !l.class_index && (l.norm || l.noise)) return of(l);
  for (const Line& l : lines)
    if (l.value && !l.class_index) return of(l);
  detail::raise({.code = Errc::undefined,
                 .what = "nothing that was measured has a value",
                 .remedy = "the reason of each line says why"});
}

Result<Measurement> measure(const Predictions& predictions, const MeasureOptions& options, const Run& run) {
  return door::guarded(run, [&](const door::Going& going) -> Result<Measurement> {
    const auto& rows = inner::Door::rows(predictions);
    if (!rows.labelled) return door::unlabelled();
    auto survey = inner::answer::survey(
        rows.predictions, door::asked<inner::answer::SurveyOptions>(inner::measure_options, options, going));
    if (!survey) return survey.error();
    return door::measurement(*std::move(survey));
  });
}

Result<CurveBand> calibration_curve(const Measurement& measurement) {
  return door::guarded(nullptr, [&]() -> Result<CurveBand> {
    if (measurement.inner.get() == nullptr)
      return Error{.code = Errc::bad_input,
                   .what = "this was not made by measure",
                   .remedy = "only what measure returned has a curve"};
    if (const auto& curve = inner::held<const inner::Survey>(measurement.inner).curve) return *curve;
    return Error{.code = Errc::undefined,
                 .what = "a classwise measurement has no common curve",
                 .remedy = "measure with `reduction` top_label or positive"};
  });
}

Result<std::string> to_text(const Measurement& measurement, int width, bool all) {
  return door::shown<inner::Survey>(measurement.inner, "measure", [&](const inner::Survey& s) {
    return inner::render::text(s, {.width = width, .all = all});
  });
}

Result<std::string> to_json(const Measurement& measurement) {
  return door::shown<inner::Survey>(measurement.inner, "measure",
                                    [](const inner::Survey& s) { return inner::render::json(s); });
}

}  // namespace v0_3
}  // namespace tare
