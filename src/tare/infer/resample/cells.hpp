// Redrawing labels from scores at a cost that does not grow with n: sorted scores are gathered into a
// few thousand cells, and a cell's hits are one binomial draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/numeric/order/order.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/random/binomial.hpp"

namespace tare::detail::infer {

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
// Weights are frequencies: a mass of one unit is one draw. Where weights are not whole, unit u of the sorted
// mass is one draw that neighbouring cells share in proportion, each comparing the same uniform number with
// its own score.
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

}  // namespace tare::detail::infer
