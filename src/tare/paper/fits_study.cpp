// Beta distributions and calibration curves fitted to networks, each rule for saturated scores in turn.
// Roelofs et al. 2022, Tables 2 and 3.
#include "tare/core/names.hpp"
#include "tare/paper/truths.hpp"
#include "tare/reduce/reduce.hpp"
#include "tare/simulate/fit/fit_truth.hpp"
#include "tare/simulate/tce.hpp"

namespace tare::detail::paper {
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

}  // namespace tare::detail::paper
