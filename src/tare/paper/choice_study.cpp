// Which calibrator would an estimator choose, and which the true error of a truth fitted to the recalibrated output?
// Roelofs et al. 2022, Table 1.
#include "tare/paper/truths.hpp"
#include "tare/reduce/reduce.hpp"
#include "tare/simulate/fit/fit_truth.hpp"
#include "tare/simulate/tce.hpp"

namespace tare::detail::paper {
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

}  // namespace tare::detail::paper
