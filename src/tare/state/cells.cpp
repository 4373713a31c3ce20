#include "tare/state/cells.hpp"

#include <cmath>
#include <limits>

#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::state {
namespace {

// The finest step, no finer than `finest`, at which count(step) is at most `most`: the count falls from step to step.
template <class Count>
int finest_step(int finest, std::size_t most, const Count& count) {
  if (count(finest) <= most) return finest;
  int low = last_step, high = finest - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (count(middle) <= most)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

void pool(Cell& to, const Cell& more) {
  if (to.only != more.only) to.only = many;
  to.mass += more.mass;
  to.hits += more.hits;
  to.score += more.score;
}

void append(std::vector<Cell>& cells, const Cell& next) {
  if (!cells.empty() && cells.back().place == next.place && cells.back().bin == next.bin)
    pool(cells.back(), next);
  else
    cells.push_back(next);
}

void coarsen(Body& body, int to) {
  if (to == body.step) return;
  std::size_t kept = 0;
  for (Cell& cell : body.cells) {
    cell.place = place_at(cell, body.step, to);
    if (kept > 0 && body.cells[kept - 1].place == cell.place && body.cells[kept - 1].bin == cell.bin)
      pool(body.cells[kept - 1], cell);
    else
      body.cells[kept++] = cell;
  }
  body.cells.resize(kept);
  body.step = to;
}

void make_fine(Body& body) {
  if (body.fine) return;
  body.fine = true;
  for (Cell& cell : body.cells)
    for (u128* x : {&cell.mass, &cell.hits, &cell.score}) *x <<= fine_bits;
  body.mass <<= fine_bits;
}

// Equal scores with what they weigh.
template <class Whole>
struct Group {
  double score = 0;
  Whole mass = 0, hits = 0;
};

// The bin of each group, in ascending order of the scores.
template <class ScoreOf>
std::vector<std::uint32_t> bins_of(std::size_t groups, std::size_t bins, const ScoreOf& score) {
  std::vector<std::uint32_t> out(groups);
  std::uint32_t bin = 0;
  const auto edge_above = [&] { return bin + 1 < bins ? numeric::width_edge(bin + 1, bins) : 1.0; };
  double upper = edge_above();
  for (std::size_t g = 0; g < groups; ++g) {
    while (score(g) > upper) {
      ++bin;
      upper = edge_above();
    }
    out[g] = bin;
  }
  return out;
}

// group(g): a Group; ascending and different scores.
template <class ScoreOf, class GroupOf>
Body body_of_groups(std::size_t groups, const ScoreOf& score, const GroupOf& group, const Shape& shape, int finest) {
  Body out;
  const auto bin = bins_of(groups, shape.bins, score);
  const auto count = [&](int step) {
    if (step == exact_step) return groups;
    std::size_t cells = 0;
    std::uint64_t last = mirror + 1;
    for (std::size_t g = 0; g < groups; ++g) {
      const std::uint64_t place = place_of(score(g), step);
      cells += place != last || bin[g] != bin[g - 1];
      last = place;
    }
    return cells;
  };
  out.step = finest_step(finest, shape.most, count);
  out.cells.reserve(std::min(groups, shape.most));
  for (std::size_t g = 0; g < groups; ++g) {
    const auto x = group(g);
    const std::uint64_t fixed = numeric::to_fixed(x.score);
    append(out.cells, {.place = place_of(x.score, out.step),
                       .bin = bin[g],
                       .only = x.score,
                       .mass = x.mass,
                       .hits = x.hits,
                       .score = u128{fixed} * x.mass});
    out.mass += x.mass;
  }
  return out;
}

std::vector<Group<u128>> weighted_groups(Reals score, std::span<const std::uint8_t> label,
                                         std::span<const double> weight, bool fine) {
  std::vector<Group<u128>> rows;
  rows.reserve(label.size());
  for (std::size_t i = 0; i < label.size(); ++i)
    if (const u128 mass = mass_of(weight[i], fine); mass > 0)
      rows.push_back({std::abs(score[i]), mass, label[i] ? mass : 0});
  std::ranges::sort(rows, {}, &Group<u128>::score);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (kept == 0 || rows[kept - 1].score != rows[i].score) {
      rows[kept++] = rows[i];
      continue;
    }
    rows[kept - 1].mass += rows[i].mass;
    rows[kept - 1].hits += rows[i].hits;
  }
  rows.resize(kept);
  return rows;
}

}  // namespace

bool is_whole(std::span<const double> weight) {
  return std::ranges::all_of(weight, [](double w) { return w == std::floor(w); });
}

u128 mass_of(double weight, bool fine) {
  const double whole = std::floor(weight);
  if (!fine) return static_cast<u128>(whole);
  return (static_cast<u128>(whole) << fine_bits) + static_cast<u128>(std::nearbyint((weight - whole) * 0x1p40));
}

Body body_of(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight, const Shape& shape,
             int step) {
  if (weight.empty()) {
    const numeric::Ordered data = numeric::order(score, label);
    return body_of_groups(
        data.groups(), [&](std::size_t g) { return data.score(g); },
        [&](std::size_t g) {
          return Group<std::uint64_t>{data.score(g), data.mass(g), data.hits(g)};
        },
        shape, step);
  }
  const bool fine = !is_whole(weight);
  const auto groups = weighted_groups(score, label, weight, fine);
  Body out = body_of_groups(
      groups.size(), [&](std::size_t g) { return groups[g].score; }, [&](std::size_t g) { return groups[g]; }, shape,
      step);
  out.fine = fine;
  return out;
}

Body body_of_cells(std::vector<Cell> cells, int step, const Shape& shape) {
  if (std::ranges::none_of(cells, [](const Cell& c) { return c.only == many; })) {
    step = exact_step;
    for (Cell& cell : cells) cell.place = place_of(cell.only, exact_step);
  }
  std::ranges::sort(
      cells, [](const Cell& a, const Cell& b) { return a.place != b.place ? a.place < b.place : a.bin < b.bin; });
  Body out{.step = step};
  for (const Cell& cell : cells) {
    append(out.cells, cell);
    out.mass += cell.mass;
  }
  return merged(out, {}, shape);
}

std::size_t count_at(std::span<const Cell> cells, int from, int to) {
  std::size_t out = 0;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint64_t place = place_at(cells[i], from, to);
    out += i == 0 || place != last || cells[i].bin != cells[i - 1].bin;
    last = place;
  }
  return out;
}

Body merged(Body left, Body right, const Shape& shape) {
  const int step = std::min(left.step, right.step);
  if (left.fine || right.fine) {
    make_fine(left);
    make_fine(right);
  }
  coarsen(left, step);
  coarsen(right, step);
  Body out{.step = step, .fine = left.fine, .mass = left.mass + right.mass};
  out.cells.reserve(left.cells.size() + right.cells.size());
  auto i = left.cells.begin(), j = right.cells.begin();
  while (i != left.cells.end() || j != right.cells.end()) {
    const bool from_left =
        j == right.cells.end() ||
        (i != left.cells.end() && (i->place < j->place || (i->place == j->place && i->bin <= j->bin)));
    append(out.cells, from_left ? *i++ : *j++);
  }
  coarsen(out, finest_step(step, shape.most, [&](int to) { return count_at(out.cells, step, to); }));
  return out;
}

Ends ends_of(std::uint64_t place, std::uint32_t bin, int step, std::size_t bins) {
  Ends out;
  const auto next = [](double x, double to) { return std::nextafter(x, to); };
  if (step == exact_step) {
    out.low = out.high = std::bit_cast<double>(place);
  } else {
    const bool low = place <= mirror / 2;
    const std::uint64_t from_end = low ? place : mirror - place;
    if (from_end == 0) {
      out.low = out.high = low ? 0 : 1;
    } else {
      const std::uint64_t tier = deepest - ((from_end - 1) >> 52);
      const auto in_tier = static_cast<double>((from_end - 1) & ((std::uint64_t{1} << 52) - 1));
      const int width = -(step + 3 * static_cast<int>(tier)), end = -4 * static_cast<int>(tier);
      double first = std::ldexp(in_tier, width), after = std::ldexp(in_tier + 1, width);
      first = std::max(first, tier == deepest ? std::numeric_limits<double>::denorm_min() : std::ldexp(1, end - 4));
      after = std::min(after, tier == 0 ? next(0.5, 1) : std::ldexp(1, end));
      if (low)
        out = {first, next(after, 0)};
      else  // 1/2 itself is low, and the last cell before that of 1 ends before it
        out = {next(std::max(1 - after, 0.5), 1), std::min(1 - first, next(1, 0))};
    }
  }
  if (bin > 0) out.low = std::max(out.low, next(numeric::width_edge(bin, bins), 1));
  if (bin + 1 < bins) out.high = std::min(out.high, numeric::width_edge(bin + 1, bins));
  return out;
}

}  // namespace tare::detail::state
