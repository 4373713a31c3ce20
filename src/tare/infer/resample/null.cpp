#include "tare/infer/resample/null.hpp"

#include <cassert>

#include "tare/infer/resample/ticker.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::detail::infer {
namespace {

// The numbers of bins among which a sweep over redrawn labels ends.

constexpr double few = 1e-3;
constexpr std::size_t most_bins = 1 << 16;
constexpr std::size_t most_visited = 1 << 22;

struct Totals {
  std::vector<double> mass, score, variance;  // before each cell: of the labels
};

Totals totals_of(const numeric::Ordered& cells) {
  Totals out;
  for (auto* v : {&out.mass, &out.score, &out.variance}) v->assign(1, 0);
  for (std::size_t g = 0; g < cells.groups(); ++g) {
    const double m = static_cast<double>(cells.mass(g)) / static_cast<double>(cells.unit()), s = cells.score(g);
    out.mass.push_back(out.mass.back() + m);
    out.score.push_back(out.score.back() + m * s);
    out.variance.push_back(out.variance.back() + m * s * (1 - s));
  }
  return out;
}

// How many bins are expected to have a lower rate than the one before, of bins that come in ascending order.
struct Descents {
  const Totals& totals;
  double expected = 0, last_rate = 0, last_variance = 0;
  std::size_t bins = 0;

  void bin(std::size_t from, std::size_t to) {
    const double m = totals.mass[to] - totals.mass[from], rate = (totals.score[to] - totals.score[from]) / m;
    const double variance = (totals.variance[to] - totals.variance[from]) / (m * m);
    const double z = (rate - last_rate) / std::sqrt(variance + last_variance);
    if (bins > 0 && z < 8) expected += 0.5 * std::erfc(z / std::sqrt(2.0));
    last_rate = rate;
    last_variance = variance;
    ++bins;
  }
};

// Below `first` hardly any redrawing has a bin whose rate is below that of the bin before: fewer than one in a thousand
// are expected, over all these numbers of bins together.
numeric::BinCounts sweep_range(const numeric::Ordered& cells, const numeric::BinEdges& edges) {
  const Totals totals = totals_of(cells);
  Descents alone{totals};
  for (std::size_t g = 0; g < cells.groups(); ++g) alone.bin(g, g + 1);
  if (alone.expected < few) return {most_bins, most_bins};  // not even cells by themselves descend
  double expected = 0;
  std::size_t b = 1;
  for (std::size_t bins = 0; b < most_bins && bins < most_visited && expected < few;) {
    Descents some{totals};
    edges.for_each_bin(++b, [&](std::size_t from, std::size_t to) { some.bin(from, to); });
    expected += some.expected;
    bins += some.bins;
  }
  return {b, most_bins};
}

constexpr std::size_t coarseness = 4;
constexpr double cells_per_piece = 8;          // of n^(1/3) pieces
constexpr std::size_t finer_limit = 1 << 15;   // at least: the groups of a running state are their own cells
constexpr std::size_t fewest_replicates = 39;  // their spread falls with n: the 95% quantile is their 38th

std::size_t wanted_cells(const numeric::Ordered& rows) {
  return static_cast<std::size_t>(cells_per_piece * std::cbrt(rows.weight()));
}

std::vector<std::uint64_t> pooled(std::span<const std::uint64_t> values) {
  std::vector<std::uint64_t> out((values.size() + coarseness - 1) / coarseness);
  for (std::size_t i = 0; i < values.size(); ++i) out[i / coarseness] += values[i];
  return out;
}

numeric::Ordered coarse_cells(const numeric::Ordered& cells) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (std::size_t g = 0; g < cells.groups(); ++g) {
    mass.push_back(cells.mass(g));
    hits.push_back(cells.hits(g));
  }
  for (std::size_t g = 0; g < cells.groups(); g += coarseness) {
    double sum = 0, total = 0;
    for (std::size_t i = g; i < std::min(g + coarseness, cells.groups()); ++i) {
      sum += cells.score(i) * static_cast<double>(mass[i]);
      total += static_cast<double>(mass[i]);
    }
    score.push_back(sum / total);
  }
  return {std::move(score), pooled(mass), pooled(hits), cells.unit()};
}

void add_coarse(NullCells& null, const numeric::Ordered& rows) {
  const std::size_t groups = null.cells.ordered.groups();
  if (groups == rows.groups()) return;
  null.coarse = coarse_cells(null.cells.ordered);
  null.extrapolation = 1 - std::sqrt(static_cast<double>(groups) / static_cast<double>(rows.groups()));
}

// About as much work in all as with the usual cells, but not too few replicates.
std::size_t affordable(std::size_t replicates, const numeric::Ordered& cells) {
  const std::size_t size = std::max(cells.groups(), 2 * wanted_cells(cells));
  return std::min(replicates, std::max(replicates * usual_cells / size, fewest_replicates));
}

NullValues values_on(const NullCells& null, std::span<const ResampledChoice> lines, std::uint64_t seed,
                     std::uint32_t stream, int threads, const Progress& progress) {
  NullValues out = empty_values(lines);
  std::size_t replicates = 0;
  for (const ResampledChoice& line : lines) replicates = std::max(replicates, line.resamples);
  if (replicates == 0) return out;
  const Ticker ticker(progress, "noise floors", replicates);
  Redraw(null.cells.ordered, {}, null.draws)
      .for_each(seed, stream, 0, replicates, threads, [&](std::size_t r, std::span<const std::uint64_t> hits) {
        run_replicate(null, hits, lines, r, out);
        ticker.done();
      });
  return out;
}

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
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

double term_of(const ResampledChoice& line, const Estimate& estimate) {
  if (estimate.squared) return *estimate.squared;
  return line.norm() == 2 ? estimate.value * estimate.value : estimate.value;
}

NullValues empty_values(std::span<const ResampledChoice> lines) {
  NullValues out;
  for (const ResampledChoice& line : lines) out.push_back(std::vector<NullValue>(line.resamples));
  return out;
}

NullCells finer_cells(const numeric::Ordered& rows, int bins, std::size_t limit) {
  NullCells out{make_cells(rows, bins, limit), nullptr, std::make_shared<const measure::SharedBases>()};
  add_coarse(out, rows);
  const numeric::Ordered& cells = out.cells.ordered;
  const numeric::BinEdges width(cells, numeric::Binning::width), mass(cells, numeric::Binning::mass);
  out.starts =
      std::make_shared<const numeric::BinStarts>(width, sweep_range(cells, width), mass, sweep_range(cells, mass));
  return out;
}

NullCells null_cells(const numeric::Ordered& rows, int bins, std::size_t limit) {
  NullCells out{make_cells(rows, bins, limit), nullptr, std::make_shared<const measure::SharedBases>()};
  // On calibrated data a sweep ends near 0.65 n^(1/3) bins; the rare longer ones find their bins themselves.
  const auto largest = static_cast<std::size_t>(1.5 * std::cbrt(rows.weight())) + 8;
  out.starts = std::make_shared<const numeric::BinStarts>(out.cells.ordered, std::min<std::size_t>(largest, 256));
  add_coarse(out, rows);
  return out;
}

NullCells floor_cells(const numeric::Ordered& rows, int bins) {
  NullCells out = null_cells(rows, bins);
  if (const std::size_t wanted = wanted_cells(rows); wanted > usual_cells) {
    NullCells finer = finer_cells(rows, bins, std::max(wanted, finer_limit));
    finer.draws = numeric::Draws::few;
    out.finer = std::make_shared<const NullCells>(std::move(finer));
  }
  return out;
}

measure::Sample redrawn(const NullCells& null, std::span<const std::uint64_t> hits) {
  numeric::Ordered out = null.cells.ordered;
  out.set_hits(hits);
  return measure::Sample(std::move(out), null.starts, null.bases);
}

void run_replicate(const NullCells& null, std::span<const std::uint64_t> hits, std::span<const ResampledChoice> lines,
                   std::size_t replicate, NullValues& out) {
  const measure::Sample sample = redrawn(null, hits);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    if (replicate >= lines[l].resamples) continue;
    measure::Choice drawn = lines[l].without_details();
    drawn.options.gathered = true;
    const auto estimate = drawn.run(sample);
    if (!estimate) continue;
    NullValue& value = out[l][replicate] = {true, estimate->value, term_of(lines[l], *estimate)};
    if (!lines[l].estimator->fine_scale || null.coarse.groups() == 0) continue;
    numeric::Ordered larger = null.coarse;
    larger.set_hits(pooled(hits));
    if (const auto coarse = drawn.run(measure::Sample(std::move(larger)))) {
      value.value += null.extrapolation * (value.value - coarse->value);
      value.term += null.extrapolation * (value.term - term_of(lines[l], *coarse));
    }
  }
}

NullValues null_values(const NullCells& null, std::span<const ResampledChoice> lines, std::uint64_t seed,
                       std::uint32_t stream, int threads, const Progress& progress) {
  if (!null.finer) return values_on(null, lines, seed, stream, threads, progress);
  std::vector<ResampledChoice> usual(lines.begin(), lines.end()), fine = usual;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    fine[l].resamples = affordable(fine[l].resamples, null.finer->cells.ordered);
    (lines[l].estimator->cube_root ? usual : fine)[l].resamples = 0;
  }
  NullValues out = values_on(null, usual, seed, stream, threads, progress);
  NullValues more = values_on(*null.finer, fine, seed, stream, threads, progress);
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (lines[l].estimator->cube_root) out[l] = std::move(more[l]);
  return out;
}

std::optional<Floor> floor_of(std::span<const NullValue> values) {
  std::vector<double> sorted;
  for (const NullValue& v : values)
    if (v.defined) sorted.push_back(v.value);
  if (sorted.empty() || 2 * sorted.size() < values.size()) return std::nullopt;
  double sum = 0;
  for (const double v : sorted) sum += v;
  std::ranges::sort(sorted);
  const std::size_t rank = (19 * (sorted.size() + 1) + 19) / 20;
  return Floor{sum / static_cast<double>(sorted.size()), sorted[std::min(rank, sorted.size()) - 1]};
}

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
