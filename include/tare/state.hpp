// A running state: rows are added batch by batch, states of several machines are merged, and it does not matter how the
// rows were split, ordered or merged: the state is the same, bit for bit, and so is every number.
//
// It keeps scores in cells, at most 65,536 of them unless told otherwise. With no more different scores than cells the
// numbers are those of the rows, to the bit. With more, every score is known to within its cell, no cell reaches over
// the edge of a bin, and a note says how wide cells are. Log loss and Brier score of more than two classes are kept as
// exact totals, where the rows had all classes.
//
// Unstable: what a state keeps may grow, and its saved form with it.
//
//     auto total = tare::State::make({.classes = 10}).value();
//     if (const auto done = total.add(*batch); !done) return fail(done.error());  // the state is as it was
//     std::cout << total.measure().value().verdict.sentence << '\n';
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tare/measurement.hpp>
#include <tare/predictions.hpp>
#include <tare/tests.hpp>

namespace tare {
inline namespace v0_3 {

struct StateOptions {
  std::size_t classes = 0;                  // of every batch; 0: whatever the first has
  std::optional<Reduction> reduction = {};  // empty: the rule of Reduction
  int bins = 15;                            // of equal width, whose edges no cell crosses
  std::optional<std::size_t> cells = {};  // 256 to 4,194,304, and two for each bin; empty: 65,536; classwise 4,096 each
};

// Moves only. One caller at a time for add and merge.
class TARE_EXPORT State {
 public:
  [[nodiscard]] static Result<State> make(const StateOptions& options = {});
  State(State&&) noexcept = default;
  State& operator=(State&&) noexcept = default;

  // After an error, `cancelled` and `out_of_memory` too, the state is as it was. A wish to stop that comes after the
  // rows were counted comes too late: the call then succeeds.
  [[nodiscard]] Result<void> add(const Predictions& predictions, const Run& run = {});
  [[nodiscard]] Result<void> merge(const State& other);

  [[nodiscard]] std::size_t rows() const noexcept;
  [[nodiscard]] bool operator==(const State& other) const;

  // A hit and a miss with their weights for each cell: everything that takes predictions takes them, but what needs the
  // rows themselves (folds of `compare`). Reduced already. An error while there are no rows.
  [[nodiscard]] Result<Predictions> predictions() const;

  // Those of predictions().
  [[nodiscard]] Result<Measurement> measure(const MeasureOptions& options = {}, const Run& run = {}) const;
  [[nodiscard]] Result<TestReport> test(const TestOptions& options = {}, const Run& run = {}) const;

  [[nodiscard]] Result<std::string> save() const;  // bytes that load reads, on any machine
  [[nodiscard]] static Result<State> load(std::string_view bytes);

 private:
  explicit State(support::Handle body) : body_(std::move(body)) {}
  support::Handle body_;
};

}  // namespace v0_3
}  // namespace tare
