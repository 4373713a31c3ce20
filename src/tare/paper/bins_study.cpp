// The bins of reliability diagrams, before and after calibrators. Guo et al. 2017, Figures 1 and 4.
#include "tare/analysis/survey.hpp"
#include "tare/core/options.hpp"
#include "tare/paper/truths.hpp"

namespace tare::detail::paper {
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

}  // namespace tare::detail::paper
