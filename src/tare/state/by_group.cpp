#include "tare/state/by_group.hpp"

#include <cassert>
#include <type_traits>
#include <vector>

namespace tare::inner::state {
namespace {

template <class T>
std::vector<T> picked(std::span<const T> all, std::span<const std::size_t> rows, std::size_t columns = 1) {
  std::vector<T> out;
  if (all.empty()) return out;
  out.reserve(rows.size() * columns);
  for (const std::size_t i : rows)
    out.insert(out.end(), all.begin() + static_cast<std::ptrdiff_t>(i * columns),
               all.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
  return out;
}

}  // namespace

Result<void> ByGroup::add_to(const std::string& name, const Predictions& rows, int threads) {
  auto at = groups_.find(name);
  if (at == groups_.end()) {
    auto made = Running::make(options_);
    if (!made) return made.error();
    at = groups_.emplace(name, *std::move(made)).first;
  }
  return at->second.add(rows, threads);
}

Result<void> ByGroup::add(const Predictions& predictions, int threads) {
  assert(predictions.groupings.size() == 1);
  const Grouping& grouping = predictions.groupings.front();
  const RowsByGroup order = rows_by_group(grouping);
  for (std::size_t g = 0; g < grouping.names.size(); ++g) {
    const auto rows = std::span(order.row).subspan(order.start[g], order.start[g + 1] - order.start[g]);
    if (rows.empty()) continue;
    Predictions part;
    part.kind = predictions.kind;
    part.n = rows.size();
    part.k = predictions.k;
    const auto added = [&](const auto& values) -> Result<void> {
      using T = typename std::remove_cvref_t<decltype(values)>::element_type;
      const bool matrix = predictions.matrix.has_value();
      const std::size_t columns = matrix ? predictions.matrix->columns() : 1;
      const auto kept = picked<std::remove_const_t<T>>(values, rows, columns);
      const auto weights = picked(matrix ? predictions.matrix->weight() : predictions.confidences->weight(), rows);
      const std::span<const std::remove_const_t<T>> numbers(kept);
      if (matrix) {
        const auto labels = picked(predictions.matrix->label(), rows);
        const auto view =
            multiclass_view(predictions.kind, numbers, columns, labels, weights, row_sum_tolerance_float16);
        if (!view) return view.error();
        part.matrix = *view;
        return add_to(grouping.names[g], part, threads);
      }
      const auto hits = picked(predictions.confidences->label(), rows);
      const auto view = binary_view(numbers, hits, weights);
      if (!view) return view.error();
      part.confidences = *view;
      return add_to(grouping.names[g], part, threads);
    };
    const Reals& values = predictions.matrix ? predictions.matrix->values() : predictions.confidences->score();
    if (const auto done = values.visit(added); !done) return done;
  }
  return {};
}

}  // namespace tare::inner::state
