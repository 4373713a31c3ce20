#include "tare/analysis/compare_plan.hpp"

#include <algorithm>
#include <utility>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/core/call_options.hpp"
#include "tare/core/errors.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/numeric/order/row_order.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

std::vector<measure::Choice> usual_columns(int bins) {
  std::vector<measure::Choice> out;
  for (const measure::Estimator& estimator : measure::all())
    if (estimator.roles.compared > 0) out.push_back({&estimator, {.bins = bins, .norm = usual_norm(estimator)}});
  std::sort(out.begin(), out.end(), [](const measure::Choice& a, const measure::Choice& b) {
    return a.estimator->roles.compared < b.estimator->roles.compared;
  });
  return out;
}

Result<std::vector<measure::Choice>> columns_of(const CompareOptions& options) {
  if (options.estimators.empty()) return usual_columns(options.bins);
  std::vector<measure::Choice> out;
  for (const std::string& text : options.estimators) {
    const std::size_t colon = text.find(':');
    const auto* estimator = measure::find(text.substr(0, colon));
    if (!estimator) return measure::unknown_estimator(text.substr(0, colon));
    measure::Options o{.bins = options.bins, .norm = has_norm(*estimator, 1) ? 1 : 2};
    if (colon != std::string::npos) {
      const std::string norm = text.substr(colon + 1);
      if ((norm != "1" && norm != "2") || !has_norm(*estimator, norm == "1" ? 1 : 2))
        return bad_option("estimator '" + foreign(text) + "' does not exist", "write NAME, NAME:1 or NAME:2");
      o.norm = norm == "1" ? 1 : 2;
    }
    out.push_back({estimator, o});
  }
  return out;
}

const CriterionInfo* chooser(const CompareOptions& options) {
  const CriterionInfo* found = find_criterion(options.criterion);
  return found && found->chooses ? found : nullptr;
}

std::vector<const fit::Calibrator*> methods_of(const CompareOptions& options) {
  std::vector<const fit::Calibrator*> out;
  for (const auto& calibrator : fit::all())
    if (options.methods.empty() ||
        std::find(options.methods.begin(), options.methods.end(), calibrator.name) != options.methods.end())
      out.push_back(&calibrator);
  return out;
}

// Kind and columns: what two folds of one model share.
std::pair<Kind, std::size_t> shape_of(const Predictions& p) {
  return p.matrix ? std::pair(p.matrix->kind(), p.matrix->columns()) : std::pair(Kind::confidences, std::size_t{1});
}

// The rows in the order of their content: folds, resamples and fits then cannot depend on the order in which they came.
std::shared_ptr<const infer::RowsOf> in_order(const MulticlassView& view, int threads) {
  return std::make_shared<const infer::RowsOf>(
      view, numeric::row_order({view.values(), view.columns(), view.label(), view.weight()}, 0, threads));
}

std::shared_ptr<const infer::RowsOf> rows_of(const Predictions& p, int threads) {
  if (p.matrix) return in_order(*p.matrix, threads);
  const auto hits = p.confidences->label();
  return in_order(two_class_view(*p.confidences, std::vector<std::int32_t>(hits.begin(), hits.end())), threads);
}

// Groups of rows that have been put into another order.
std::vector<Grouping> reordered(const std::vector<Grouping>& groupings, const std::vector<std::size_t>& rows) {
  std::vector<Grouping> out = groupings;
  for (std::size_t g = 0; g < out.size(); ++g)
    for (std::size_t i = 0; i < rows.size(); ++i) out[g].of_row[i] = groupings[g].of_row[rows[i]];
  return out;
}

}  // namespace

Result<void> checked(const CompareOptions& options) {
  if (!chooser(options))
    return bad_option("criterion", "'" + options.criterion + "'", "not brier or nll",
                      "a winner is chosen by a proper score; an ECE can be lowered by throwing information away");
  for (const std::string& name : options.methods)
    if (!fit::find(name)) return fit::unknown_method(name);
  return check(detail::compare_options, options);
}

Result<ComparePlan> compare_plan(const Predictions& validation, const Predictions* test,
                                 const CompareOptions& options) {
  if (const auto fine = checked(options); !fine) return fine.error();
  for (const Predictions* one : {&validation, test})
    if (one != nullptr && one->summed)
      return Error{.code = Errc::unsupported,
                   .what = "a state has no rows to fit on and to judge by",
                   .place = {.array = one->source},
                   .remedy = "pass the rows, or a sample of them"};
  auto columns = columns_of(options);
  if (!columns) return columns.error();
  if (test && (shape_of(*test) != shape_of(validation)))
    return bad_input(
        foreign(validation.source) + " and " + foreign(test->source) + " differ in kind or number of classes",
        "both folds must come from the same model");
  if (validation.n < static_cast<std::size_t>(options.folds))
    return bad_input(foreign(validation.source) + " has " + std::to_string(validation.n) + " rows, fewer than " +
                         std::to_string(options.folds) + " folds",
                     "pass fewer `folds`");
  const auto reduction = choose_reduction(validation, options.reduction);
  if (!reduction) return reduction.error();
  if (*reduction == Reduction::classwise)
    return failure(Errc::unsupported, "compare works on top_label or positive, not classwise",
                   "measure the output of `tare apply` classwise");
  const auto fitted = rows_of(validation, options.threads), judged = test ? rows_of(*test, options.threads) : fitted;
  const auto fitted_view = fitted->checked_view(), judged_view = judged->checked_view();
  if (!fitted_view) return fitted_view.error();
  if (!judged_view) return judged_view.error();
  return ComparePlan{.rows = {fitted, judged},
                     .validation = *fitted_view,
                     .judged = *judged_view,
                     .reduction = *reduction,
                     .criterion = chooser(options)->criterion,
                     .groupings = reordered((test ? *test : validation).groupings, judged->rows()),
                     .hits = !validation.matrix,
                     .columns = *std::move(columns),
                     .methods = methods_of(options)};
}

}  // namespace tare::detail::analysis
