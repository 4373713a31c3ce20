#include "tare/paper/truths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tare/simulate/curves.hpp"
#include "tare/simulate/draw/quantile.hpp"
#include "tare/simulate/models.hpp"
#include "tare/simulate/tce.hpp"

namespace tare::detail::paper {
namespace {

constexpr std::array<std::string_view, 7> truth_keys{"models",   "scores", "curve", "perfect",
                                                     "strength", "round",  "for"};

// Members that are not settings become columns.
template <class Keys>
Cells labels_of(const Settings& settings, const Keys& keys) {
  Cells out;
  if (const auto* members = std::get_if<std::vector<Member>>(&settings.value().is))
    for (const Member& m : *members) {
      if (std::find(std::begin(keys), std::end(keys), m.key) != std::end(keys)) continue;
      if (const auto* x = std::get_if<double>(&m.value.is)) out.emplace_back(m.key, *x);
      if (const auto* s = std::get_if<std::string>(&m.value.is)) out.emplace_back(m.key, *s);
    }
  return out;
}

simulate::Scores scores_of(const Settings& settings) {
  const std::string text = settings.text("scores");
  if (text == "uniform") return {.kind = simulate::ScoreKind::uniform};
  double a = 0, b = 0;
  if (std::sscanf(text.c_str(), "beta:%lf,%lf", &a, &b) == 2 && a > 0 && b > 0)
    return {.kind = simulate::ScoreKind::beta, .alpha = a, .beta = b};
  settings.wrong("'scores' must be uniform or beta:a,b, and is '" + text + "'");
  return {};
}

// Scores on a grid: quantiles of the distribution, rounded, then resampled.
simulate::Scores rounded(const simulate::Scores& scores, double grid) {
  constexpr int points = 20000;
  const simulate::Quantile quantile(scores);
  simulate::Scores out{.kind = simulate::ScoreKind::empirical};
  for (int i = 0; i < points; ++i) {
    const double below = (i + 0.5) / points;
    const double c = std::clamp(std::round(quantile.at(1 - below, below).c / grid) * grid, 0.0, 1.0);
    out.values.push_back({c, 1 - c});
  }
  return out;
}

simulate::Curve curve_of(const Settings& settings, const std::string& text) {
  auto curve = simulate::parse_curve(text);
  if (curve) return *std::move(curve);
  settings.wrong(sentence(curve.error()));
  return simulate::identity();
}

// Before shrinking and rounding.
std::vector<NamedTruth> plain_truths(const Settings& s) {
  std::vector<NamedTruth> out;
  const Cells labels = labels_of(s, truth_keys);
  for (const std::string& name : s.texts("models")) {
    auto truth = simulate::model(name, s.flag("perfect"));
    if (!truth) {
      s.wrong(sentence(truth.error()));
      return {};
    }
    out.push_back({joined({{"model", name}}, labels), *std::move(truth)});
    if (s.has("curve")) out.back().truth.curve = curve_of(s, s.text("curve"));  // the network's scores, another curve
  }
  if (s.has("models")) return out;
  const simulate::Scores scores = scores_of(s);
  const std::string curve = s.flag("perfect") ? "identity" : s.text("curve");
  const std::size_t at = curve.find("{}");
  if (at == std::string::npos) {
    out.push_back({labels, {.name = {}, .scores = scores, .curve = curve_of(s, curve)}});
    return out;
  }
  for (const double x : s.numbers("for")) {
    const std::string with = curve.substr(0, at) + fmt::format("{}", x) + curve.substr(at + 2);
    out.push_back({joined(labels, {{"d", x}}), {.name = {}, .scores = scores, .curve = curve_of(s, with)}});
  }
  return out;
}

}  // namespace

Cells joined(Cells a, const Cells& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<NamedTruth> truths(const Settings& settings, std::string_view key) {
  std::vector<NamedTruth> out;
  for (const Settings& s : settings.list(key)) {
    const auto strengths = s.has("strength") ? s.numbers("strength") : std::vector<double>{1};
    for (const double strength : strengths)
      for (NamedTruth named : plain_truths(s)) {
        if (s.has("round")) named.truth.scores = rounded(named.truth.scores, s.number("round"));
        named.truth.curve.strength = strength;
        if (s.has("strength")) named.labels.emplace_back("strength", strength);
        for (const int norm : {1, 2}) {
          const auto error = simulate::true_error(named.truth, norm);
          if (!error) s.wrong(sentence(error.error()));
          if (error) (norm == 1 ? named.error.norm1 : named.error.norm2) = *error;
        }
        out.push_back(std::move(named));
      }
  }
  if (out.empty()) settings.wrong(fmt::format("'{}' must name at least one truth", key));
  return out;
}

std::vector<NamedTask> tasks(const Settings& settings) {
  constexpr std::array<std::string_view, 6> keys{"estimator", "rooted", "bins", "norm", "part", "max_bins"};
  std::vector<NamedTask> out;
  const auto bins = settings.has("bins") ? settings.numbers("bins") : std::vector<double>{options::bins.usual};
  const Value* list = settings.value().find("estimators");
  const auto* entries = list ? std::get_if<std::vector<Value>>(&list->is) : nullptr;
  if (!entries || entries->empty()) settings.wrong("'estimators' must be a list of names or objects");
  for (std::size_t i = 0; entries && i < entries->size(); ++i) {
    Value object = (*entries)[i];
    if (const auto* name = std::get_if<std::string>(&object.is))
      object = Value{std::vector<Member>{{"estimator", Value{*name}}}};
    const Settings s(object, fmt::format("{}.estimators[{}]", settings.place(), i));
    const std::string name = s.text("estimator");
    const measure::Estimator* row = measure::find(name);
    const auto own = s.has("bins") ? s.numbers("bins") : bins;
    NamedTask named{labels_of(s, keys), {row, {}}, s.text("part", "")};
    named.task.options.norm = static_cast<int>(s.number("norm", settings.number("norm", 2)));
    named.task.options.rooted = s.flag("rooted", true);
    named.task.options.max_bins = static_cast<int>(s.number("max_bins", 0));
    if (std::none_of(named.labels.begin(), named.labels.end(),
                     [](const auto& l) { return l.first == "estimator_label"; }))
      named.labels.emplace_back("label", named.task.options.rooted ? name : name + "_unrooted");
    if (!s.problem().empty()) settings.wrong(s.problem());
    if (!row) {
      settings.wrong(sentence(measure::unknown_estimator(name)));
      return out;
    }
    for (const double b : row->uses_bins ? own : std::vector<double>{options::bins.usual}) {
      named.task.options.bins = static_cast<int>(b);
      out.push_back(named);
      out.back().labels.emplace_back("estimator", name);
      if (row->uses_bins) out.back().labels.emplace_back("bins", b);
    }
  }
  return out;
}

std::vector<measure::Choice> plain(const std::vector<NamedTask>& named) {
  std::vector<measure::Choice> out;
  for (const NamedTask& t : named) out.push_back(t.task);
  return out;
}

std::vector<std::size_t> sizes(const Settings& settings) {
  std::vector<std::size_t> out;
  for (const double n : settings.numbers("sizes")) {
    if (!(n >= 1 && n <= 1e8)) settings.wrong("'sizes' must be from 1 to 1e8");
    out.push_back(static_cast<std::size_t>(n >= 1 && n <= 1e8 ? n : 1));
  }
  return out;
}

}  // namespace tare::detail::paper
