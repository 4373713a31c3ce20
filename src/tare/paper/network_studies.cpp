// Studies of the networks of the data folder.
#include <algorithm>
#include <cmath>

#include "tare/analysis/survey.hpp"
#include "tare/core/names.hpp"
#include "tare/core/options.hpp"
#include "tare/fit/run.hpp"
#include "tare/measure/spec.hpp"
#include "tare/paper/study.hpp"
#include "tare/reduce/reduce.hpp"
#include "tare/simulate/fit/fit_truth.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::paper {

// The bins of reliability diagrams, before and after calibrators. Guo et al. 2017, Figures 1 and 4.

namespace {

double value_of(const Survey& survey, std::string_view name) {
  for (const Measured& m : survey.measured)
    if (m.name == name && m.estimate) return 100 * m.estimate->value;
  return 0;
}

void add_bins(Frame& out, const Cells& labels, const Survey& survey) {
  for (const Measured& m : survey.measured) {
    if (m.name != "ece_ew" || !m.estimate) continue;
    for (const Bin& bin : m.estimate->per_bin)
      out.add(joined(labels, {{"part", "bin"},
                              {"estimator", m.name},
                              {"norm", 1.0},
                              {"bins", static_cast<double>(m.estimate->bins.value_or(0))},
                              {"n", static_cast<double>(survey.input.n)},
                              {"k", static_cast<double>(survey.input.k)},
                              {"value", 100 * m.estimate->value},
                              {"floor", m.floor ? Cell(100 * *m.floor) : Cell()},
                              {"floor_high", m.floor_high ? Cell(100 * *m.floor_high) : Cell()},
                              {"accuracy", value_of(survey, "accuracy")},
                              {"confidence", value_of(survey, "confidence")},
                              {"lower", bin.lower},
                              {"upper", bin.upper},
                              {"count", bin.count},
                              {"mean_score", bin.mean_score},
                              {"mean_label", bin.mean_label}}));
    out.add(joined(labels, {{"part", "summary"},
                            {"value", 100 * m.estimate->value},
                            {"accuracy", value_of(survey, "accuracy")},
                            {"confidence", value_of(survey, "confidence")},
                            {"gap", value_of(survey, "confidence") - value_of(survey, "accuracy")}}));
  }
}

}  // namespace

Result<Frame> bins_study(const Settings& settings, const Context& context) {
  const int bins = static_cast<int>(settings.number("bins", options::bins.usual));
  return over_recalibrations(settings, context, [&](const Recalibration& r, Frame& out) -> Result<bool> {
    const auto survey = analysis::survey(r.output, {.reduction = Reduction::top_label,
                                                    .bins = bins,
                                                    .norms = {1},
                                                    .estimators = {"ece_ew", "accuracy", "confidence"},
                                                    .verdict = false,
                                                    .seed = context.seed,
                                                    .threads = context.threads});
    if (!survey) return survey.error();
    add_bins(out, joined(r.network.labels, {{"method", r.method.name}, {"calibrator", r.method.method}}), *survey);
    return true;
  });
}

// Which calibrator would an estimator choose, and which the true error of a truth fitted to the recalibrated output?
// Roelofs et al. 2022, Table 1.

namespace {

struct Judged {
  std::string method;
  double tce = 0;
  std::vector<double> values;  // by estimator
};

Result<Judged> judge(const NamedMethod& method, const Predictions& validation, const Predictions& test,
                     const std::vector<NamedTask>& named, const simulate::FitTruthOptions& options,
                     const Context& context) {
  const auto output = recalibrated(method, validation, test, context, nullptr);
  if (!output) return output.error();
  const auto data = top_label(*output, context.threads);
  if (!data) return data.error();
  const measure::Sample sample(data->view(), context.threads);
  const auto fit = simulate::fit_truth(sample, options);
  if (!fit) return fit.error();
  const auto error = simulate::true_error(fit->truth, 2);
  if (!error) return error.error();
  Judged out{method.name, 100 * *error, {}};
  for (const NamedTask& task : named) {
    const auto value = task.task.estimator->run(sample, task.task.options);
    if (!value) return value.error();
    out.values.push_back(100 * value->value);
  }
  return out;
}

// The method with the least value; the first of equals.
template <class F>
std::string least(const std::vector<Judged>& all, const F& value) {
  const Judged* best = &all.front();
  for (const Judged& j : all)
    if (value(j) < value(*best)) best = &j;
  return best->method;
}

}  // namespace

Result<Frame> choice_study(const Settings& settings, const Context& context) {
  const auto all = networks(settings, context);
  const auto candidates = methods(settings);
  const auto named = tasks(settings);
  simulate::FitTruthOptions options;
  if (settings.text("saturated", "censor") == "shift") options.saturated = simulate::Saturated::shift;
  options.scores =
      settings.text("scores", "beta") == "beta" ? simulate::ScoreKind::beta : simulate::ScoreKind::empirical;
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (context.progress) context.progress("", i, all.size());
    const auto validation = fold_of(all[i], "val", context), test = fold_of(all[i], "test", context);
    if (!validation) return validation.error();
    if (!test) return test.error();
    std::vector<Judged> judged;
    for (const NamedMethod& method : candidates) {
      if (context.cancel && context.cancel->load()) return interrupted();
      auto j = judge(method, *validation, *test, named, options, context);
      if (!j) return j.error();
      Cells cells{{"part", "method"}, {"method", j->method}, {"tce", j->tce}};
      for (std::size_t t = 0; t < named.size(); ++t)
        cells.emplace_back(std::string(named[t].task.estimator->name), j->values[t]);
      out.add(joined(all[i].labels, cells));
      judged.push_back(*std::move(j));
    }
    const std::string truth = least(judged, [](const Judged& j) { return j.tce; });
    Cells cells{{"part", "choice"}, {"by_tce", truth}};
    for (std::size_t t = 0; t < named.size(); ++t) {
      const std::string name(named[t].task.estimator->name),
          choice = least(judged, [&](const Judged&j) { return j.values[t]; });
      cells.emplace_back("by_" + name, choice);
      cells.emplace_back("agrees_" + name, choice == truth ? 1.0 : 0.0);
    }
    out.add(joined(all[i].labels, cells));
  }
  return out;
}

// Beta distributions and calibration curves fitted to networks, each rule for saturated scores in turn.
// Roelofs et al. 2022, Tables 2 and 3.

namespace {

void add_fit(Frame& out, const Cells& labels, const simulate::FittedTruth& fit) {
  if (fit.scores) {
    const auto error = simulate::true_error(fit.truth, 2);
    out.add(joined(labels, {{"part", "scores"},
                            {"alpha", fit.scores->alpha},
                            {"alpha_error", fit.scores->alpha_error},
                            {"beta", fit.scores->beta},
                            {"beta_error", fit.scores->beta_error},
                            {"saturated", 100 * (fit.scores->high + fit.scores->low) / fit.scores->rows},
                            {"tce", error ? Cell(100 * *error) : Cell()},
                            {"status", std::string(detail::name(fit.scores->status))}}));
  }
  double rank = 0;
  for (const simulate::CurveFit& curve : fit.table) {
    Cells cells{{"part", "curve"},
                {"glm", curve.name},
                {"rank", ++rank},
                {"aic", curve.aic},
                {"parameters", static_cast<double>(curve.parameters)},
                {"status", std::string(detail::name(curve.status))}};
    for (std::size_t i = 0; i < curve.curve.coefficients.size() && i < 2; ++i)
      cells.emplace_back(i == 0 ? "b0" : "b1", curve.curve.coefficients[i]);
    out.add(joined(labels, cells));
  }
}

}  // namespace

Result<Frame> fits_study(const Settings& settings, const Context& context) {
  const auto all = networks(settings, context);
  const auto rules = settings.texts("saturated");
  const std::string split = settings.text("split", "test");
  for (const std::string& rule : rules)
    if (rule != "censor" && rule != "shift") settings.wrong("'saturated' must be censor or shift");
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (context.cancel && context.cancel->load()) return interrupted();
    if (context.progress) context.progress("", i, all.size());
    const auto fold = fold_of(all[i], split, context);
    if (!fold) return fold.error();
    const auto data = top_label(*fold, context.threads);
    if (!data) return data.error();
    const measure::Sample sample(data->view(), context.threads);
    for (const std::string& rule : rules) {
      const auto fit = simulate::fit_truth(
          sample, {.saturated = rule == "shift" ? simulate::Saturated::shift : simulate::Saturated::censor,
                   .scores = simulate::ScoreKind::beta});
      if (!fit) return fit.error();
      add_fit(out, joined(all[i].labels, {{"rule", rule}}), *fit);
    }
  }
  return out;
}

// Calibrators fitted on the validation fold of networks and judged on the test fold. Guo et al. 2017, Table 1 and
// section S3. ECE, MCE and error in percent.

namespace {

// Spread of the factors of vector scaling relative to their mean.
Cell spread(const Model& model) {
  const auto at = model.parameters.find("w");
  const auto* w = at == model.parameters.end() ? nullptr : std::get_if<std::vector<double>>(&at->second);
  if (!w || model.method != "vector" || w->size() < 2) return {};
  double mean = 0, squares = 0;
  for (const double x : *w) mean += x / static_cast<double>(w->size());
  for (const double x : *w) squares += (x - mean) * (x - mean) / static_cast<double>(w->size() - 1);
  return std::sqrt(squares) / mean;
}

void add_fit(Cells& cells, const NamedMethod& method, const Model& model) {
  if (method.method == "uncalibrated") return;
  cells.emplace_back("iterations", static_cast<double>(model.fit.iterations));
  cells.emplace_back("status", std::string(detail::name(model.fit.status)));
  if (const auto t = model.parameters.find("temperature"); t != model.parameters.end())
    if (const auto* value = std::get_if<double>(&t->second)) cells.emplace_back("temperature", *value);
  if (const Cell s = spread(model); s.index() == 1) cells.emplace_back("spread", s);
}

Result<Cells> judged(const Predictions& output, const Context& context) {
  const auto data = top_label(output, context.threads);
  if (!data) return data.error();
  const measure::Sample sample(data->view(), context.threads);
  Cells cells;
  for (const char* name : {"ece_ew", "mce_ew", "accuracy"}) {
    const auto value = measure::find(name)->run(sample, {.norm = 1});
    if (!value) return value.error();
    const std::string column = name == std::string("accuracy") ? "error"
                               : name == std::string("ece_ew") ? "ece"
                                                               : "mce";
    cells.emplace_back(column, column == "error" ? 100 * (1 - value->value) : 100 * value->value);
  }
  for (const char* name : {"nll", "brier"}) {
    const auto value = measure::find(name)->run_matrix(*output.matrix, {}, context.threads);
    if (value) cells.emplace_back(name, value->value);
    if (!value) cells.emplace_back(std::string(name) + "_reason", sentence(value.error()));
  }
  return cells;
}

}  // namespace

Result<Frame> recalibration_study(const Settings& settings, const Context& context) {
  return over_recalibrations(settings, context, [&](const Recalibration& r, Frame& out) -> Result<bool> {
    const auto numbers = judged(r.output, context);
    if (!numbers) return numbers.error();
    Cells cells = joined(
        {{"method", r.method.name}, {"calibrator", r.method.method}, {"k", static_cast<double>(r.test.k)}}, *numbers);
    add_fit(cells, r.method, r.model);
    out.add(joined(r.network.labels, cells));
    return true;
  });
}

// Seconds that fitting takes, one thread, the quickest of several. Guo et al. 2017, section 5, "computation time".

Result<Frame> timing_study(const Settings& settings, const Context& context) {
  const auto all = networks(settings, context);
  const auto candidates = methods(settings);
  for (const NamedMethod& m : candidates)
    if (m.method == "uncalibrated") settings.wrong("nothing is fitted by 'uncalibrated'");
  const std::size_t repeats = settings.count("repeats", 3);
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  std::size_t done = 0;
  for (const NamedNetwork& network : all) {
    const auto validation = fold_of(network, "val", context);
    if (!validation) return validation.error();
    for (const NamedMethod& method : candidates) {
      if (context.cancel && context.cancel->load()) return interrupted();
      if (context.progress) context.progress("", done++, all.size() * candidates.size());
      double seconds = 0, iterations = 0;
      for (std::size_t i = 0; i < repeats; ++i) {
        const auto model =
            fit::run(*fit::find(method.method), *validation, {.bins = method.bins, .step = method.step, .threads = 1});
        if (!model) return model.error();
        seconds = i == 0 ? model->fit.seconds : std::min(seconds, model->fit.seconds);
        iterations = model->fit.iterations;
      }
      out.add(joined(network.labels, {{"method", method.name},
                                      {"k", static_cast<double>(validation->k)},
                                      {"n", static_cast<double>(validation->n)},
                                      {"milliseconds", 1000 * seconds},
                                      {"iterations", iterations}}));
    }
  }
  return out;
}

}  // namespace tare::detail::paper
