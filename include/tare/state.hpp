// A running total: rows are added batch by batch, totals of several machines are merged, and the answer has the bits of
// one pass over all rows, in any order.
//
// Unstable: what a state can measure will grow, and its saved form with it.
//
//     auto total = tare::State::make({.classes = 10}).value();
//     if (const auto done = total.add(*batch); !done) return fail(done.error());  // the total is as it was
//     std::cout << total.measure({.estimators = {"ece_ew"}}).value().headline().value << '\n';
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tare/measurement.hpp>
#include <tare/predictions.hpp>

namespace tare {
inline namespace v0_2 {

struct StateOptions {
  std::size_t classes = 0;                  // of every batch; 0: whatever the first has
  std::optional<Reduction> reduction = {};  // top_label or positive; empty: the rule of Reduction
  int bins = 15;                            // of equal width
};

// Moves only. One caller at a time for add and merge.
class TARE_EXPORT State {
 public:
  [[nodiscard]] static Result<State> make(const StateOptions& options = {});
  State(State&&) noexcept = default;
  State& operator=(State&&) noexcept = default;

  // After an error the total is as it was.
  [[nodiscard]] Result<void> add(const Predictions& predictions, const Run& run = {});
  [[nodiscard]] Result<void> merge(const State& other);

  [[nodiscard]] std::size_t rows() const noexcept;

  // The estimators that equal-width bins decide (ece_ew, debias_ew, mce_ew) and the means (accuracy, confidence);
  // others come back with their reason. No noise, no verdict: those need the scores themselves.
  [[nodiscard]] Result<Measurement> measure(const MeasureOptions& options = {}) const;

  [[nodiscard]] Result<std::string> save() const;  // bytes that load reads, on any machine
  [[nodiscard]] static Result<State> load(std::string_view bytes);

 private:
  explicit State(detail::Handle body) : body_(std::move(body)) {}
  detail::Handle body_;
};

}  // namespace v0_2
}  // namespace tare
