#include <fmt/format.h>

#include "tare/core/names.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

std::string accepted_words(const TestResult& t) {
  if (!t.p_value) return "";
  if (t.accepted_low && t.accepted_high) return four_digits(*t.accepted_low) + " to " + four_digits(*t.accepted_high);
  return t.accepted_high ? "up to " + four_digits(*t.accepted_high) : "";
}

Json evidence_json(const TestResult& t) {
  if (!t.evidence) return {};
  const TestEvidence& e = *t.evidence;
  return {{"spoke", e.spoke},
          {"finding", name(e.finding)},
          {"from", or_null(e.from)},
          {"to", or_null(e.to)},
          {"parts", to_json(e.parts)}};
}

Shown statistic_cell(const TestResult& t) {
  if (!t.p_value && !t.statistic) return {"n/a", Ink::dim};
  if (!t.p_value) return {"n/a", Ink::dim, four_digits(*t.statistic), {*t.statistic}};
  return t.statistic ? Shown{four_digits(*t.statistic), Ink::plain, {}, {*t.statistic}} : Shown{"infinite"};
}

}  // namespace

ColumnTable tests_table(const TestReport& report, Reader reader) {
  using T = TestResult;
  const auto no = [&](const T& t) { return rejected(t, report.alpha); };
  Columns c(report.tests, reader);
  c.add("name", &T::name).text("test").page("test").shown([](const T& t) {
    return Shown{.text = t.name + (t.squared ? ", squared"
                                   : t.norm  ? fmt::format(" l{}", *t.norm)
                                             : ""),
                 .html = fmt::format("<code>{}</code> {}", xml(t.name), xml(t.title))};
  });
  c.json("title", &T::title);
  c.add("norm", &T::norm);
  c.json("two_sided", &T::two_sided);
  c.add("statistic", &T::statistic).plain().text("statistic").page("statistic").shown(statistic_cell);
  c.shown([](const T& t) { return Shown{accepted_words(t), Ink::dim}; }).plain().text("if calibrated").spare();
  c.add("p_value", &T::p_value).plain().text("p-value").page("p-value").shown([&](const T& t) {
    return t.p_value ? Shown{p_text(*t.p_value, report.resamples), Ink::plain, {}, {*t.p_value}} : Shown{};
  });
  c.json("accepted_low", &T::accepted_low);
  c.json("accepted_high", &T::accepted_high);
  c.add("rejected", [&](const T& t) { return t.p_value ? Value(no(t)) : Value(); })
      .text("at " + level(report.alpha))
      .page(fmt::format("at {:.4g}%", 100 * report.alpha))
      .shown([&](const T& t) {
        if (!t.p_value) return Shown{};
        return no(t) ? Shown{"rejected", Ink::red, "<span class=\"bad\">▲ rejected</span>"}
                     : Shown{"not rejected", Ink::green, "<span class=\"good\">≈ not rejected</span>"};
      });
  c.add("reason", [](const T& t) { return words_or_nothing(t.reason); });
  c.json("evidence", evidence_json);
  return c.take();
}

}  // namespace tare::detail::render
