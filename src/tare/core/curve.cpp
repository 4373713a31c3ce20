#include "tare/core/curve.hpp"

#include <algorithm>

namespace tare::detail {
namespace {

void add(std::vector<BandPiece>& out, const BandPiece& next) {
  if (!(next.from < next.to)) return;
  if (!out.empty() && out.back().to == next.from && out.back().low == next.low && out.back().high == next.high)
    out.back().to = next.to;
  else
    out.push_back(next);
}

// Inside a cell only what is known from its neighbours holds; between two cells what both know.
std::vector<BandPiece> rising_pieces(const std::vector<CurveCell>& cells) {
  std::vector<BandPiece> out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const double before = c > 0 ? cells[c - 1].low : 0, after = c + 1 < cells.size() ? cells[c + 1].high : 1;
    add(out, {cells[c].first, cells[c].last, before, after});
    if (c + 1 < cells.size()) add(out, {cells[c].last, cells[c + 1].first, cells[c].low, after});
  }
  if (out.empty() && !cells.empty())
    out.push_back({cells.front().first, cells.front().last, cells.front().low, cells.front().high});
  return out;
}

std::vector<BandPiece> span_pieces(const CurveBand& band) {
  std::vector<BandPiece> out;
  for (std::size_t s = 0; s < band.spans.size(); ++s) {
    const CurveSpan& span = band.spans[s];
    BandPiece piece{band.cells[span.from].first, band.cells[span.to - 1].last, span.low, span.high};
    if (!out.empty()) piece.from = out.back().to;
    if (s + 1 < band.spans.size()) piece.to += (band.cells[span.to].first - piece.to) / 2;
    out.push_back(piece);
  }
  return out;
}

}  // namespace

std::vector<BandPiece> band_pieces(const CurveBand& band) {
  std::vector<BandPiece> out;
  switch (band.basis) {
    case BandBasis::none:
      break;
    case BandBasis::rising:
      return rising_pieces(band.cells);
    case BandBasis::values:
      for (const CurveCell& c : band.cells) out.push_back({c.first, c.last, c.low, c.high});
      break;
    case BandBasis::spans:
      return span_pieces(band);
  }
  return out;
}

BandPiece band_at(const CurveBand& band, double score) {
  BandPiece out{score, score};
  if (band.basis == BandBasis::rising) {
    for (const CurveCell& c : band.cells) {
      if (c.last <= score) out.low = std::max(out.low, c.low);
      if (c.first >= score) out.high = std::min(out.high, c.high);
    }
    return out;
  }
  double nearest = 2;
  for (const BandPiece& piece : band_pieces(band)) {
    const double away = std::max({piece.from - score, score - piece.to, 0.0});
    if (away < nearest) {
      nearest = away;
      out.low = piece.low;
      out.high = piece.high;
    }
  }
  return out;
}

double curve_at(const CurveBand& band, double score) {
  const auto above =
      std::find_if(band.cells.begin(), band.cells.end(), [&](const CurveCell& c) { return c.mean_score >= score; });
  if (above == band.cells.begin()) return above->curve;
  if (above == band.cells.end()) return band.cells.back().curve;
  const CurveCell& below = *(above - 1);
  const double part = (score - below.mean_score) / (above->mean_score - below.mean_score);
  if (band.basis == BandBasis::values) return part < 0.5 ? below.curve : above->curve;
  return below.curve + part * (above->curve - below.curve);
}

double rank_of(const CurveBand& band, double score) {
  if (band.cells.empty() || score < band.cells.front().first) return 0;
  if (score > band.cells.back().last) return 1;
  double total = 0;
  for (const CurveCell& c : band.cells) total += c.count;
  double below = 0, x = band.cells.front().first, rank = 0;  // the last point on the way
  const auto between = [&](double to, double to_rank) {
    return to > x ? rank + (to_rank - rank) * (score - x) / (to - x) : to_rank;
  };
  for (const CurveCell& c : band.cells) {
    const double here = (below + c.count / 2) / total;
    if (score <= c.mean_score) return between(c.mean_score, here);
    x = c.mean_score;
    rank = here;
    below += c.count;
  }
  return between(band.cells.back().last, 1);
}

}  // namespace tare::detail
