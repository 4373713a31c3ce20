#include <fmt/format.h>

#include "tare/render/prose/prose.hpp"
#include "tare/render/table/tables.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {
namespace {

std::string notes(const TestReport& report, const TextOptions& options) {
  std::string out = wrap(
      fmt::format("p-value: the share of {} redrawings of the labels from the scores, and of what was "
                  "observed, that are at least as extreme (seed {}); if calibrated: where the "
                  "statistic then stays in {} of 100 samples",
                  grouped(static_cast<double>(report.resamples)), report.seed, four_digits(100 * (1 - report.alpha))),
      options.width);
  for (const TestResult& t : report.tests)
    if (t.evidence) out += wrap(t.name + " " + part_words(t), options.width);
  for (const TestResult& t : report.tests)
    if (!t.statistic)
      out += wrap((t.p_value ? "" : "n/a: ") + printable(t.reason) + " (" + t.name + ")", options.width);
  if (report.detectable) out += wrap(detectable_words(report), options.width);
  for (const auto& note : report.notes) out += wrap(printable(note), options.width);
  return paint(out.substr(0, out.size() - 1), Ink::dim, options.colour) + "\n";
}

}  // namespace

std::string text(const TestReport& report, const TextOptions& options) {
  std::string out =
      header(report.input, options) + paint(wrap(test_conclusion(report), options.width), Ink::bold, options.colour);
  if (const std::string line = headline(report.verdict); !line.empty()) out += wrap(line, options.width);
  if (report.gate)
    out += wrap(fmt::format("Gate: {} at level {}: {}.", report.gate->statistic, level(report.gate->alpha),
                            report.gate->rejected ? "rejected, exit status 1" : "passed"),
                options.width);
  out += "\n" + text_table(tests_table(report, Reader::terminal)).str(options.colour, options.width) + "\n" +
         notes(report, options);
  return report.groups ? out + "\n" + text(*report.groups, options) : out;
}

}  // namespace tare::detail::render
