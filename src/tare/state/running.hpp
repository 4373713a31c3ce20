// All that is kept of predictions of any number: cells for the question that is asked of them, or for each class, and
// exact totals of the log loss and the Brier score of the full matrix.
#pragma once

#include <optional>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/state/matrix_scores.hpp"
#include "tare/state/state.hpp"

namespace tare::inner::state {

inline constexpr std::size_t cells_of_a_class = std::size_t{1} << 12;  // classwise, where nobody says how many

struct RunningOptions {
  std::size_t classes = 0;                  // of every batch; 0: whatever the first has
  std::optional<Reduction> reduction = {};  // empty: what choose_reduction says of the first batch
  int bins = options::bins.usual;
  std::optional<std::size_t> cells = {};  // empty: the usual number, or cells_of_a_class
};

// What the rows were.
struct Source {
  std::uint64_t rows = 0;
  std::uint64_t classes = 0;                // 0: not known yet
  std::optional<Reduction> reduction = {};  // empty: not known yet
  bool operator==(const Source&) const = default;
};

class Running {
 public:
  static Result<Running> make(const RunningOptions& options);
  // The caller answers for it: parts of one shape, as many as classes if classwise.
  Running(const Source& source, std::vector<State> parts, const MatrixScores& scores)
      : source_(source), parts_(std::move(parts)), scores_(scores) {}

  // After an error nothing has changed. Where an exception ends it (no memory), classes may have been added to in part.
  [[nodiscard]] Result<void> add(const Predictions& predictions, int threads = 1);
  [[nodiscard]] Result<void> merge(const Running& other);

  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] const Shape& shape() const { return parts_.front().shape(); }
  [[nodiscard]] const std::vector<State>& parts() const { return parts_; }  // one, or one for each class
  [[nodiscard]] const MatrixScores& scores() const { return scores_; }
  bool operator==(const Running&) const = default;

 private:
  Source source_;
  std::vector<State> parts_;
  MatrixScores scores_;
};

}  // namespace tare::inner::state
