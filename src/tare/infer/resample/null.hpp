// The null distribution of an estimator: its values on the same scores with labels redrawn from them,
// as if the model were perfectly calibrated (Bröcker and Smith 2007; Vaicenavicius et al. 2019). An error
// that is positive even then has a noise floor: `floor` is the mean, `floor_high` the 95% quantile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tare/core/progress.hpp"
#include "tare/infer/resample/cells.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/order/bin_edges.hpp"

namespace tare::detail::infer {

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

}  // namespace tare::detail::infer
