#include <tare/tests.hpp>

#include "tare/analysis/test.hpp"
#include "tare/api/api.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::api {
namespace {

tare::TestReport test_report(detail::TestReport made) {
  tare::TestReport out{.alpha = made.alpha, .verdict = verdict(made), .sentence = render::test_conclusion(made)};
  for (const TestResult& t : made.tests)
    out.lines.push_back(
        {.statistic = t.name, .title = t.title, .value = t.statistic, .p_value = t.p_value, .reason = t.reason});
  out.rejected = made.verdict.outcome == Outcome::miscalibrated;
  if (made.detectable) out.detectable = made.detectable->tce;
  out.impl = hold(std::move(made));
  return out;
}

}  // namespace
}  // namespace tare::detail::api

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;

Result<TestReport> test(const Predictions& predictions, const TestOptions& options, const Run& run) {
  return api::guarded(run, [&](const api::Going& going) -> Result<TestReport> {
    const auto& rows = detail::Access::rows(predictions);
    if (!rows.labelled) return api::unlabelled();
    auto made = detail::analysis::test(rows.predictions,
                                       api::asked<detail::analysis::TestOptions>(detail::test_options, options, going));
    if (!made) return made.error();
    return api::test_report(*std::move(made));
  });
}

Result<std::string> to_text(const TestReport& report, int width) {
  return api::shown<detail::TestReport>(
      report.impl, "test", [&](const detail::TestReport& r) { return detail::render::text(r, {.width = width}); });
}

Result<std::string> to_json(const TestReport& report) {
  return api::shown<detail::TestReport>(report.impl, "test",
                                        [](const detail::TestReport& r) { return detail::render::json(r); });
}

}  // namespace v0_3
}  // namespace tare
