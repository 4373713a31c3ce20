#include "tare/infer/band/curve_band.hpp"

#include <algorithm>
#include <cmath>

namespace tare::detail::infer {
namespace {

// A smooth estimate of the calibration curve, for the eye: how far the hit rates are from the scores, smoothed over
// ranks by local lines.

// Standard deviations of the kernel, as shares of the rows; the last is a line through all.
constexpr std::array<double, 9> widths{0.015, 0.025, 0.04, 0.06, 0.1, 0.15, 0.25, 0.5, 5};

struct RankCells {
  std::vector<double> rank, weight, gap;  // gap: hit rate less mean score
};

RankCells rank_cells(const numeric::Ordered& cells) {
  RankCells out;
  const auto total = static_cast<double>(cells.total_mass());
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    const auto mass = static_cast<double>(cells.mass(c));
    out.rank.push_back((static_cast<double>(cells.mass_before(c)) + mass / 2) / total);
    out.weight.push_back(mass / total);
    out.gap.push_back(static_cast<double>(cells.hits(c)) / mass - cells.score(c));
  }
  return out;
}

// The sums of a weighted line around one cell.
struct LineSums {
  double w = 0, x = 0, xx = 0, y = 0, xy = 0;
  void add(double weight, double at, double value) {
    w += weight;
    x += weight * at;
    xx += weight * at * at;
    y += weight * value;
    xy += weight * at * value;
  }
  // The value of the line at 0; of the mean where the points do not make one.
  [[nodiscard]] double at_zero() const {
    const double mean_x = x / w, spread = xx / w - mean_x * mean_x;
    const double slope = spread > 1e-12 ? (xy / w - mean_x * y / w) / spread : 0;
    return y / w - slope * mean_x;
  }
};

struct Smoothed {
  std::vector<double> gap;     // at every cell
  std::vector<double> square;  // its error where the cell itself is left out, times its weight
};

Smoothed smoothed(const RankCells& cells, double width) {
  const std::size_t count = cells.rank.size();
  Smoothed out;
  for (std::size_t c = 0; c < count; ++c) {
    LineSums others;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = (cells.rank[i] - cells.rank[c]) / width;
      if (i != c && std::abs(x) < 6) others.add(cells.weight[i] * std::exp(-x * x / 2), x * width, cells.gap[i]);
    }
    const double left_out = others.w > 0 ? others.at_zero() - cells.gap[c] : 2;
    out.square.push_back(cells.weight[c] * left_out * left_out);
    others.add(cells.weight[c], 0, cells.gap[c]);
    out.gap.push_back(others.at_zero());
  }
  return out;
}

// Wider is smoother: the widest whose error is above the least by no more than chance explains.
std::vector<double> chosen(const RankCells& cells) {
  std::vector<Smoothed> all;
  std::vector<double> error;
  for (const double width : widths) {
    all.push_back(smoothed(cells, width));
    double sum = 0;
    for (const double e : all.back().square) sum += e;
    error.push_back(sum);
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(error) - error.begin());
  std::size_t out = best;
  for (std::size_t w = best + 1; w < all.size(); ++w) {
    double variance = 0;
    for (std::size_t c = 0; c < cells.rank.size(); ++c) {
      const double d = all[w].square[c] - all[best].square[c];
      variance += d * d;
    }
    if (error[w] - error[best] <= std::sqrt(variance)) out = w;
  }
  return all[out].gap;
}

void pool(std::vector<double>& value, const std::vector<double>& weight) {
  struct Block {
    double sum, weight;
    std::size_t cells;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t c = 0; c < value.size(); ++c) {
    blocks.push_back({value[c] * weight[c], weight[c], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().cells += last.cells;
    }
  }
  std::size_t c = 0;
  for (const Block& b : blocks)
    for (std::size_t i = 0; i < b.cells; ++i) value[c++] = b.mean();
}

// One number per cell, at its mean score. The width of the kernel is the widest whose error, each cell left out in
// turn, is not clearly worse than the least. `rising`: pooled where it would fall.
std::vector<double> smooth_curve(const numeric::Ordered& cells, bool rising) {
  const RankCells at = rank_cells(cells);
  std::vector<double> out = cells.groups() < 3 ? at.gap : chosen(at);
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = std::clamp(cells.score(c) + out[c], 0.0, 1.0);
  if (rising) pool(out, at.weight);
  return out;
}

constexpr std::size_t most_cells = 256;
constexpr std::size_t most_values = 30, least_rows_per_value = 5;
constexpr std::size_t fewest_spans = 4, most_spans = 64;
constexpr double share_of_falls = 0.1;

// Cuts between groups of equal scores, near every 1 / pieces of the mass.
std::vector<std::size_t> equal_cuts(const numeric::Ordered& rows, std::size_t pieces) {
  std::vector<std::size_t> out{0};
  const auto totals = rows.mass_totals();
  for (std::size_t i = 1; i < pieces; ++i) {
    const auto wanted = static_cast<std::uint64_t>(static_cast<numeric::u128>(rows.total_mass()) * i / pieces);
    auto at = std::ranges::lower_bound(totals, wanted);
    if (at != totals.begin() && wanted - *(at - 1) <= *at - wanted) --at;
    const auto cut = static_cast<std::size_t>(at - totals.begin());
    if (cut > out.back() && cut < rows.groups()) out.push_back(cut);
  }
  out.push_back(rows.groups());
  return out;
}

std::vector<std::size_t> cell_cuts(const numeric::Ordered& rows) {
  if (rows.groups() > most_cells) return equal_cuts(rows, most_cells);
  std::vector<std::size_t> out(rows.groups() + 1);
  for (std::size_t g = 0; g < out.size(); ++g) out[g] = g;
  return out;
}

Counts counts(const numeric::Ordered& cells, std::size_t from, std::size_t to) {
  return {cells.hits_before(to) - cells.hits_before(from), cells.mass_before(to) - cells.mass_before(from)};
}

void add_rising(const numeric::Ordered& cells, double alpha, std::vector<CurveCell>& out) {
  for (const Run& run : make_runs(cells)) {
    const Counts seen = counts(cells, run.from, run.to);
    const double level = alpha * run.share / 2;
    CurveCell &first = out[run.from], &last = out[run.to - 1];
    first.high = std::min(first.high, upper_bound(seen, level));
    last.low = std::max(last.low, lower_bound(seen, level));
  }
  for (std::size_t c = 1; c < out.size(); ++c) out[c].low = std::max(out[c].low, out[c - 1].low);
  for (std::size_t c = out.size() - 1; c > 0; --c) out[c - 1].high = std::min(out[c - 1].high, out[c].high);
}

bool one_value(const CurveCell& cell) { return cell.first == cell.last; }

// What holds at the mean score of a cell: with more than one value in it, what its neighbours know.
struct Ends {
  double low = 0, high = 1;
};
Ends rising_at(const std::vector<CurveCell>& cells, std::size_t c) {
  if (one_value(cells[c])) return {cells[c].low, cells[c].high};
  return {c > 0 ? cells[c - 1].low : 0, c + 1 < cells.size() ? cells[c + 1].high : 1};
}

bool contradicts(const std::vector<CurveCell>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c)
    if ((one_value(cells[c]) && cells[c].low > cells[c].high) ||
        (c + 1 < cells.size() && cells[c].low > cells[c + 1].high))
      return true;
  return false;
}

bool falls(const numeric::Ordered& cells, double alpha) {
  const auto pairs = make_pairs(cells);
  return std::ranges::any_of(pairs, [&](const RunPair& pair) {
    const Counts first = counts(cells, pair.from, pair.middle), second = counts(cells, pair.middle, pair.to);
    const auto a = static_cast<double>(first.rows), b = static_cast<double>(second.rows);
    const double drop = static_cast<double>(first.hits) / a - static_cast<double>(second.hits) / b;
    const double rate = static_cast<double>(first.hits + second.hits) / (a + b);
    // Most pairs are far from it: only a drop of more than two standard errors is looked at closely.
    return drop > 2 * std::sqrt(rate * (1 - rate) * (1 / a + 1 / b)) &&
           fall_p_value(first, second) < alpha * pair.share;
  });
}

void add_values(const numeric::Ordered& cells, double alpha, CurveBand& band) {
  band.basis = BandBasis::values;
  const double level = alpha / (2 * static_cast<double>(cells.groups()));
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    band.cells[c].low = lower_bound(counts(cells, c, c + 1), level);
    band.cells[c].high = upper_bound(counts(cells, c, c + 1), level);
    band.cells[c].curve = band.cells[c].rate;
  }
}

void add_spans(const numeric::Ordered& cells, double alpha, CurveBand& band) {
  band.basis = BandBasis::spans;
  const auto wanted = static_cast<std::size_t>(std::lround(std::cbrt(cells.weight())));
  const auto cuts = equal_cuts(cells, std::clamp(wanted, fewest_spans, most_spans));
  const numeric::Ordered spans = numeric::gather(cells, cuts);
  const double level = alpha / (2 * static_cast<double>(spans.groups()));
  for (std::size_t s = 0; s < spans.groups(); ++s) {
    const Counts seen = counts(spans, s, s + 1);
    const CurveSpan span{.from = cuts[s],
                         .to = cuts[s + 1],
                         .mean_score = spans.score(s),
                         .count = static_cast<double>(seen.rows) / static_cast<double>(spans.unit()),
                         .rate = static_cast<double>(seen.hits) / static_cast<double>(seen.rows),
                         .low = lower_bound(seen, level),
                         .high = upper_bound(seen, level)};
    for (std::size_t c = span.from; c < span.to; ++c) {
      band.cells[c].low = span.low;
      band.cells[c].high = span.high;
    }
    band.spans.push_back(span);
  }
}

void add_curve(const numeric::Ordered& cells, CurveBand& band) {
  if (band.basis == BandBasis::values) return;
  const auto curve = smooth_curve(cells, band.basis == BandBasis::rising);
  for (std::size_t c = 0; c < curve.size(); ++c) {
    const Ends ends =
        band.basis == BandBasis::rising ? rising_at(band.cells, c) : Ends{band.cells[c].low, band.cells[c].high};
    band.cells[c].curve = std::clamp(curve[c], ends.low, ends.high);
  }
}

// Whether the identity lies in the band everywhere. It rises: where the data contradict every rising curve, they
// contradict this one.
void add_diagonal(CurveBand& band) {
  const auto beyond = [](double score, double low, double high) { return score < low || score > high; };
  double all = 0, out = 0;
  bool left = band.basis == BandBasis::spans;
  for (std::size_t c = 0; c < band.cells.size(); ++c) {
    const CurveCell& cell = band.cells[c];
    all += cell.count;
    if (band.basis == BandBasis::spans) continue;
    const Ends ends = band.basis == BandBasis::rising ? rising_at(band.cells, c) : Ends{cell.low, cell.high};
    if (beyond(cell.mean_score, ends.low, ends.high)) out += cell.count;
    left = left || cell.last < cell.low || cell.first > cell.high;
  }
  for (const CurveSpan& span : band.spans)
    if (beyond(span.mean_score, span.low, span.high)) out += span.count;
  band.diagonal = left ? Diagonal::outside : Diagonal::inside;
  band.outside = out / all;
}

}  // namespace

CurveBand curve_band(const numeric::Ordered& rows, double level) {
  CurveBand out{.level = level};
  const auto cuts = cell_cuts(rows);
  const numeric::Ordered cells = numeric::gather(rows, cuts);
  const auto unit = static_cast<double>(cells.unit());
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    const auto mass = static_cast<double>(cells.mass(c));
    out.cells.push_back({.first = rows.score(cuts[c]),
                         .last = rows.score(cuts[c + 1] - 1),
                         .mean_score = cells.score(c),
                         .count = mass / unit,
                         .rate = static_cast<double>(cells.hits(c)) / mass});
  }
  if (cells.unit() != 1) {
    out.reason = "weights that are not whole numbers are no counts, and exact bounds need counts";
    add_curve(cells, out);
    return out;
  }
  const double alpha = 1 - level;
  if (rows.groups() <= most_values && rows.total_mass() >= least_rows_per_value * rows.groups()) {
    add_values(cells, alpha, out);
  } else {
    out.basis = BandBasis::rising;
    add_rising(cells, (1 - share_of_falls) * alpha, out.cells);
    if (contradicts(out.cells) || falls(cells, share_of_falls * alpha)) add_spans(cells, alpha, out);
  }
  add_curve(cells, out);
  add_diagonal(out);
  return out;
}

}  // namespace tare::detail::infer
