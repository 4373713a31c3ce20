// measure, test, bbc, compare: each the library's function, and its answer as JSON and as text.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "common.hpp"
#include "tare/analysis/bias.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/analysis/estimate_rows.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/analysis/report.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/render/html/page.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::python {
namespace {

using namespace nb::literals;
using Answer = std::tuple<std::string, std::string>;  // JSON, text

template <class Report>
Answer answer(const Report& report) {
  return {render::json(report), render::text(report, {})};
}

nb::dict bands_of(const Survey& survey) {
  nb::dict out;
  for (const BinBands& bands : survey.bands) {
    nb::list rows;
    for (const Band& band : bands.band) rows.append(nb::make_tuple(band.low, band.high));
    out[bands.estimator.c_str()] = rows;
  }
  return out;
}

// JSON, text, the picture (empty where there is nothing to draw), and the bands of diagrams.
nb::tuple measure(const nb::dict& data, const nb::dict& given, const nb::object& progress) {
  const GivenFold fold(data, true);
  const auto options = given_options<analysis::SurveyOptions>(measure_options, given, progress);
  std::optional<BiasReport> simulated;
  const Survey survey = unlocked([&]() -> Result<Survey> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    auto out = analysis::survey(*predictions, options);
    if (!out || !options.bias) return out;
    auto found = analysis::simulated_bias(*predictions, options, &Unlocked::stop());
    if (!found) return found.error();
    simulated = *std::move(found);
    return out;
  });
  render::PictureOptions look;
  if (!survey.bands.empty()) look.band = survey.bands.front().band;
  const auto picture = render::reliability_svg(survey, look);
  const BiasReport* shown = simulated ? &*simulated : nullptr;
  return nb::make_tuple(render::json(survey, shown), render::text(survey, {}, shown),
                        picture ? *picture : std::string(), bands_of(survey));
}

double estimate(const nb::dict& data, const std::string& name, const std::string& reduction, const nb::int_& bins,
                const nb::int_& norm, const nb::object& threads) {
  const GivenFold fold(data, true);
  const measure::Estimator* row = measure::find(name);
  if (!row) throw Failure{measure::unknown_estimator(name)};
  const analysis::EstimateOptions options{.reduction = reduction_of(reduction),
                                          .bins = number_of(options::bins, bins),
                                          .norm = number_of(options::norm, norm),
                                          .threads = threads_of(threads)};
  return unlocked([&]() -> Result<double> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    const auto out = analysis::estimate(*predictions, *row, options);
    if (!out) return out.error();
    return out->value;
  });
}

Answer test(const nb::dict& data, const nb::dict& given, const nb::object& progress) {
  const GivenFold fold(data, true);
  const auto options = given_options<analysis::TestOptions>(test_options, given, progress);
  return answer(unlocked([&]() -> Result<TestReport> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    return analysis::test(*predictions, options);
  }));
}

analysis::BiasOptions asked_bias(const nb::dict& given, const nb::object& progress) {
  auto out = given_options<analysis::BiasOptions>(bias_options, given, progress);
  out.cancel = &Unlocked::stop();
  return out;
}

Answer bbc_data(const nb::dict& data, const nb::dict& given, const nb::object& progress) {
  const GivenFold fold(data, true);
  const auto options = asked_bias(given, progress);
  return answer(unlocked([&]() -> Result<BiasReport> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    return analysis::bias(*predictions, options);
  }));
}

Answer bbc_truth(const nb::dict& given, const nb::object& progress) {
  const auto options = asked_bias(given, progress);
  const auto truth = given_options<analysis::NamedTruth>(truth_options, given);
  return answer(unlocked([&] { return analysis::study_truth(truth, options); }));
}

Answer compare(const nb::dict& validation, const std::optional<nb::dict>& test, const nb::dict& given,
               const nb::object& progress) {
  const GivenFold val(validation, true);
  std::optional<GivenFold> judged;
  if (test) judged.emplace(*test, true);
  auto options = given_options<analysis::CompareOptions>(compare_options, given, progress);
  options.fit.threads = options.threads;
  return answer(unlocked([&]() -> Result<Comparison> {
    const auto fitted = val.load(options.threads);
    if (!fitted) return fitted.error();
    if (!judged) return analysis::compare(*fitted, nullptr, options);
    const auto tested = judged->load(options.threads);
    if (!tested) return tested.error();
    return analysis::compare(*fitted, &*tested, options);
  }));
}

// The page, and its first sentence.
Answer report(const nb::dict& judged, const std::optional<nb::dict>& validation, const nb::dict& given,
              const std::string& title, const std::string& command, const std::string& input,
              const nb::object& progress) {
  const GivenFold test(judged, true);
  std::optional<GivenFold> val;
  if (validation) val.emplace(*validation, true);
  const auto options = given_options<analysis::ReportOptions>(report_options, given, progress);
  std::string file;
  Report out = unlocked([&]() -> Result<Report> {
    auto tested = test.load(options.threads);
    if (!tested) return tested.error();
    if (!title.empty()) {
      file = tested->source.empty() ? title : tested->source;
      tested->source = title;
    }
    if (!val) return analysis::report(*tested, nullptr, options);
    const auto fitted = val->load(options.threads);
    if (!fitted) return fitted.error();
    return analysis::report(*tested, &*fitted, options);
  });
  out.file = file;
  out.command = command;
  out.settings = analysis::report_settings(out, options);
  out.date = analysis::report_date();
  if (out.comparison && out.comparison->winner.method != analysis::uncalibrated_name)
    out.apply = {"c = tare.calibrator(\"" + out.comparison->winner.method + "\", \"" + input + "\").fit(val_" + input +
                     ", val_labels)",
                 "c.predict_proba(new_" + input + ")"};
  return {render::page(out), render::conclusion(out.survey)};
}

}  // namespace

void bind_calls(nb::module_& m) {
  m.def("measure", measure, "data"_a, "options"_a, "progress"_a.none());
  m.def("estimate", estimate, "data"_a, "name"_a, "reduction"_a, "bins"_a, "norm"_a, "threads"_a.none());
  m.def("test", test, "data"_a, "options"_a, "progress"_a.none());
  m.def("bbc_data", bbc_data, "data"_a, "options"_a, "progress"_a.none());
  m.def("bbc_truth", bbc_truth, "options"_a, "progress"_a.none());
  m.def("compare", compare, "validation"_a, "test"_a.none(), "options"_a, "progress"_a.none());
  m.def("report", report, "judged"_a, "validation"_a.none(), "options"_a, "title"_a, "command"_a, "input"_a,
        "progress"_a.none());
  m.def("weight_note", analysis::weight_note);
  m.def("has_split",
        [](const std::string& file, const std::string& split) { return read::Files().has_split(file, split, {}); });
}

}  // namespace tare::detail::python
