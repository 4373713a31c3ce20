#include <tare/tests.hpp>

#include "tare/answer/test.hpp"
#include "tare/door/door.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/text/text.hpp"
#include "tare/render/words/words.hpp"

namespace tare::inner::door {
namespace {

tare::TestReport test_report(inner::TestReport made) {
  tare::TestReport out{.alpha = made.alpha, .verdict = verdict(made), .sentence = render::test_conclusion(made)};
  for (const TestResult& t : made.tests)
    out.lines.push_back(
        {.statistic = t.name, .title = t.title, .value = t.statistic, .p_value = t.p_value, .reason = t.reason});
  out.rejected = made.verdict.outcome == Outcome::miscalibrated;
  if (made.detectable) out.detectable = made.detectable->tce;
  out.inner = hold(std::move(made));
  return out;
}

}  // namespace
}  // namespace tare::inner::door

namespace tare {
inline namespace v0_3 {

namespace door = inner::door;

Result<TestReport> test(const Predictions& predictions, const TestOptions& options, const Run& run) {
  return door::guarded(run, [&](const door::Going& going) -> Result<TestReport> {
    const auto& rows = inner::Door::rows(predictions);
    if (!rows.labelled) return door::unlabelled();
    auto made = inner::answer::test(rows.predictions,
                                    door::asked<inner::answer::TestOptions>(inner::test_options, options, going));
    if (!made) return made.error();
    return door::test_report(*std::move(made));
  });
}

Result<std::string> to_text(const TestReport& report, int width) {
  return door::shown<inner::TestReport>(
      report.inner, "test", [&](const inner::TestReport& r) { return inner::render::text(r, {.width = width}); });
}

Result<std::string> to_json(const TestReport& report) {
  return door::shown<inner::TestReport>(report.inner, "test",
                                        [](const inner::TestReport& r) { return inner::render::json(r); });
}

}  // namespace v0_3
}  // namespace tare
