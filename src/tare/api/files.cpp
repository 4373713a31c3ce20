#include <tare/files.hpp>

#include "tare/analysis/report.hpp"
#include "tare/api/api.hpp"
#include "tare/read/dataset.hpp"
#include "tare/render/html/page.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/state/sample.hpp"
#include "tare/write/whole_file.hpp"

namespace tare::detail::api {
namespace {

Result<tare::Predictions> read_fold(const read::Fold& fold, const Run& run) {
  return guarded(run, [&](const Going& going) -> Result<tare::Predictions> {
    const auto data = read::Dataset::open(fold);
    if (!data) return data.error();
    auto made = state::load(*data, going.threads);
    if (!made) return made.error();
    return Access::make(StoredPredictions{*std::move(made), true});
  });
}

Result<void> report_file(const std::string& path, const tare::Predictions& test, const tare::Predictions* validation,
                         const ReportOptions& options, const Run& run) {
  return guarded<Done::is_done>(run, [&](const Going& going) -> Result<void> {
    const StoredPredictions& judged = Access::rows(test);
    const StoredPredictions* fitted = validation != nullptr ? &Access::rows(*validation) : nullptr;
    if (!judged.labelled || (fitted != nullptr && !fitted->labelled)) return unlabelled();
    auto file = write::WholeFile::open(path);  // before the work: a bad path fails at once
    if (!file) return file.error();
    const auto how = asked<analysis::ReportOptions>(report_options, options, going);
    auto report = analysis::report(judged.predictions, fitted != nullptr ? &fitted->predictions : nullptr, how);
    if (!report) return report.error();
    report->settings = analysis::report_settings(*report, how);
    report->date = analysis::report_date();
    if (const auto done = file->append(render::page(*report)); !done) return done.error();
    numeric::stop_if_asked();  // for the last time: what is in place is done
    if (const auto done = file->finish(); !done) return done.error();
    return {};
  });
}

}  // namespace
}  // namespace tare::detail::api

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;

Result<Predictions> read(const std::string& path, const std::string& split, const Run& run) {
  return api::read_fold({.files = {path}, .split = split}, run);
}

Result<Predictions> read(const Columns& columns, const Run& run) {
  return api::read_fold({.logits = columns.logits,
                         .probs = columns.probs,
                         .log_probs = columns.log_probs,
                         .confidences = columns.confidences,
                         .correct = columns.correct,
                         .predictions = columns.predictions,
                         .labels = columns.labels,
                         .weights = columns.weights},
                        run);
}

Result<void> write_report(const std::string& path, const Predictions& test, const ReportOptions& options,
                          const Run& run) {
  return api::report_file(path, test, nullptr, options, run);
}

Result<void> write_report(const std::string& path, const Predictions& test, const Predictions& validation,
                          const ReportOptions& options, const Run& run) {
  return api::report_file(path, test, &validation, options, run);
}

Result<std::string> reliability_svg(const Measurement& measurement, const std::string& estimator) {
  return api::shown<detail::Survey>(measurement.impl, "measure", [&](const detail::Survey& s) {
    return detail::render::reliability_svg(s, {.estimator = estimator});
  });
}

}  // namespace v0_3
}  // namespace tare
