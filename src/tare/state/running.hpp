// All that is kept of predictions of any number: cells for the question that is asked of them, or for each class, and
// exact totals of the log loss and the Brier score of the full matrix.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/core/results.hpp"
#include "tare/core/views.hpp"
#include "tare/state/cells.hpp"
#include "tare/state/state.hpp"

namespace tare::detail::state {

// Log loss and Brier score of the full matrix as totals of whole numbers: no split and no order of the rows changes a
// bit of them.

using u256 = boost::multiprecision::uint256_t;

struct MatrixScores {
  // Sums of losses and of their squares, in units of bound * 2^-62 and bound^2 * 2^-62, times mass.
  struct Loss {
    u256 sum = 0, squares = 0;
    bool operator==(const Loss&) const = default;
  };
  u128 mass = 0;      // of all rows, in units of 2^-fine_bits
  u128 infinite = 0;  // of rows whose label has probability 0: in no sum of the log loss
  Loss log = {}, square = {};

  void add(const MulticlassView& rows, int threads);
  void merge(const MatrixScores& other);
  // Can rows have these sums? What a file says is not believed.
  [[nodiscard]] bool can_be() const;
  [[nodiscard]] Result<Estimate> nll() const;
  [[nodiscard]] Result<Estimate> brier() const;
  bool operator==(const MatrixScores&) const = default;
};

inline constexpr std::size_t cells_of_a_class = std::size_t{1} << 12;  // classwise, where nobody says how many

// The group that all rows of a state belong to.
struct GroupOf {
  std::string column = {}, name = {};
  bool operator==(const GroupOf&) const = default;
};

struct RunningOptions {
  std::size_t classes = 0;                  // of every batch; 0: whatever the first has
  std::optional<Reduction> reduction = {};  // empty: what choose_reduction says of the first batch
  int bins = options::bins.usual;
  std::optional<std::size_t> cells = {};  // empty: the usual number, or cells_of_a_class
  std::optional<GroupOf> group = {};
};

inline constexpr std::size_t most_classes = std::size_t{1} << 31;   // as many as labels can name
inline constexpr std::size_t longest_group = std::size_t{1} << 16;  // bytes of a name

// What the rows were.
struct Source {
  std::uint64_t rows = 0;
  std::uint64_t classes = 0;                // 0: not known yet
  std::optional<Reduction> reduction = {};  // empty: not known yet
  std::optional<GroupOf> group = {};        // empty: rows of any
  bool operator==(const Source&) const = default;
};

class Running {
 public:
  static Result<Running> make(const RunningOptions& options);
  // The caller answers for it: parts of one shape, as many as classes if classwise.
  Running(const Source& source, std::vector<State> parts, const MatrixScores& scores)
      : source_(source), parts_(std::move(parts)), scores_(scores) {}

  // After an error nothing has changed, and nothing has where an exception ends it (no memory, or asked to stop).
  [[nodiscard]] Result<void> add(const Predictions& predictions, int threads = 1);
  // States of different groups are refused.
  [[nodiscard]] Result<void> merge(const Running& other);
  void forget_group() { source_.group.reset(); }

  // add() in two steps, so that several states change together or not at all: nothing has changed before commit(),
  // which cannot fail. After an error or an exception discard() gives back the memory.
  [[nodiscard]] Result<void> prepare(const Predictions& predictions, int threads = 1);
  void commit() noexcept;
  void discard() noexcept;

  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] const Shape& shape() const { return parts_.front().shape(); }
  [[nodiscard]] const std::vector<State>& parts() const { return parts_; }  // one, or one for each class
  [[nodiscard]] const MatrixScores& scores() const { return scores_; }
  bool operator==(const Running& other) const {
    return source_ == other.source_ && parts_ == other.parts_ && scores_ == other.scores_;
  }

 private:
  // What commit() puts in place.
  struct Next {
    Source source;
    MatrixScores scores;
    std::vector<State> classes = {};  // the first rows of a classwise state; else the parts themselves are prepared
  };
  std::vector<State>& parts_for(std::size_t classes);

  Source source_;
  std::vector<State> parts_;
  MatrixScores scores_;
  std::optional<Next> next_;
};

// One running state for each group of rows.

class ByGroup {
 public:
  using Groups = std::map<std::string, Running>;
  explicit ByGroup(const RunningOptions& options) : options_(options) {}

  // Rows with one grouping (predictions.groupings). After an error nothing has changed, and nothing has where an
  // exception ends it (no memory, or asked to stop).
  [[nodiscard]] Result<void> add(const Predictions& predictions, int threads = 1);
  [[nodiscard]] const Groups& groups() const { return groups_; }  // by the name of the group

 private:
  struct Change;
  [[nodiscard]] Result<void> prepare(const Predictions& predictions, int threads, Change& change);

  RunningOptions options_;
  Groups groups_;
};

}  // namespace tare::detail::state
