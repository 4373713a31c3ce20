#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tare/numeric/simd/coarse_rows.hpp"
#include "tare/numeric/simd/logit_chunks.hpp"

namespace tare::detail::numeric {
namespace {

struct SurveyPart {
  Totals totals = {};
  double largest = 0, range = 0, least_weight = std::numeric_limits<double>::max();
  bool all_right = true;
};

// One row: `tied` is the number of logits that share the largest, counted only while every label is right.
void add_row(const RowShape& s, double label, double w, double unit, std::size_t tied, SurveyPart& part) {
  constexpr double most = 0x1p20;  // only reached in a pass whose unit is too small: it is repeated
  part.largest = std::max({part.largest, std::abs(s.low), std::abs(s.high)});
  if (w == 0) return;
  part.range = std::max(part.range, s.high - s.low);
  part.least_weight = std::min(part.least_weight, w);
  part.all_right &= label == s.high;
  part.totals.weight.add_quickly(w);
  const double slope = (s.mean - label) / unit;  // undefined for logits such as 1e308, which nobody fits
  part.totals.mean.add_quickly(std::isnan(slope) ? most : std::clamp(slope, -most, most), w);
  part.totals.variance.add_quickly(std::isfinite(s.variance) ? std::min(s.variance / unit / unit, most) : most, w);
  if (part.all_right) part.totals.tied.add_quickly(std::log(static_cast<double>(tied)), w);
}

struct ChunkSurvey {
  SurveyPart shape = {};
  Totals at_one = {};
};

// With `coarse` the rows are put there, and nothing is asked at v = 1.
LogitSurvey survey_in(const LogitRows& rows, RowSums sums, double unit, CoarseRows* coarse, int threads) {
  const Weights weight(rows);
  std::vector<ChunkSurvey> parts(chunk_count(rows));
  for_chunks(rows, threads, [&](std::size_t c, const auto& chunk, std::size_t first) {
    std::array<RowShape, rows_per_chunk> shapes;
    std::array<RowMoments, rows_per_chunk> moments;
    chunk.shape(shapes.data());
    if (coarse)
      chunk.visit([&](const auto* z) { coarse->put(first, chunk.count, z, shapes.data()); });
    else
      chunk.moments(1, sums, moments.data());
    SurveyPart& part = parts[c].shape;
    for (std::size_t i = 0; i < chunk.count; ++i) {
      const double label = chunk.at(i, static_cast<std::size_t>(rows.label[first + i])), w = weight[first + i];
      std::size_t tied = 0;
      for (std::size_t j = 0; j < chunk.width && part.all_right; ++j) tied += chunk.at(i, j) == shapes[i].high;
      add_row(shapes[i], label, w, unit, tied, part);
      // in a unit that is too small the sums could overflow: that pass is repeated
      if (!(w > 0 && shapes[i].high - shapes[i].low <= moderate * unit)) continue;
      if (coarse)
        parts[c].at_one.label.add_quickly(label - shapes[i].high, w);
      else
        add_row(moments[i], label, w, unit, parts[c].at_one);
    }
  });
  Totals shape, at_one;
  LogitSurvey out{.least_weight = std::numeric_limits<double>::max()};
  for (const auto& p : parts) {
    shape.merge(p.shape.totals);
    at_one.merge(p.at_one);
    out.largest = std::max(out.largest, p.shape.largest);
    out.range = std::max(out.range, p.shape.range);
    out.least_weight = std::min(out.least_weight, p.shape.least_weight);
    out.all_right &= p.shape.all_right;
  }
  out.total_weight = shape.weight.value();
  out.slope = shape.mean.value() / out.total_weight * unit;
  out.curvature = shape.variance.value() / out.total_weight * unit * unit;
  if (coarse)
    coarse->complete(rows.weight, out.total_weight, at_one.label.value() / out.total_weight, out.range);
  else
    out.at_one = finish(at_one, 1, unit);
  if (out.all_right) out.limit = shape.tied.value() / out.total_weight;
  return out;
}

}  // namespace

LogitSurvey survey(const LogitRows& rows, RowSums sums, int threads) {
  const LogitSurvey out = survey_in(rows, sums, 1, nullptr, threads);
  const bool huge = out.range > moderate && std::isfinite(out.range);
  return huge ? survey_in(rows, RowSums::float64, unit_of(out.range), nullptr, threads) : out;
}

LogitSurvey survey(const LogitRows& rows, CoarseRows& coarse, int threads) {
  coarse = CoarseRows(rows.label.size(), rows.k == 1 ? 2 : rows.k);
  return survey_in(rows, RowSums::float64, 1, &coarse, threads);
}

}  // namespace tare::detail::numeric
