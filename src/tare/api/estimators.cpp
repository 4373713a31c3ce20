#include <tare/estimators.hpp>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/api/api.hpp"
#include "tare/measure/spec.hpp"

namespace tare {
inline namespace v0_3 {

namespace api = detail::api;

std::span<const Estimator> estimators() noexcept {
  // Never freed: its texts live as long as the program.
  static const auto* const table = [] {
    auto* out = new std::vector<Estimator>;
    for (const detail::measure::Estimator& row : detail::measure::all())
      out->push_back(
          {.name = row.name,
           .title = row.title,
           .summary = row.summary,
           .citation = row.citation,
           .estimand = row.estimand,
           .interval = row.interval.method == detail::IntervalMethod::none ? std::string_view() : row.interval.words,
           .norms = row.norms,
           .uses_bins = row.uses_bins,
           .is_error = row.is_error,
           .is_fraction = row.unit == detail::Unit::fraction});
    return out;
  }();
  return *table;
}

Result<Estimate> estimate(const Predictions& predictions, const Choice& choice, const Run& run) {
  return api::guarded(run, [&](const api::Going& going) -> Result<Estimate> {
    const auto& rows = detail::Access::rows(predictions);
    if (!rows.labelled) return api::unlabelled();
    const detail::measure::Estimator* row = detail::measure::find(choice.estimator);
    if (row == nullptr) return detail::measure::unknown_estimator(choice.estimator);
    const auto made = detail::analysis::estimate(rows.predictions, *row,
                                                 {.reduction = choice.reduction,
                                                  .bins = choice.bins,
                                                  .norm = choice.norm == 0 ? detail::usual_norm(*row) : choice.norm,
                                                  .threads = going.threads});
    if (!made) return made.error();
    return Estimate{.value = made->value, .se = made->se, .squared = made->squared, .bins = made->per_bin};
  });
}

}  // namespace v0_3
}  // namespace tare
