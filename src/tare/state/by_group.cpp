#include "tare/state/by_group.hpp"

#include <cassert>
#include <type_traits>
#include <vector>

#include "tare/numeric/parallel.hpp"

namespace tare::detail::state {
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

// Groups that get rows: those that there are, and new ones.
struct ByGroup::Change {
  std::vector<Running*> known = {};
  Groups fresh = {};

  ~Change() {
    for (Running* state : known) state->discard();
  }
};

Result<void> ByGroup::add(const Predictions& predictions, int threads) {
  Change change;
  if (const auto done = prepare(predictions, threads, change); !done) return done;
  numeric::stop_if_asked();  // for the last time: what is committed is done
  for (Running* state : change.known) state->commit();
  for (auto& [name, state] : change.fresh) state.commit();
  groups_.merge(change.fresh);  // moves nodes: needs no memory
  return {};
}

Result<void> ByGroup::prepare(const Predictions& predictions, int threads, Change& change) {
  assert(predictions.groupings.size() == 1);
  const Grouping& grouping = predictions.groupings.front();
  const auto prepare_in = [&](const std::string& name, const Predictions& rows) -> Result<void> {
    if (const auto at = groups_.find(name); at != groups_.end()) {
      change.known.push_back(&at->second);
      return at->second.prepare(rows, threads);
    }
    RunningOptions options = options_;
    options.group = GroupOf{grouping.column, name};
    auto made = Running::make(options);
    if (!made) return made.error();
    return change.fresh.emplace(name, *std::move(made)).first->second.prepare(rows, threads);
  };
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
        const auto view = copied_view(predictions.kind, numbers, columns, labels, weights);
        if (!view) return view.error();
        part.matrix = *view;
        return prepare_in(grouping.names[g], part);
      }
      const auto hits = picked(predictions.confidences->label(), rows);
      const auto view = copied_view(numbers, hits, weights);
      if (!view) return view.error();
      part.confidences = *view;
      return prepare_in(grouping.names[g], part);
    };
    const Reals& values = predictions.matrix ? predictions.matrix->values() : predictions.confidences->score();
    if (const auto done = values.visit(added); !done) return done;
  }
  return {};
}

}  // namespace tare::detail::state
