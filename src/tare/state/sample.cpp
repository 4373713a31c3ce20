#include "tare/state/sample.hpp"

#include <algorithm>

namespace tare::inner::state {
namespace {

// Masses of 64 bits are enough from here on: whole weights stay exact, of others the last bits go once there are more
// than 2^52 units of them.
int dropped_bits(const Body& body) {
  if (!body.fine) return 0;
  const bool whole = std::all_of(body.cells.begin(), body.cells.end(), [](const Cell& c) {
    return static_cast<std::uint64_t>(c.mass | c.hits) << (64 - fine_bits) == 0;
  });
  int out = whole ? fine_bits : 0;
  while (out < fine_bits / 2 && body.mass >> out >= u128{1} << 52) ++out;
  return out;
}

double mean_of(const Cell& cell, const Ends& ends) {
  const double mean = static_cast<double>(cell.score) / (static_cast<double>(cell.mass) * numeric::score_scale);
  return std::clamp(mean, ends.low, ends.high);
}

}  // namespace

Grouped grouped(const Body& body, const Shape& shape) {
  Grouped out;
  out.bins.resize(shape.bins);
  const int drop = dropped_bits(body);
  std::vector<double> score;
  std::vector<std::uint64_t> mass, hits;
  for (auto* v : {&mass, &hits}) v->reserve(body.cells.size());
  score.reserve(body.cells.size());
  for (const Cell& cell : body.cells) {
    const auto kept = static_cast<std::uint64_t>(cell.mass >> drop);
    if (kept == 0) continue;
    const auto marked = static_cast<std::uint64_t>(cell.hits >> drop);
    // the mean score stays that of the cell, also where its mass has been cut
    const u128 sum = (cell.mass >> drop) << drop == cell.mass ? cell.score >> drop : cell.score / cell.mass * kept;
    out.bins[cell.bin].merge({.mass = kept, .hits = marked, .score = sum});
    mass.push_back(kept);
    hits.push_back(marked);
    if (cell.only != many) {
      score.push_back(cell.only);
      continue;
    }
    const Ends ends = ends_of(cell.place, cell.bin, body.step, shape.bins);
    score.push_back(mean_of(cell, ends));
    out.exact = false;
    out.width = std::max(out.width, ends.high - ends.low);
  }
  out.ordered = numeric::Ordered(std::move(score), mass, hits, std::uint64_t{1} << (body.fine ? fine_bits - drop : 0));
  return out;
}

}  // namespace tare::inner::state
