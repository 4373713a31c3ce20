#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/json/json_parts.hpp"
#include "tare/render/table/tables.hpp"

namespace tare::detail::render {
namespace {

const Difference* against_first(const ModelLine& line, Criterion criterion) {
  for (const Difference& d : line.differences)
    if (d.criterion == criterion) return &d;
  return nullptr;
}

std::string outcome_words(Outcome outcome) {
  std::string out(name(outcome));
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

// Names without what they have in common: the folder, and the ending with the half of the file.
std::vector<std::string> short_names(const ModelTable& models) {
  std::vector<std::string> out;
  for (const ModelLine& line : models.models) out.push_back(line.test.input.source);
  const auto common = [&](const auto& part) {
    const std::string first = part(out.front());
    const bool all = std::all_of(out.begin(), out.end(), [&](const std::string& s) { return part(s) == first; });
    return all ? first.size() : 0;
  };
  const std::size_t folder = common([](const std::string& s) { return s.substr(0, s.find_last_of('/') + 1); });
  const std::size_t ending =
      common([](const std::string& s) { return s.substr(std::min(s.find_last_of('.'), s.size())); });
  for (std::string& s : out)
    if (s.size() > folder + ending) s = s.substr(folder, s.size() - folder - ending);
  return out;
}

Json mean_json(const ModelLine& line) {
  const ErrorRange& mean = line.test.verdict.mean;
  return {{"name", mean.estimator},
          {"value", or_null(mean.value)},
          {"low", or_null(mean.low)},
          {"high", or_null(mean.high)}};
}

}  // namespace

ColumnTable models_table(const ModelTable& models, Reader reader) {
  using L = ModelLine;
  const InputInfo& first = models.models.front().test.input;
  const bool top = first.reduction == Reduction::top_label;
  const bool with_rows = std::any_of(models.models.begin(), models.models.end(),
                                     [&](const L& line) { return line.test.input.n != first.n; });
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
  c.json("mean_gap", mean_json);
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
