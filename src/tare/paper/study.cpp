// The table of kinds. To add one: write its function and its test, then its line here.
#include "tare/paper/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tare/fit/run.hpp"
#include "tare/read/dataset.hpp"
#include "tare/simulate/draw/sampler.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::paper {
namespace {

// a column times a number plus a number, or the number inside a name: resnet110 has 110 layers
Cell derived(const Frame& frame, std::size_t row, const Settings& s) {
  if (s.has("digits_of")) {
    std::string digits;
    for (const char c : text_of(frame.at(row, s.text("digits_of"))))
      if (c >= '0' && c <= '9') digits += c;
    return digits.empty() ? Cell() : Cell(std::stod(digits.substr(0, 9)));
  }
  const double* x = frame.number(row, s.text("from"));
  return x ? Cell(*x * s.number("times", 1) + s.number("plus", 0)) : Cell();
}

// Members that are not settings become columns.
constexpr std::array<std::string_view, 7> truth_keys{"models",   "scores", "curve", "perfect",
                                                     "strength", "round",  "for"};

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
  const Cells labels = cells_of(s, truth_keys);
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

std::span<const StudyKind> kinds() {
  static constexpr std::array rows{
      StudyKind{"bias", "estimators on samples of known truth: mean, bias, spread by truth, n and bins", bias_study},
      StudyKind{"distribution", "the values of one estimator over many samples, and one of the samples",
                distribution_study},
      StudyKind{"detection", "how often a test at a given level misses a given true error", detection_study},
      StudyKind{"curves", "densities of scores and calibration curves of known truths", curves_study},
      StudyKind{"fits", "Beta distributions and calibration curves fitted to networks", fits_study},
      StudyKind{"choice", "which calibrator an estimator would choose, and which the fitted truth", choice_study},
      StudyKind{"recalibration", "calibrators on networks: ECE, MCE, NLL, error", recalibration_study},
      StudyKind{"bins", "reliability diagrams and confidence histograms of networks", bins_study},
      StudyKind{"records", "training runs that were recorded", records_study},
      StudyKind{"timing", "seconds that fitting a calibrator takes", timing_study},
  };
  return rows;
}

const StudyKind* find_kind(std::string_view name) {
  const auto all = kinds();
  const auto at = std::ranges::find(all, name, &StudyKind::name);
  return at == all.end() ? nullptr : &*at;
}

// Numbers that were recorded while networks were trained: a table of the data folder, with columns computed from it.
// Guo et al. 2017, Figures 2 and 3.

Result<Frame> records_study(const Settings& settings, const Context& context) {
  const std::string path = (std::filesystem::path(context.data) / settings.text("file")).string();
  const auto extra = settings.list("columns");
  const auto where = Where::parse(settings.text("where", ""));
  if (!where) settings.wrong(sentence(where.error()));
  if (!settings.problem().empty()) return settings.error();
  const auto text = read_file(path);
  if (!text)
    return Error{.code = Errc::io,
                 .what = "cannot read " + foreign(path),
                 .remedy = "set TARE_DATA to the folder that holds it"};
  const auto all = Frame::from_csv(*text, path);
  if (!all) return all.error();
  Frame out;
  for (const std::size_t r : where->rows(*all)) {
    Cells cells;
    for (const std::string& column : all->columns()) cells.emplace_back(column, all->at(r, column));
    for (const Settings& s : extra) cells.emplace_back(s.text("name"), derived(*all, r, s));
    out.add(cells);
  }
  if (!settings.problem().empty()) return settings.error();
  return out;
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
    NamedTask named{cells_of(s, keys), {row, {}}, s.text("part", "")};
    named.task.options.norm = static_cast<int>(s.number("norm", settings.number("norm", 2)));
    named.task.options.rooted = s.flag("rooted", true);
    named.task.options.max_bins = static_cast<int>(s.number("max_bins", 0));
    if (std::ranges::none_of(named.labels, [](const auto& l) { return l.first == "estimator_label"; }))
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

// Networks of the data folder, and calibrators fitted to them.

std::vector<NamedNetwork> networks(const Settings& settings, const Context& context) {
  std::vector<NamedNetwork> out;
  for (const Settings& s : settings.list("networks")) {
    const std::string name = s.text("network");
    out.push_back({cells_of(s), (std::filesystem::path(context.data) / (name + ".npz")).string()});
  }
  if (out.empty()) settings.wrong("'networks' must name at least one network");
  return out;
}

Result<Predictions> fold_of(const NamedNetwork& network, const std::string& split, const Context& context) {
  return read::all_rows({.files = {network.file}, .split = split}, context.threads);
}

std::vector<NamedMethod> methods(const Settings& settings) {
  std::vector<NamedMethod> out;
  const Value* list = settings.value().find("methods");
  const auto* entries = list ? std::get_if<std::vector<Value>>(&list->is) : nullptr;
  if (!entries || entries->empty()) settings.wrong("'methods' must be a list of names or objects");
  for (std::size_t i = 0; entries && i < entries->size(); ++i) {
    NamedMethod m;
    if (const auto* name = std::get_if<std::string>(&(*entries)[i].is)) {
      m.name = m.method = *name;
    } else {
      const Settings s((*entries)[i], settings.place() + ".methods");
      m.method = s.text("method");
      m.name = s.text("name", m.method);
      m.bins = static_cast<int>(s.number("bins", options::bins.usual));
      const std::string binning = s.text("binning", "width");
      if (binning != "width" && binning != "mass") s.wrong("'binning' is width or mass");
      m.binning = binning == "mass" ? numeric::Binning::mass : numeric::Binning::width;
      m.step = s.flag("step");
      if (!s.problem().empty()) settings.wrong(s.problem());
    }
    if (m.method != "uncalibrated" && !fit::find(m.method)) settings.wrong(sentence(fit::unknown_method(m.method)));
    out.push_back(std::move(m));
  }
  return out;
}

Result<Predictions> recalibrated(const NamedMethod& method, const Predictions& validation, const Predictions& test,
                                 const Context& context, Model* model) {
  if (method.method == "uncalibrated") return test;
  const fit::Calibrator* row = fit::find(method.method);
  auto fitted =
      fit::run(*row, validation,
               {.bins = method.bins, .binning = method.binning, .step = method.step, .threads = context.threads});
  if (!fitted) return fitted.error();
  const auto map = fit::map_for(*fitted, test);
  if (!map) return map.error();
  const MulticlassView& in = *test.matrix;
  auto probs = std::make_shared<std::vector<double>>(in.size() * in.columns());
  fit::apply_rows(**map, in.values(), in.columns(), 0, *probs, context.threads);
  const auto view =
      multiclass_view(Kind::probs, std::span<const double>(*probs), in.columns(), in.label(), in.weight());
  if (!view) return view.error();
  Predictions out{.kind = Kind::probs,
                  .n = test.n,
                  .k = test.k,
                  .matrix = *view,
                  .confidences = {},
                  .source = test.source,
                  .class_names = test.class_names,
                  .owners = test.owners};
  out.owners.push_back(probs);
  if (model) *model = *std::move(fitted);
  return out;
}

Result<Frame> over_recalibrations(const Settings& settings, const Context& context, const AddRecalibration& add) {
  const auto all = networks(settings, context);
  const auto candidates = methods(settings);
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto validation = fold_of(all[i], "val", context), test = fold_of(all[i], "test", context);
    if (!validation) return validation.error();
    if (!test) return test.error();
    for (std::size_t m = 0; m < candidates.size(); ++m) {
      if (context.cancel && context.cancel->load()) return interrupted();
      if (context.progress) context.progress("", i * candidates.size() + m, all.size() * candidates.size());
      Model model;
      const auto output = recalibrated(candidates[m], *validation, *test, context, &model);
      if (!output) return output.error();
      const auto added = add({all[i], candidates[m], *test, *output, model}, out);
      if (!added) return added.error();
    }
  }
  return out;
}

}  // namespace tare::detail::paper
