#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/json/json_parts.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/table/tables.hpp"

namespace tare::detail::render {
namespace {

// What stands in a column unasked: the error that people quote, and the two of the verdict.
bool is_usual(const Measured& m) { return m.about.roles.reference || m.about.roles.headline || m.about.roles.mean_gap; }

Shown seconds_cell(const MethodResult& m) {
  const double s = m.fit.seconds;
  if (!m.reason.empty() || m.method == "uncalibrated") return {};
  return {.text = s < 0.01 ? fmt::format("{:.1f} ms", s * 1e3)
                  : s < 1  ? fmt::format("{:.0f} ms", s * 1e3)
                           : fmt::format("{:.1f} s", s),
          .html = s < 1 ? fmt::format("{:.0f} ms", s * 1e3) : fmt::format("{:.1f} s", s),
          .numbers = {s}};
}

Json fit_json(const FitReport& fit) {
  return {{"status", name(fit.status)},          {"iterations", fit.iterations},
          {"gradient", or_null(fit.gradient)},   {"nll_before", or_null(fit.nll_before)},
          {"nll_after", or_null(fit.nll_after)}, {"note", or_null(fit.note)}};
}

// ≈: not more than a calibrated model would show.
Shown estimate_cell(const MethodResult& m, std::size_t e) {
  if (!m.reason.empty() || e >= m.estimates.size()) return {};
  if (!m.estimates[e].estimate) return {"n/a"};
  const std::string value = percent(m.estimates[e].estimate->value);
  return {.text = value,
          .html = (m.estimates[e].judgement == Judgement::within_noise ? "≈ " : "") + value,
          .numbers = {100 * m.estimates[e].estimate->value}};
}

// A column for each estimator, with the names of the first method that was fitted.
void add_estimates(Columns<std::vector<MethodResult>>& columns, const Comparison& c, bool all) {
  const auto fitted =
      std::find_if(c.methods.begin(), c.methods.end(), [](const MethodResult& m) { return !m.estimates.empty(); });
  if (fitted == c.methods.end()) return;
  const auto& estimates = fitted->estimates;
  const bool any = std::any_of(estimates.begin(), estimates.end(), is_usual);
  for (std::size_t e = 0; e < estimates.size(); ++e) {
    const Measured& m = estimates[e];
    const std::string norm = m.norm ? fmt::format("l{}", *m.norm) : "";
    const auto value = [&](const MethodResult& r) {
      const bool there = e < r.estimates.size() && r.estimates[e].estimate;
      return there ? Value(r.estimates[e].estimate->value) : Value();
    };
    auto column = columns.csv(m.name + (m.norm ? "_" + norm : ""), value)
                      .percent()
                      .page(m.norm ? fmt::format("{} {}, %", m.name, norm) : m.name)
                      .shown([&](const MethodResult& r) { return estimate_cell(r, e); });
    if (all || !any || is_usual(m)) column.text(all && m.norm ? m.name + " " + norm : m.name);
  }
}

Shown number_or_missing(const MethodResult& m, const std::optional<double>& x) {
  if (!m.reason.empty()) return {};
  return x ? Shown{fixed(*x, 4), Ink::plain, {}, {*x}} : Shown{"infinite", Ink::dim};
}

}  // namespace

ColumnTable methods_table(const Comparison& c, Reader reader, bool all) {
  using M = MethodResult;
  const auto if_done = [](auto member) {
    return [=](const M& m) { return m.reason.empty() ? Value(m.*member) : Value(); };
  };
  const auto wins = [&](const M& m) { return m.method == c.winner.method; };
  const auto reason = [](const M& m) { return words_or_nothing(m.reason); };
  Columns columns(c.methods, reader);
  columns.add("method", &M::method).text("").page("calibrator").shown([&](const M& m) {
    return Shown{(wins(m) ? "> " : "  ") + m.method, wins(m) ? Ink::bold : Ink::plain,
                 (wins(m) ? "▸ " : "") + xml(m.method)};
  });
  columns.csv("recommended", wins);
  columns.json("reason", reason);
  columns.add("error", if_done(&M::error)).percent().text("error").page("error, %").shown([](const M& m) {
    return m.reason.empty() ? Shown{percent(m.error), Ink::plain, {}, {100 * m.error}} : Shown{"n/a", Ink::dim};
  });
  columns.add(std::string(name(Criterion::nll)), &M::nll).plain().text("NLL").page("NLL").shown([](const M& m) {
    return number_or_missing(m, m.nll);
  });
  columns.json("nll_infinite_rows", &M::nll_infinite_rows);
  columns.add(std::string(name(Criterion::brier)), if_done(&M::brier))
      .plain()
      .text("Brier")
      .page("Brier")
      .shown([](const M& m) { return number_or_missing(m, m.brier); });
  columns.csv("reason", reason);
  columns.json("estimates", [](const M& m) { return json_rows(estimates_table(all_rows(m.estimates), Reader::json)); });
  columns.json("differences", [](const M& m) { return to_json(m.differences); });
  columns.json("selection", &M::selection);
  columns.json("groups", [](const M& m) { return m.groups ? Value(to_json(*m.groups)) : Value(Absent()); });
  columns.json("fit", [](const M& m) { return m.method == "uncalibrated" ? Json() : fit_json(m.fit); });
  columns.json("fit_seconds", [](const M& m) { return m.fit.seconds; });
  add_estimates(columns, c, all);
  auto seconds = columns.shown(seconds_cell).plain().page("fit", {"fit, seconds"});
  if (all) seconds.text("fit");
  // what the criterion that chooses says about each method, against the model as it is
  const std::string what = std::string(name(c.winner.criterion)) + "_less_uncalibrated";
  for (const auto& [end, member] :
       {std::pair{"", &Difference::value}, {"_low", &Difference::low}, {"_high", &Difference::high}})
    columns.csv(what + end, [&, member = member](const M& m) {
      const Difference* d = difference(m, c.winner.criterion, "uncalibrated");
      return d ? Value(d->*member) : Value();
    });
  return columns.take();
}

}  // namespace tare::detail::render
