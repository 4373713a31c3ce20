// The calibration curve of a sample and its band, as they are drawn. The structs are those of the public interface.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <tare/curve.hpp>

namespace tare::detail {

using tare::BandBasis;
using tare::CurveBand;
using tare::CurveCell;
using tare::CurveSpan;
using tare::Diagonal;

// Where the band is constant: for scores from .. to. With BandBasis::values each piece is one score.
struct BandPiece {
  double from = 0, to = 0;
  double low = 0, high = 1;
};
std::vector<BandPiece> band_pieces(const CurveBand& band);  // ascending, without gaps unless there are few values

// What the band and the estimate are at a score: between the values of a few, those of the nearest.
BandPiece band_at(const CurveBand& band, double score);
double curve_at(const CurveBand& band, double score);

// The share of rows below a score, half of those at it counted: the rank axis.
double rank_of(const CurveBand& band, double score);

constexpr std::string_view name(BandBasis basis) {
  constexpr std::string_view names[] = {"none", "rising", "values", "spans"};
  return names[static_cast<std::size_t>(basis)];
}

constexpr std::string_view name(Diagonal diagonal) {
  constexpr std::string_view names[] = {"unknown", "inside", "outside"};
  return names[static_cast<std::size_t>(diagonal)];
}

}  // namespace tare::detail
