#include <fmt/format.h>

#include <cmath>

#include "tare/core/names.hpp"
#include "tare/render/html/page.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

// In percent, or in the units of a score.
Shown number_cell(const Measured& m, const std::optional<double>& x, Ink ink = Ink::plain) {
  if (!x) return {};
  return {.text = is_fraction(m) ? percent(*x) : visible(*x, 4),
          .ink = ink,
          .html = shown_number(m, *x),
          .numbers = {is_fraction(m) ? 100 * *x : *x}};
}

Shown value_cell(const Measured* m) { return m->estimate ? number_cell(*m, m->estimate->value) : Shown{"n/a"}; }

Shown range_cell(const Measured& m, const std::optional<double>& low, const std::optional<double>& high,
                 Ink ink = Ink::plain) {
  if (!low || !high) return {};
  const Shown first = number_cell(m, low), last = number_cell(m, high);
  return {first.text + "–" + last.text, ink, first.html + " – " + last.html, {first.numbers[0], last.numbers[0]}};
}

Shown noise_cell(const Measured* m) { return range_cell(*m, m->floor, m->floor_high, Ink::dim); }

Shown judgement_cell(const Measured* m) {
  return {std::string(name(m->judgement)), m->judgement == Judgement::within_noise ? Ink::green : Ink::yellow,
          judgement_mark(m->judgement)};
}

std::string titled_name(const Measured& m) {
  const std::string name = "<code>" + xml(m.name) + "</code>";
  if (m.about.title.empty()) return name;
  return fmt::format("<span title=\"{}\">{} {}</span>", xml(m.about.summary), name, xml(m.about.title));
}

template <class T>
auto of_estimate(std::optional<T> Estimate::*member) {
  return [member](const Measured* m) { return m->estimate ? Value((*m->estimate).*member) : Value(); };
}

template <class T>
auto list_of(std::vector<T> Estimate::*member) {
  return [member](const Measured* m) { return to_json(m->estimate ? (*m->estimate).*member : std::vector<T>()); };
}

void add_bias(Columns<std::vector<const Measured*>>& c, const BiasReport& bias) {
  using M = Measured;
  const auto told = [&](std::optional<double> Correction::*member) {
    return [&bias, member](const M* m) {
      const Correction* found = correction_of(bias, *m);
      return found ? Value(found->*member) : Value();
    };
  };
  c.json("bias", told(&Correction::bias)).points().text("bias").page("bias, points").shown([&](const M* m) {
    const Correction* found = correction_of(bias, *m);
    if (!found || !found->bias) return Shown{};
    return Shown{signed_percent(*found->bias, 2), Ink::plain, {}, {100 * *found->bias}};
  });
  c.json("rmse", told(&Correction::rmse));
  c.json("corrected", told(&Correction::corrected)).plain().text("corrected").page("corrected").shown([&](const M* m) {
    const Correction* found = correction_of(bias, *m);
    return found ? number_cell(*m, found->corrected, Ink::bold) : Shown{};
  });
  c.json("bias_reason", [&](const M* m) {
    const Correction* found = correction_of(bias, *m);
    return found ? words_or_nothing(found->reason) : Value("it does not estimate the true calibration error");
  });
}

// Lines of one class follow each other in the survey: looked for near the first, not from the start.
const Measured* beside(const Survey& classes, const Measured& m, bool Roles::*role) {
  const auto at = static_cast<std::size_t>(&m - classes.measured.data());
  for (std::size_t i = at; i < classes.measured.size() && classes.measured[i].class_index == m.class_index; ++i)
    if (classes.measured[i].about.roles.*role) return &classes.measured[i];
  for (std::size_t i = at; i-- > 0 && classes.measured[i].class_index == m.class_index;)
    if (classes.measured[i].about.roles.*role) return &classes.measured[i];
  return nullptr;
}

// Errors of a thousand classes are hundredths of a percent: three digits on the page.
Shown fine_cell(const Measured* m, const std::optional<double>& x) {
  if (!x) return {};
  return {.text = number_cell(*m, x).text, .html = percent(*x, 3), .numbers = {100 * *x}};
}

Shown fine_cell(const Measured* m) { return m && m->estimate ? fine_cell(m, m->estimate->value) : Shown{}; }

Shown percent_or_missing(const std::optional<double>& x) { return {x ? percent(*x) : "n/a"}; }

}  // namespace

ColumnTable estimates_table(const std::vector<const Measured*>& rows, Reader reader,
                            const std::vector<std::string>& class_names, const BiasReport* bias) {
  using M = Measured;
  const auto is_named = [&](const M* m) { return m->class_index && *m->class_index < class_names.size(); };
  const auto words = [](auto member) { return [=](const M* m) { return words_or_nothing(m->*member); }; };
  const auto interval = [](const M* m) { return range_cell(*m, m->low, m->high); };
  std::string_view previous;
  Columns c(rows, reader);
  c.add("name", &M::name).text("error, %").page("estimator").shown([&](const M* m) {
    const bool repeats = previous == m->name;
    previous = m->name;
    return Shown{.text = repeats ? "" : m->name, .html = titled_name(*m)};
  });
  c.add("norm", &M::norm).text("norm").page("norm").shown([](const M* m) {
    return Shown{m->norm ? fmt::format("l{}", *m->norm) : ""};
  });
  c.json("class", &M::class_index);
  c.csv("class", [&](const M* m) { return is_named(m) ? Value(class_names[*m->class_index]) : Value(m->class_index); });
  c.json("class_name", [&](const M* m) { return is_named(m) ? Value(class_names[*m->class_index]) : Absent(); });
  c.add("bins", of_estimate(&Estimate::bins));
  c.add("value", [](const M* m) { return m->estimate ? Value(m->estimate->value) : Value(); })
      .plain()
      .text("value")
      .page("value", {"value (percent; scores in their own units)"})
      .shown(value_cell);
  c.json("reason", words(&M::reason));
  c.json("estimand", words(&M::estimand));
  c.add("low", &M::low);
  c.add("high", &M::high);
  c.shown(interval).plain().page("95% interval", {"interval low", "interval high"});
  c.json("interval", words(&M::interval));
  c.json("interval_reason", words(&M::interval_reason));
  c.add("floor", &M::floor).plain().page("if calibrated: mean").shown([](const M* m) {
    return number_cell(*m, m->floor);
  });
  c.add("floor_high", &M::floor_high).plain().page("95% quantile").shown([](const M* m) {
    return number_cell(*m, m->floor_high);
  });
  c.shown(noise_cell).plain().text("noise");
  c.add("verdict", [](const M* m) { return words_or_nothing(name(m->judgement)); });
  c.csv("reason", words(&M::reason));
  c.json("squared", of_estimate(&Estimate::squared));
  c.json("squared_se", of_estimate(&Estimate::squared_se));
  c.json("se", of_estimate(&Estimate::se));
  c.json("parts", list_of(&Estimate::parts));
  c.json("per_bin", list_of(&Estimate::per_bin));
  if (bias) add_bias(c, *bias);
  c.shown(interval).plain().text("interval");
  c.shown(judgement_cell).text("").page("by its noise");
  return c.take();
}

std::optional<double> class_size(const Survey& classes, const Measured& m) {
  const Measured* rate = beside(classes, m, &Roles::mean_label);
  if (!rate || !rate->estimate) return {};
  const double rows = rate->estimate->value * classes.input.total_weight;
  return classes.input.weighted ? rows : std::round(rows);
}

ColumnTable classes_table(const Survey& classes, const std::vector<const Measured*>& rows, std::string_view title) {
  using M = Measured;
  const auto its = [&](bool Roles::*role) {
    return [&classes, role](const M* m) { return fine_cell(beside(classes, *m, role)); };
  };
  double rank = 0;
  Columns c(rows);
  c.shown([&](const M* m) {
     const std::string label = class_label(classes, *m->class_index);
     return Shown{.text = label, .html = isolated(label)};
   })
      .text(std::string(title))
      .page("class");
  c.shown([&](const M*) {
     ++rank;
     return Shown{fmt::format("{}", rank), Ink::plain, {}, {rank}};
   })
      .plain()
      .page("rank");
  c.add("", [&](const M* m) { return class_size(classes, *m); })
      .count()
      .page(classes.input.weighted ? "weight" : "rows");
  c.shown([](const M* m) { return fine_cell(m); }).plain().text(rows.front()->name + ", %").page("error");
  c.shown(noise_cell).plain().text("noise");
  c.shown([](const M* m) { return fine_cell(m, m->floor); }).plain().page("if calibrated: mean");
  c.shown([](const M* m) { return fine_cell(m, m->floor_high); }).plain().page("95% quantile");
  c.shown(its(&Roles::mean_score)).plain().text("mean prob, %").page("mean probability");
  c.shown(its(&Roles::mean_label)).plain().text("rate, %").page("observed rate");
  c.shown(judgement_cell).text("").page("by its noise");
  return c.take();
}

ColumnTable simulation_table(const SimTable& table, Reader reader) {
  using R = SimRow;
  std::optional<std::size_t> previous;
  Columns c(table.rows, reader);
  c.shown([&](const R& r) {
     const bool repeats = previous == r.n;
     previous = r.n;
     return Shown{repeats ? "" : grouped(r.n)};
   })
      .count()
      .text("n");
  c.add("estimator", &R::estimator).text("estimator");
  c.add("norm", &R::norm).text("norm").shown([](const R& r) { return Shown{norm_of(r.norm)}; });
  c.add("bins", &R::bins);
  c.add("n", &R::n);
  c.add("replicates", &R::replicates);
  c.json("undefined", &R::undefined);
  c.json("reason", [](const R& r) { return words_or_nothing(r.reason); });
  c.add("mean", &R::mean).percent().text("mean, %").shown([](const R& r) { return percent_or_missing(r.mean); });
  c.add("bias", &R::bias).points().text("bias");
  c.add("se", &R::se).plain().text("± se").spare().shown([](const R& r) {
    return Shown{r.se ? fmt::format("{:.3f}", 100 * *r.se) : "", Ink::dim};
  });
  c.add("sd", &R::sd).percent().text("sd");
  c.add("rmse", &R::rmse).percent().text("rmse");
  c.json("mean_bins", &R::mean_bins).plain().text("bins").spare().shown([](const R& r) {
    return Shown{r.mean_bins ? fmt::format("{:.1f}", *r.mean_bins) : "", Ink::dim};
  });
  return c.take();
}

ColumnTable corrections_table(const std::vector<Correction>& rows, Reader reader) {
  using R = Correction;
  Columns c(rows, reader);
  c.add("estimator", &R::estimator).text("on this data, %");
  c.add("norm", &R::norm).text("norm").shown([](const R& r) { return Shown{norm_of(r.norm)}; });
  c.add("value", &R::observed).percent().text("measured").shown([](const R& r) {
    return percent_or_missing(r.observed);
  });
  c.add("mean", &R::mean).percent().text("if the fit is true").spare().shown([](const R& r) {
    return Shown{r.mean && r.sd ? percent(*r.mean) + " ± " + percent(*r.sd) : "", Ink::dim};
  });
  c.add("sd", &R::sd);
  c.add("bias", &R::bias).points().text("bias");
  c.add("rmse", &R::rmse).percent().text("rmse").spare();
  c.add("corrected", &R::corrected).percent().text("corrected").ink(Ink::bold);
  c.add("reason", [](const R& r) { return words_or_nothing(r.reason); });
  return c.take();
}

}  // namespace tare::detail::render
