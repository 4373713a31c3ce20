// What a watch looks at, fixed once from the scores of the reference: cells of the score, and directions F in which
// labels can part from their scores there. Cells are cut at 48 steps of information, 24 of rows, at 0.05 and at 0.95.
// Directions: Legendre polynomials in information time and the indicators of s > 0.95 and s < 0.05.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/core/result.hpp"
#include "tare/state/state.hpp"

namespace tare::detail::watch {

// A period, a day or the reference: the cells of its state in ascending order, as plain numbers.

struct Period {
  std::vector<double> score = {};  // mean of the cell
  std::vector<double> rows = {};
  std::vector<double> hits = {};
  bool exact = true;  // no cell has several scores
  std::optional<Reduction> reduction = {};

  [[nodiscard]] std::size_t size() const { return score.size(); }
  [[nodiscard]] double all_rows() const;
  [[nodiscard]] double all_hits() const;
  [[nodiscard]] double mean_score() const;
};

// An error where there are no rows, or weights that are not whole. Whole weights count rows.
Result<Period> period_of(const state::State& state);
// Of a saved state. `source`: what to call it where something is wrong with it.
Result<Period> period_of(std::string_view bytes, const std::string& source);

inline constexpr Eigen::Index family = 6;       // directions of plug-in bets: polynomials 0 .. 3 and two tails
inline constexpr Eigen::Index polynomials = 8;  // of the reference's own curve
inline constexpr Eigen::Index curve_terms = polynomials + 2;  // the tails are in it, too
inline constexpr double tail_width = 0.05;
inline constexpr double least_score = 0x1p-20;  // where a logarithm of odds is needed: at least this, and 1 less it

// A day in the cells of a watch.
struct Gathered {
  Eigen::ArrayXd rows, hits, score;  // score: sum over rows
  explicit Gathered(Eigen::Index cells)
      : rows(Eigen::ArrayXd::Zero(cells)), hits(Eigen::ArrayXd::Zero(cells)), score(Eigen::ArrayXd::Zero(cells)) {}

  [[nodiscard]] Eigen::ArrayXd mean() const;  // 1/2 where there are no rows
  Gathered& operator+=(const Gathered& day);
  void fade(double factor);
};

class Directions {
 public:
  // The reference has a score inside (0, 1).
  explicit Directions(const Period& reference);

  [[nodiscard]] Eigen::Index cells() const { return static_cast<Eigen::Index>(edge_.size()) + 1; }
  [[nodiscard]] std::pair<double, double> ends(Eigen::Index cell) const;  // between which its scores lie
  [[nodiscard]] Gathered gather(const Period& period) const;

  [[nodiscard]] const Eigen::ArrayXd& centre() const { return centre_; }
  [[nodiscard]] const Eigen::MatrixXd& curve() const { return curve_; }  // a row for each polynomial, then the tails
  [[nodiscard]] const Eigen::MatrixXd& directions() const { return directions_; }  // a row for each direction

 private:
  std::vector<double> edge_;
  Eigen::ArrayXd centre_;
  Eigen::MatrixXd curve_, directions_;
};

// The days so far, each forgotten with a half-life of its own: the last never.
class Past {
 public:
  static constexpr std::size_t memories = 3;
  explicit Past(Eigen::Index cells) : fading_(memories, Gathered(cells)) {}
  void add(const Gathered& day);
  [[nodiscard]] const Gathered& of(std::size_t memory) const { return fading_[memory]; }
  [[nodiscard]] const Gathered& all() const { return fading_.back(); }

 private:
  std::vector<Gathered> fading_;
};

}  // namespace tare::detail::watch
