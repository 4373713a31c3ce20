#include <tare/estimators.hpp>

#include "tare/answer/estimate.hpp"
#include "tare/door/door.hpp"
#include "tare/measure/spec.hpp"

namespace tare {
inline namespace v0_3 {

namespace door = inner::door;

std::span<const Estimator> estimators() noexcept {
  // Never freed: its texts live as long as the program.
  static const auto* const table = [] {
    auto* out = new std::vector<Estimator>;
    for (const inner::measure::Estimator& row : inner::measure::all())
      out->push_back(
          {.name = row.name,
           .title = row.title,
           .summary = row.summary,
           .citation = row.citation,
           .estimand = row.estimand,
           .interval = row.interval.method == inner::IntervalMethod::none ? std::string_view() : row.interval.words,
           .norms = row.norms,
           .uses_bins = row.uses_bins,
           .is_error = row.is_error,
           .is_fraction = row.unit == inner::Unit::fraction});
    return out;
  }();
  return *table;
}

Result<Estimate> estimate(const Predictions& predictions, const Choice& choice, const Run& run) {
  return door::guarded(run, [&](const door::Going& going) -> Result<Estimate> {
    const auto& rows = inner::Door::rows(predictions);
    if (!rows.labelled) return door::unlabelled();
    const inner::measure::Estimator* row = inner::measure::find(choice.estimator);
    if (row == nullptr) return inner::measure::unknown_estimator(choice.estimator);
    const auto made = inner::answer::estimate(rows.predictions, *row,
                                              {.reduction = choice.reduction,
                                               .bins = choice.bins,
                                               .norm = choice.norm == 0 ? inner::usual_norm(*row) : choice.norm,
                                               .threads = going.threads});
    if (!made) return made.error();
    return Estimate{.value = made->value, .se = made->se, .squared = made->squared, .bins = made->per_bin};
  });
}

}  // namespace v0_3
}  // namespace tare
