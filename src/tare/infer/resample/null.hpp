// The null distribution of an estimator: its values on the same scores with labels redrawn from them,
// as if the model were perfectly calibrated (Bröcker and Smith 2007; Vaicenavicius et al. 2019). An error
// that is positive even then has a noise floor: `floor` is the mean, `floor_high` the 95% quantile.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tare/core/progress.hpp"
#include "tare/core/views.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/order/bin_edges.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/binomial.hpp"

namespace tare::detail::infer {

// Redrawing labels from scores at a cost that does not grow with n: sorted scores are gathered into a
// few thousand cells, and a cell's hits are one binomial draw.

struct Cells {
  numeric::Ordered ordered;  // one group per cell, at the mean of its scores
  std::vector<double> last;  // the largest score of each cell
};

inline constexpr std::size_t usual_cells = 4096;

// Up to 2 * limit different scores are their own cells, and everything computed from them is exact.
// Otherwise groups of equal scores stay whole, half of the cuts are equally spaced and half of equal mass, and
// both kinds contain the bounds of `bins` bins: sums over equal-width and equal-mass bins of that number are
// those of the rows. Scores of exactly 0 and 1 keep to themselves: their labels are certain, those of their neighbours
// are not. There are at most limit + 2 * bins cells.
Cells make_cells(const numeric::Ordered& rows, int bins, std::size_t limit = usual_cells);

// The hits of every cell when each label is redrawn with its score as probability, or with that of its cell if
// `hit_rate` is given (one number per cell: another truth than calibration). Scores of one cell count as equal: the
// mean is exact, the variance m*s*(1-s) is too large by the spread of the scores inside (below 1e-6 m for the cells
// above).
//
// Weights are frequencies: a mass of one unit is one draw. Where weights are not whole, unit u of the sorted mass is
// one draw that neighbouring cells share in proportion, each comparing the same uniform number with its own score.
class Redraw {
 public:
  explicit Redraw(const numeric::Ordered& cells, std::span<const double> hit_rate = {},
                  numeric::Draws draws = numeric::Draws::many);

  // hits[r * cells + c] for the replicates first + r, r < replicates.
  void draw(std::uint64_t seed, std::uint32_t stream, std::uint32_t first, std::size_t replicates,
            std::span<std::uint64_t> hits) const;

  // Calls body(replicate, hits) for the replicates first .. first + replicates - 1. The number of threads decides who
  // works, never what is drawn.
  template <class Body>
  void for_each(std::uint64_t seed, std::uint32_t stream, std::size_t first, std::size_t replicates, int threads,
                const Body& body) const {
    const std::size_t cells = whole_.size();
    // replicates drawn together: their hits stay in the second-level cache
    const std::size_t chunk = std::clamp<std::size_t>((std::size_t{1} << 17) / std::max<std::size_t>(cells, 1), 1, 16);
    numeric::parallel_for((replicates + chunk - 1) / chunk, threads, [&](std::size_t c) {
      const std::size_t from = c * chunk, count = std::min(chunk, replicates - from);
      std::vector<std::uint64_t> hits(count * cells);
      draw(seed, stream, static_cast<std::uint32_t>(first + from), count, hits);
      for (std::size_t r = 0; r < count; ++r)
        body(first + from + r, std::span<const std::uint64_t>(hits).subspan(r * cells, cells));
    });
  }

 private:
  struct Piece {  // a part of a unit, inside one cell
    std::size_t cell = 0;
    std::uint64_t unit = 0;  // its number in the sorted mass
    std::uint64_t mass = 0;
    double score = 0;
  };
  std::uint64_t unit_mass_;
  numeric::Binomials whole_;
  std::vector<Piece> pieces_;
};

// One line of a survey: an estimator with its options, and how often labels are redrawn for its floor. 0: it has none.
struct ResampledChoice : measure::Choice {
  std::size_t resamples = 0;
};

// One replicate of one line. `term` is what a mean over classes averages (see classwise.hpp).
struct NullValue {
  bool defined = false;
  double value = 0;
  double term = 0;
};
using NullValues = std::vector<std::vector<NullValue>>;  // [line][replicate]

// What a mean over classes averages: the squared error for norm 2 (unclamped where there is such a thing), else the
// value.
double term_of(const ResampledChoice& line, const Estimate& estimate);

NullValues empty_values(std::span<const ResampledChoice> lines);

// Cells, and what is the same in all their redrawings.
//
// A monotone fit seeks the most favourable cuts between rows, and cells hide those inside them: its floor is too
// low by about the square root of the cell size (8% at n = 200,000, 12% at 1,000,000), far more than its spread. So
// rows with `fine_scale` are also run on cells four times as large, and the difference extrapolates from d rows per
// cell to one: the error at size d is to the step from d to 4d as sqrt(d) - 1 to sqrt(4d) - sqrt(d).
struct NullCells {
  Cells cells;
  std::shared_ptr<const numeric::BinStarts> starts;
  std::shared_ptr<const measure::SharedBases> bases;
  numeric::Ordered coarse = {};  // four cells in one; without groups where the cells are the rows
  double extrapolation = 0;      // 1 - 1 / sqrt(d)
  numeric::Draws draws = numeric::Draws::many;
  // Where n is very large: more cells, for estimators that resolve about n^(1/3) pieces of the data; 65,536 groups, as
  // a running state has them, are their own cells. Empty elsewhere.
  std::shared_ptr<const NullCells> finer = {};
};
NullCells null_cells(const numeric::Ordered& rows, int bins, std::size_t limit = usual_cells);
NullCells finer_cells(const numeric::Ordered& rows, int bins, std::size_t limit);
NullCells floor_cells(const numeric::Ordered& rows, int bins);  // with the finer ones, where they are needed

// The cells with these hits instead of their own.
measure::Sample redrawn(const NullCells& null, std::span<const std::uint64_t> hits);

// Runs every line on the cells with these hits and stores the results at `replicate`.
void run_replicate(const NullCells& null, std::span<const std::uint64_t> hits, std::span<const ResampledChoice> lines,
                   std::size_t replicate, NullValues& out);

// All lines see the same redrawings: replicate r is that of (seed, stream, r). The number of threads changes nothing.
// Lines that need the finer cells have fewer replicates than they ask for, and those of their own.
NullValues null_values(const NullCells& null, std::span<const ResampledChoice> lines, std::uint64_t seed,
                       std::uint32_t stream, int threads, const Progress& progress = {});

struct Floor {
  double mean = 0;
  double high = 0;
};

// The 95% quantile of m values is the one of rank ceil(0.95 (m + 1)): a calibrated model exceeds it with
// probability at most 5%, for every m >= 19. Empty if the estimator was undefined in more than half of the replicates.
std::optional<Floor> floor_of(std::span<const NullValue> values);

// Labels of all classes redrawn together: one class per row, from the row's probabilities.

struct JointClass {
  NullCells null;
  std::vector<std::uint16_t> cell_of_row;
  std::vector<ResampledChoice> lines;
};

// [class][line][replicate]
std::vector<NullValues> joint_values(const MulticlassView& view, std::span<const JointClass> classes,
                                     std::uint64_t seed, int threads, const Progress& progress = {});

// Running sums of a row's class probabilities (softmax of logits; probabilities as they are, whatever they sum to).
void cumulative_probabilities(const MulticlassView& view, std::size_t row, std::span<double> out);

// p-values from redrawings: (1 + count) / (R + 1), where the count is of redrawings at least as extreme as what was
// observed. Valid for any statistic and any R (Davison and Hinkley 1997, section 4.2; Phipson and Smyth 2010).

class NullDistribution {
 public:
  // `undefined` redrawings had no value; they count as extreme, which keeps the p-value valid.
  NullDistribution(std::vector<double> values, std::size_t undefined, bool two_sided)
      : sorted_(std::move(values)), undefined_(undefined), two_sided_(two_sided) {
    std::ranges::sort(sorted_);
  }

  [[nodiscard]] std::size_t redrawings() const { return sorted_.size() + undefined_; }

  // Values equal but for rounding are ties, and ties count.
  [[nodiscard]] double p_value(double observed) const {
    const double slack = 1e-12 * std::abs(observed);
    const auto below = std::ranges::lower_bound(sorted_, observed - slack) - sorted_.begin();
    const double above = p_of(sorted_.size() - static_cast<std::size_t>(below));
    if (!two_sided_) return above;
    const auto up_to = std::ranges::upper_bound(sorted_, observed + slack) - sorted_.begin();
    return std::min(1.0, 2 * std::min(above, p_of(static_cast<std::size_t>(up_to))));
  }

  // The smallest p-value there can be.
  [[nodiscard]] double smallest() const { return (two_sided_ ? 2 : 1) * p_of(0); }

  // Beyond these the p-value is below alpha; empty where nothing is.
  struct AcceptedRange {
    std::optional<double> low = {};
    std::optional<double> high = {};
  };
  [[nodiscard]] AcceptedRange accepted(double alpha) const {
    const double share = two_sided_ ? alpha / 2 : alpha;
    // (1 + count) < share (R + 1); the small term undoes rounding of the product
    const double most =
        std::ceil(share * static_cast<double>(redrawings() + 1) - 1e-9) - 2 - static_cast<double>(undefined_);
    if (most < 0 || most >= static_cast<double>(sorted_.size())) return {};
    const auto k = static_cast<std::size_t>(most);
    AcceptedRange out{.high = sorted_[sorted_.size() - 1 - k]};
    if (two_sided_) out.low = sorted_[k];
    return out;
  }

 private:
  [[nodiscard]] double p_of(std::size_t count) const {
    return static_cast<double>(1 + count + undefined_) / static_cast<double>(redrawings() + 1);
  }

  std::vector<double> sorted_;
  std::size_t undefined_ = 0;
  bool two_sided_ = false;
};

}  // namespace tare::detail::infer
