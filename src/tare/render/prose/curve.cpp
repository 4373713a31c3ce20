#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tare::detail::render {
namespace {

int samples(const CurveBand& band) { return static_cast<int>(std::lround(100 * band.level)); }

}  // namespace

std::string band_meaning(const CurveBand& band) {
  switch (band.basis) {
    case BandBasis::none:
      return "There is no band: " + band.reason + ".";
    case BandBasis::rising:
      return fmt::format(
          "The band holds the whole true curve in at least {} of 100 samples, if the true curve never falls.",
          samples(band));
    case BandBasis::values:
      return fmt::format(
          "The intervals hold the true rates of all values at once in at least {} of 100 samples; nothing is assumed "
          "about the curve.",
          samples(band));
    case BandBasis::spans:
      return fmt::format(
          "These data contradict a curve that never falls, so the band assumes nothing about its shape: it holds the "
          "mean of the true curve over each of {} spans of scores, all at once, in at least {} of 100 samples.",
          band.spans.size(), samples(band));
  }
  return {};
}

std::string diagonal_sentence(const CurveBand& band) {
  const int rare = 100 - samples(band);
  const std::string_view what = band.basis == BandBasis::values ? "an interval" : "the band";
  if (band.basis == BandBasis::none) return {};
  if (band.basis == BandBasis::spans)
    return fmt::format(
        "The diagonal never falls either: a calibrated model would show this in at most {} of 100 samples.", rare);
  if (band.diagonal == Diagonal::outside)
    return fmt::format("The diagonal leaves {}: with a calibrated model it would in at most {} of 100 samples.", what,
                       rare);
  return fmt::format("The diagonal stays in {}: this picture does not rule out a calibrated model.",
                     band.basis == BandBasis::values ? "all intervals" : "the band");
}

std::string band_label(const CurveBand& band) {
  switch (band.basis) {
    case BandBasis::none:
      return "no band";
    case BandBasis::rising:
      return fmt::format("{}% band for the whole curve, if it never falls", samples(band));
    case BandBasis::values:
      return fmt::format("exact interval; all hold at once, {}%", samples(band));
    case BandBasis::spans:
      return fmt::format("{}% band for means over spans: the curve falls", samples(band));
  }
  return {};
}

}  // namespace tare::detail::render
