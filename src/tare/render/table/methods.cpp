#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/table/table.hpp"

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
  const auto fitted = std::ranges::find_if(c.methods, [](const MethodResult& m) { return !m.estimates.empty(); });
  if (fitted == c.methods.end()) return;
  const auto& estimates = fitted->estimates;
  const bool any = std::ranges::any_of(estimates, is_usual);
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

Shown change_cell(const Difference* d) {
  if (!d) return {};
  const CriterionInfo& info = about(d->criterion);
  const bool better = d->change == Change::better, worse = d->change == Change::worse;
  // Where it is no noise, no number may look like 0.
  const auto number = [&](double x) { return signed_number(x * info.factor, info.digits, better || worse); };
  const std::string words = fmt::format("{} [{}, {}]", number(d->value), number(d->low), number(d->high));
  return {.text = fmt::format("{} {}", words, name(d->change)),
          .ink = better  ? Ink::green
                 : worse ? Ink::red
                         : Ink::dim,
          .html = fmt::format("<span class=\"nowrap\">{} <span class=\"{}\">{}</span></span>", words,
                              better  ? "good"
                              : worse ? "bad"
                                      : "",
                              better  ? "▼ better"
                              : worse ? "▲ worse"
                                      : "≈ noise"),
          .numbers = {d->value * info.factor, d->low * info.factor, d->high * info.factor}};
}

const Difference* against_first(const ModelLine& line, Criterion criterion) {
  for (const Difference& d : line.differences)
    if (d.criterion == criterion) return &d;
  return nullptr;
}

std::string outcome_words(Outcome outcome) {
  std::string out(name(outcome));
  std::ranges::replace(out, '_', ' ');
  return out;
}

// Names without what they have in common: the folder, and the ending with the half of the file.
std::vector<std::string> short_names(const ModelTable& models) {
  std::vector<std::string> out;
  for (const ModelLine& line : models.models) out.push_back(line.test.input.source);
  const auto common = [&](const auto& part) {
    const std::string first = part(out.front());
    const bool all = std::ranges::all_of(out, [&](const std::string& s) { return part(s) == first; });
    return all ? first.size() : 0;
  };
  const std::size_t folder = common([](const std::string& s) { return s.substr(0, s.find_last_of('/') + 1); });
  const std::size_t ending =
      common([](const std::string& s) { return s.substr(std::min(s.find_last_of('.'), s.size())); });
  for (std::string& s : out)
    if (s.size() > folder + ending) s = s.substr(folder, s.size() - folder - ending);
  return out;
}

}  // namespace

ColumnTable changes_table(const std::vector<const MethodResult*>& rows, const std::string& against,
                          std::span<const CriterionInfo> by) {
  using M = MethodResult;
  Columns c(rows);
  c.shown([](const M* m) { return Shown{.text = "  " + m->method, .html = xml(m->method)}; })
      .text("")
      .page("calibrator");
  for (const CriterionInfo& info : by) {
    const std::string title(info.title);
    c.shown([&](const M* m) { return change_cell(difference(*m, info.criterion, against)); })
        .text(std::string(info.short_title))
        .page(title, {title, title + ", low", title + ", high"});
  }
  return c.take();
}

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

ColumnTable models_table(const ModelTable& models, Reader reader) {
  using L = ModelLine;
  const InputInfo& first = models.models.front().test.input;
  const bool top = first.reduction == Reduction::top_label;
  const bool with_rows =
      std::ranges::any_of(models.models, [&](const L& line) { return line.test.input.n != first.n; });
  const auto mean = [](auto member) { return [=](const L& l) { return l.test.verdict.mean.*member; }; };
  const auto star = [](const L& line, Criterion criterion) {  // a real difference to the first line
    const Difference* d = against_first(line, criterion);
    return std::string(d && d->change != Change::noise ? "*" : " ");
  };
  const auto names = reader == Reader::terminal ? short_names(models) : std::vector<std::string>();
  std::size_t row = 0;
  Columns c(models.models, reader);
  c.csv("model", [](const L& l) { return l.test.input.source; }).text("").shown([&](const L&) {
    return Shown{printable(names[row++])};
  });
  c.json("input", [](const L& l) { return to_json(l.test.input); });
  auto rows = c.csv("n", [](const L& l) { return l.test.input.n; }).count();
  if (with_rows) rows.text("n").spare();
  c.add("score", [](const L& l) { return l.test.verdict.mean_score; })
      .percent()
      .text(top ? "confidence" : "score", 1)
      .spare();
  c.add("label", [](const L& l) { return l.test.verdict.mean_label; })
      .percent()
      .text(top ? "accuracy" : "rate", 1)
      .spare();
  c.json("mean_gap", [](const L& l) { return to_json(l.test.verdict.mean); });
  c.csv("error", mean(&ErrorRange::value)).percent().text("error").shown([&](const L& l) {
    const auto& value = l.test.verdict.mean.value;
    return Shown{(value ? percent(*value) : "n/a") + star(l, Criterion::squared_error)};
  });
  c.csv("low", mean(&ErrorRange::low));
  c.csv("high", mean(&ErrorRange::high));
  c.range(mean(&ErrorRange::low), mean(&ErrorRange::high)).percent().text("95%", 2, "", " to ");
  c.add(std::string(name(Criterion::brier)), &L::brier).plain().text("Brier").spare().shown([&](const L& l) {
    return Shown{l.brier ? fixed(*l.brier, 4) + star(l, Criterion::brier) : ""};
  });
  c.csv("p_value", [](const L& l) { return l.test.verdict.p_value; });
  c.csv("verdict", [](const L& l) { return name(l.test.verdict.outcome); }).text("verdict").shown([](const L& l) {
    const Outcome outcome = l.test.verdict.outcome;
    return Shown{outcome_words(outcome), outcome == Outcome::miscalibrated ? Ink::yellow : Ink::plain};
  });
  c.json("verdict", [](const L& l) { return to_json(l.test); });
  c.json("differences", [](const L& l) { return to_json(l.differences); });
  for (const Criterion criterion : {Criterion::squared_error, Criterion::brier})
    c.csv(std::string(name(criterion)) + "_against_first", [=](const L& line) {
      const Difference* d = against_first(line, criterion);
      return d ? Value(name(d->change)) : Value();
    });
  return c.take();
}

}  // namespace tare::detail::render
