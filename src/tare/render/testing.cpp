#include "tare/render/testing.hpp"

#include <fmt/format.h>

#include <tare/version.hpp>
#include "tare/render/json/json_parts.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

// Four digits; what is rounding away from 0 is 0.
std::string number(double x) { return fmt::format("{:.4g}", x); }

// As many digits as the resamples can tell apart.
std::string p_text(double p, std::size_t resamples) {
  const int digits = resamples >= 99'999 ? 5 : resamples >= 9'999 ? 4 : 3;
  return fmt::format("{:.{}f}", p, digits);
}

std::string level(double alpha) { return fmt::format("{:.4g}%", 100 * alpha); }

std::string accepted(const TestResult& t) {
  if (t.accepted_low && t.accepted_high) return number(*t.accepted_low) + " to " + number(*t.accepted_high);
  return t.accepted_high ? "up to " + number(*t.accepted_high) : "";
}

bool rejected(const TestResult& t, double alpha) { return t.p_value && *t.p_value <= alpha; }

std::string title(const TestResult& t) {
  const bool squared = t.norm && t.name.starts_with("debias");
  return t.name + (squared ? ", squared" : t.norm ? fmt::format(" l{}", *t.norm) : "");
}

std::string table(const TestReport& report, bool colour) {
  Table out({{"test"}, {"statistic", true}, {"if calibrated", true}, {"p-value", true}, {"at " + level(report.alpha)}});
  for (const TestResult& t : report.tests) {
    if (!t.p_value) {
      out.add({{title(t)}, {"n/a", Ink::dim}});
      continue;
    }
    const bool no = rejected(t, report.alpha);
    out.add({{title(t)},
             {number(*t.statistic)},
             {accepted(t), Ink::dim},
             {p_text(*t.p_value, report.resamples)},
             {no ? "miscalibrated" : "not rejected", no ? Ink::red : Ink::green}});
  }
  return out.str(colour) + "\n";
}

std::string notes(const TestReport& report, const TextOptions& options) {
  std::string out =
      wrap(fmt::format("p-value: the share of {} redrawings of the labels from the scores, and of what was "
                       "observed, that are at least as extreme (seed {}); if calibrated: where the "
                       "statistic then stays in {} of 100 samples",
                       grouped(static_cast<double>(report.resamples)), report.seed, number(100 * (1 - report.alpha))),
           options.width);
  for (const TestResult& t : report.tests)
    if (!t.p_value) out += wrap("n/a: " + printable(t.reason) + " (" + t.name + ")", options.width);
  for (const auto& note : report.notes) out += wrap(printable(note), options.width);
  return paint(out.substr(0, out.size() - 1), Ink::dim, options.colour) + "\n\n";
}

std::string rows(double count) { return grouped(count) + (count == 1 ? " row" : " rows"); }

std::string certain_and_wrong(const TestReport& report) {
  const Contradictions& c = report.contradictions;
  if (!c.any()) return {};
  std::string out;
  if (c.misses_at_one > 0) out += rows(c.misses_at_one) + " with a score of exactly 1 and label 0";
  if (c.hits_at_zero > 0)
    out += (out.empty() ? "" : ", ") + rows(c.hits_at_zero) + " with a score of exactly 0 and label 1";
  return "Certain and wrong: " + out +
         ". A calibrated model never does that, whatever n, and no p-value above can say so.";
}

// "; 2 of the other 6 tests do reject, and each errs in 5 of 100 calibrated samples"
std::string others(const TestReport& report) {
  int defined = 0, against = 0;
  for (std::size_t t = 1; t < report.tests.size(); ++t) {
    defined += report.tests[t].p_value.has_value();
    against += rejected(report.tests[t], report.alpha);
  }
  if (against == 0 || rejected(report.tests.front(), report.alpha)) return {};
  return fmt::format("; {} of the other {} {} reject, and each by itself errs in {} of calibrated samples", against,
                     defined, against == 1 ? "does" : "do", level(report.alpha));
}

std::string conclusion(const TestReport& report) {
  const TestResult& first = report.tests.front();
  if (!first.p_value) return first.name + " says nothing here: " + printable(first.reason) + ".";
  const std::string p = p_text(*first.p_value, report.resamples);
  const std::string n = "n = " + grouped(static_cast<double>(report.input.n));
  std::string out =
      rejected(first, report.alpha)
          ? fmt::format(
                "Miscalibrated: by {}, a calibrated model would look like this in {} of samples of this "
                "size (p = {})",
                first.name, *first.p_value < 0.01 ? "fewer than 1%" : level(*first.p_value), p)
          : fmt::format("Not rejected: by {}, {} do not contradict calibration (p = {})", first.name, n + " rows", p);
  out += others(report) + ".";
  if (!report.detectable) return out;
  const Detectable& d = *report.detectable;
  if (!d.tce)
    return out + fmt::format(" What error this n could have detected is not known along {}: {}.", d.path, d.reason);
  return out + fmt::format(
                   " At this n, with these scores, {} finds a true error of {}% (norm {}) in {} of 100 samples, and "
                   "smaller ones less often (path: {}, d = {:.4g}; level {}).",
                   d.statistic, percent(*d.tce), d.norm, number(100 * d.power), d.path, *d.exponent, level(d.alpha));
}

Json to_json(const TestResult& t, double alpha) {
  return {{"name", t.name},
          {"title", t.title},
          {"norm", or_null(t.norm)},
          {"two_sided", t.two_sided},
          {"statistic", or_null(t.statistic)},
          {"p_value", or_null(t.p_value)},
          {"accepted_low", or_null(t.accepted_low)},
          {"accepted_high", or_null(t.accepted_high)},
          {"rejected", t.p_value ? Json(rejected(t, alpha)) : Json()},
          {"reason", or_null(t.reason)}};
}

Json to_json(const Detectable& d) {
  return {{"tce", or_null(d.tce)},    {"norm", d.norm},
          {"alpha", d.alpha},         {"power", d.power},
          {"path", d.path},           {"exponent", or_null(d.exponent)},
          {"statistic", d.statistic}, {"reason", or_null(d.reason)}};
}

}  // namespace

std::string json(const TestReport& report) {
  std::string out = "{\"tare\": " + dump(TARE_VERSION) +
                    ", \"command\": \"test\",\n\"input\": " + dump(to_json(report.input)) +
                    ",\n\"seed\": " + dump(report.seed) + ", \"resamples\": " + dump(report.resamples) +
                    ", \"alpha\": " + dump(report.alpha) + ",\n\"tests\": [";
  const char* separator = "\n";
  for (const TestResult& t : report.tests) {
    out += separator + dump(to_json(t, report.alpha));
    separator = ",\n";
  }
  const Json wrong{{"misses_at_one", report.contradictions.misses_at_one},
                   {"hits_at_zero", report.contradictions.hits_at_zero}};
  out += "\n],\n\"contradictions\": " + dump(wrong) +
         ",\n\"detectable\": " + dump(report.detectable ? to_json(*report.detectable) : Json());
  const Json gate = report.gate ? Json{{"statistic", report.gate->statistic},
                                       {"alpha", report.gate->alpha},
                                       {"rejected", report.gate->rejected}}
                                : Json();
  return out + ",\n\"gate\": " + dump(gate) + "}\n";
}

std::string testing_conclusion(const TestReport& report) { return conclusion(report); }

std::string contradiction_words(const TestReport& report) { return certain_and_wrong(report); }

std::string text(const TestReport& report, const TextOptions& options) {
  std::string out = header(report.input, options) + table(report, options.colour) + notes(report, options);
  if (const std::string wrong = certain_and_wrong(report); !wrong.empty()) out += wrap(wrong, options.width) + "\n";
  out += wrap(conclusion(report), options.width);
  if (report.gate)
    out += "\n" + wrap(fmt::format("Gate: {} at level {}: {}.", report.gate->statistic, level(report.gate->alpha),
                                   report.gate->rejected ? "rejected, exit status 1" : "passed"),
                       options.width);
  return out;
}

}  // namespace tare::inner::render
