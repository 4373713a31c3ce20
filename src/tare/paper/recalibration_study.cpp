// Calibrators fitted on the validation fold of networks and judged on the test fold. Guo et al. 2017, Table 1 and
// section S3. ECE, MCE and error in percent.
#include <algorithm>
#include <cmath>

#include "tare/core/names.hpp"
#include "tare/measure/spec.hpp"
#include "tare/paper/truths.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::paper {
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

}  // namespace tare::detail::paper
