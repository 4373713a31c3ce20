// measure, test, bbc, compare: each the library's function, and its answer as JSON and as text.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "common.hpp"
#include "tare/answer/compare.hpp"
#include "tare/answer/estimate.hpp"
#include "tare/answer/input_info.hpp"
#include "tare/answer/report.hpp"
#include "tare/answer/survey.hpp"
#include "tare/answer/test.hpp"
#include "tare/answer/truth_study.hpp"
#include "tare/render/html/page.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/text.hpp"
#include "tare/render/words/words.hpp"

namespace tare::inner::python {
namespace {

using namespace nb::literals;
using Names = std::vector<std::string>;
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
nb::tuple measure(const nb::dict& data, const std::string& reduction, const nb::int_& bins,
                  const std::vector<int>& norms, const Names& estimators, bool resample, bool bias,
                  const nb::int_& seed, const nb::object& threads, const nb::object& progress) {
  const GivenFold fold(data, true);
  const answer::SurveyOptions options{.reduction = reduction_of(reduction),
                                      .bins = number_of(options::bins, bins),
                                      .norms = norms,
                                      .estimators = estimators,
                                      .resample = resample,
                                      .seed = number_of(options::seed, seed),
                                      .threads = threads_of(threads),
                                      .progress = progress_of(progress)};
  std::optional<BiasReport> simulated;
  const Survey survey = unlocked([&]() -> Result<Survey> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    auto out = answer::survey(*predictions, options);
    if (!out || !bias) return out;
    auto found = answer::simulated_bias(*predictions, options, &Unlocked::stop());
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
  const answer::EstimateOptions options{.reduction = reduction_of(reduction),
                                        .bins = number_of(options::bins, bins),
                                        .norm = number_of(options::norm, norm),
                                        .threads = threads_of(threads)};
  return unlocked([&]() -> Result<double> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    const auto out = answer::estimate(*predictions, *row, options);
    if (!out) return out.error();
    return out->value;
  });
}

Answer test(const nb::dict& data, const std::string& reduction, const Names& statistics, const nb::int_& bins,
            const nb::int_& norm, const nb::int_& resamples, double alpha, bool detectable, double power,
            const nb::int_& seed, const nb::object& threads, const nb::object& progress) {
  const GivenFold fold(data, true);
  const answer::TestOptions options{.reduction = reduction_of(reduction),
                                    .statistics = statistics,
                                    .bins = number_of(options::bins, bins),
                                    .norm = number_of(options::norm, norm),
                                    .resamples = number_of(options::resamples, resamples),
                                    .alpha = alpha,
                                    .detectable = detectable,
                                    .power = power,
                                    .seed = number_of(options::seed, seed),
                                    .threads = threads_of(threads),
                                    .progress = progress_of(progress)};
  return answer(unlocked([&]() -> Result<TestReport> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    return answer::test(*predictions, options);
  }));
}

answer::BiasOptions bias_options(const std::string& reduction, const nb::int_& bins, const std::vector<int>& norms,
                                 const Names& estimators, const std::vector<nb::int_>& sizes,
                                 const nb::int_& replicates, const nb::int_& seed, const nb::object& threads,
                                 const nb::object& progress) {
  std::vector<std::size_t> counts;
  for (const nb::int_& n : sizes) counts.push_back(number_of(options::n, n));
  return {.reduction = reduction_of(reduction),
          .bins = number_of(options::bins, bins),
          .norms = norms,
          .estimators = estimators,
          .sizes = counts,
          .replicates = number_of(options::replicates, replicates),
          .seed = number_of(options::seed, seed),
          .threads = threads_of(threads),
          .progress = progress_of(progress),
          .cancel = &Unlocked::stop()};
}

Answer bbc_data(const nb::dict& data, const std::string& scores, const std::string& curve, const std::string& saturated,
                const std::string& reduction, const nb::int_& bins, const std::vector<int>& norms,
                const Names& estimators, const std::vector<nb::int_>& sizes, const nb::int_& replicates,
                const nb::int_& seed, const nb::object& threads, const nb::object& progress) {
  const GivenFold fold(data, true);
  auto options = bias_options(reduction, bins, norms, estimators, sizes, replicates, seed, threads, progress);
  if (scores == "empirical") options.fit.scores = simulate::ScoreKind::empirical;
  if (curve == "isotonic") options.fit.curve = simulate::CurveChoice::isotonic;
  if (saturated == "shift") options.fit.saturated = simulate::Saturated::shift;
  return answer(unlocked([&]() -> Result<BiasReport> {
    const auto predictions = fold.load(options.threads);
    if (!predictions) return predictions.error();
    return answer::bias(*predictions, options);
  }));
}

Answer bbc_truth(const std::string& model, const std::vector<double>& beta, const std::string& curve, bool perfect,
                 const nb::int_& bins, const std::vector<int>& norms, const Names& estimators,
                 const std::vector<nb::int_>& sizes, const nb::int_& replicates, const nb::int_& seed,
                 const nb::object& threads, const nb::object& progress) {
  const auto options = bias_options("", bins, norms, estimators, sizes, replicates, seed, threads, progress);
  return answer(unlocked([&] {
    return answer::study_truth({.model = model, .beta = beta, .curve = curve, .perfect = perfect}, options);
  }));
}

Answer compare(const nb::dict& validation, const std::optional<nb::dict>& test, const Names& methods,
               const Names& estimators, const std::string& reduction, const std::string& criterion,
               const nb::int_& folds, const nb::int_& bins, const nb::int_& resamples, const nb::int_& seed,
               const nb::object& threads, const nb::object& progress) {
  const GivenFold val(validation, true);
  std::optional<GivenFold> judged;
  if (test) judged.emplace(*test, true);
  answer::CompareOptions options{.methods = methods,
                                 .estimators = estimators,
                                 .reduction = reduction_of(reduction),
                                 .criterion = criterion,
                                 .folds = number_of(options::folds, folds),
                                 .bins = number_of(options::bins, bins),
                                 .resamples = number_of(options::paired_resamples, resamples),
                                 .seed = number_of(options::seed, seed),
                                 .threads = threads_of(threads),
                                 .progress = progress_of(progress)};
  options.fit.threads = options.threads;
  return answer(unlocked([&]() -> Result<Comparison> {
    const auto fitted = val.load(options.threads);
    if (!fitted) return fitted.error();
    if (!judged) return answer::compare(*fitted, nullptr, options);
    const auto tested = judged->load(options.threads);
    if (!tested) return tested.error();
    return answer::compare(*fitted, &*tested, options);
  }));
}

// The page, and its first sentence.
Answer report(const nb::dict& judged, const std::optional<nb::dict>& validation, const std::string& reduction,
              const nb::int_& bins, bool bias, bool classes, const nb::int_& replicates, const Names& methods,
              const std::string& criterion, const nb::int_& folds, const std::string& title, const std::string& command,
              const std::string& input, const nb::int_& seed, const nb::object& threads, const nb::object& progress) {
  const GivenFold test(judged, true);
  std::optional<GivenFold> val;
  if (validation) val.emplace(*validation, true);
  const answer::ReportOptions options{.reduction = reduction_of(reduction),
                                      .bins = number_of(options::bins, bins),
                                      .bias = bias,
                                      .classes = classes,
                                      .replicates = number_of(options::report_replicates, replicates),
                                      .methods = methods,
                                      .criterion = criterion,
                                      .folds = number_of(options::folds, folds),
                                      .seed = number_of(options::seed, seed),
                                      .threads = threads_of(threads),
                                      .progress = progress_of(progress)};
  std::string file;
  Report out = unlocked([&]() -> Result<Report> {
    auto tested = test.load(options.threads);
    if (!tested) return tested.error();
    if (!title.empty()) {
      file = tested->source.empty() ? title : tested->source;
      tested->source = title;
    }
    if (!val) return answer::report(*tested, nullptr, options);
    const auto fitted = val->load(options.threads);
    if (!fitted) return fitted.error();
    return answer::report(*tested, &*fitted, options);
  });
  out.file = file;
  out.command = command;
  out.settings = answer::report_settings(out, options);
  out.date = answer::report_date();
  if (out.comparison && out.comparison->winner.method != answer::uncalibrated_name)
    out.apply = {"c = tare.calibrator(\"" + out.comparison->winner.method + "\", \"" + input + "\").fit(val_" + input +
                     ", val_labels)",
                 "c.predict_proba(new_" + input + ")"};
  return {render::page(out), render::conclusion(out.survey)};
}

}  // namespace

void bind_calls(nb::module_& m) {
  m.def("measure", measure, "data"_a, "reduction"_a, "bins"_a, "norms"_a, "estimators"_a, "resample"_a, "bias"_a,
        "seed"_a, "threads"_a.none(), "progress"_a.none());
  m.def("estimate", estimate, "data"_a, "name"_a, "reduction"_a, "bins"_a, "norm"_a, "threads"_a.none());
  m.def("test", test, "data"_a, "reduction"_a, "statistics"_a, "bins"_a, "norm"_a, "resamples"_a, "alpha"_a,
        "detectable"_a, "power"_a, "seed"_a, "threads"_a.none(), "progress"_a.none());
  m.def("bbc_data", bbc_data, "data"_a, "scores"_a, "curve"_a, "saturated"_a, "reduction"_a, "bins"_a, "norms"_a,
        "estimators"_a, "sizes"_a, "replicates"_a, "seed"_a, "threads"_a.none(), "progress"_a.none());
  m.def("bbc_truth", bbc_truth, "model"_a, "beta"_a, "curve"_a, "perfect"_a, "bins"_a, "norms"_a, "estimators"_a,
        "sizes"_a, "replicates"_a, "seed"_a, "threads"_a.none(), "progress"_a.none());
  m.def("compare", compare, "validation"_a, "test"_a.none(), "methods"_a, "estimators"_a, "reduction"_a, "criterion"_a,
        "folds"_a, "bins"_a, "resamples"_a, "seed"_a, "threads"_a.none(), "progress"_a.none());
  m.def("report", report, "judged"_a, "validation"_a.none(), "reduction"_a, "bins"_a, "bias"_a, "classes"_a,
        "replicates"_a, "methods"_a, "criterion"_a, "folds"_a, "title"_a, "command"_a, "input"_a, "seed"_a,
        "threads"_a.none(), "progress"_a.none());
  m.def("weight_note", answer::weight_note);
  m.def("has_split",
        [](const std::string& file, const std::string& split) { return read::Files().has_split(file, split, {}); });
}

}  // namespace tare::inner::python
