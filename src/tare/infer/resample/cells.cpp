#include "tare/infer/resample/cells.hpp"

#include <algorithm>
#include <cassert>

#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::infer {
namespace {

// First groups of the cells, and the number of groups at the end. Bounds of a multiple of `bins` contain those of
// `bins`, for widths and masses alike: both compare the same fractions.
std::vector<std::size_t> cuts(const numeric::Ordered& rows, std::size_t bins, std::size_t limit) {
  const std::size_t fine = bins * std::max<std::size_t>(1, limit / 2 / bins);
  std::vector<std::size_t> out;
  out.reserve(2 * fine + 2);
  for (std::size_t j = 0; j <= fine; ++j) {
    out.push_back(numeric::boundary(rows, numeric::Binning::width, j, fine));
    out.push_back(numeric::boundary(rows, numeric::Binning::mass, j, fine));
  }
  if (rows.score(0) == 0) out.push_back(1);
  if (rows.score(rows.groups() - 1) == 1) out.push_back(rows.groups() - 1);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

Cells make_cells(const numeric::Ordered& rows, int bins, std::size_t limit) {
  assert(bins > 0);
  if (rows.groups() <= 2 * limit) return {rows, {rows.scores().begin(), rows.scores().end()}};
  const auto cut = cuts(rows, static_cast<std::size_t>(bins), limit);
  Cells out{numeric::gather(rows, cut), {}};
  for (std::size_t c = 1; c < cut.size(); ++c) out.last.push_back(rows.score(cut[c] - 1));
  return out;
}

Redraw::Redraw(const numeric::Ordered& cells, std::span<const double> hit_rate, numeric::Draws draws)
    : unit_mass_(cells.unit()), whole_(draws) {
  assert(hit_rate.empty() || hit_rate.size() == cells.groups());
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    const std::uint64_t from = cells.mass_before(c), to = cells.mass_before(c + 1);
    const double score = hit_rate.empty() ? cells.score(c) : hit_rate[c];
    const auto piece = [&](std::uint64_t a, std::uint64_t b) {
      if (a < b) pieces_.push_back({.cell = c, .unit = a / unit_mass_, .mass = b - a, .score = score});
    };
    const std::uint64_t first = std::min(to, (from + unit_mass_ - 1) / unit_mass_ * unit_mass_);
    const std::uint64_t last = std::max(first, to / unit_mass_ * unit_mass_);
    piece(from, first);
    whole_.add((last - first) / unit_mass_, score);
    piece(last, to);
  }
}

void Redraw::draw(std::uint64_t seed, std::uint32_t stream, std::uint32_t first, std::size_t replicates,
                  std::span<std::uint64_t> hits) const {
  whole_.draw(seed, stream, first, replicates, hits);
  if (unit_mass_ == 1) return;
  const std::size_t cells = whole_.size();
  constexpr std::uint32_t of_pieces = 0x8000'0000;  // a stream beside the one of the whole units
  for (std::size_t r = 0; r < replicates; ++r) {
    const auto at = hits.subspan(r * cells, cells);
    for (auto& h : at) h *= unit_mass_;
    for (const Piece& p : pieces_) {
      numeric::Rng rng(seed, stream ^ of_pieces, first + static_cast<std::uint32_t>(r), p.unit);
      if (rng.uniform() < p.score) at[p.cell] += p.mass;
    }
  }
}

}  // namespace tare::detail::infer
