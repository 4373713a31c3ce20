#include "tare/numeric/simd/tempered.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tare/numeric/simd/logit_chunks.hpp"

namespace tare::detail::numeric {

LargeArray<double> logits_of(const LogitRows& rows, int threads) {
  constexpr std::size_t numbers = 1 << 14;
  LargeArray<double> out(rows.values.size());
  rows.values.visit([&](auto values) {
    parallel_for((out.size() + numbers - 1) / numbers, threads, [&](std::size_t c) {
      const std::size_t first = c * numbers, count = std::min(numbers, out.size() - first);
      const auto from = values.subspan(first, count);
      const auto to = std::span<double>(out).subspan(first, count);
      if (rows.k > 1) return logarithms_of(from, to);
      for (std::size_t i = 0; i < count; ++i) to[i] = odds_of(from[i]);
    });
  });
  return out;
}

namespace {

Totals pass(const LogitRows& rows, double v, double unit, RowSums sums, int threads) {
  const Weights weight(rows);
  std::vector<Totals> parts(chunk_count(rows));
  for_chunks(rows, threads, [&](std::size_t c, const auto& chunk, std::size_t first) {
    std::array<RowMoments, rows_per_chunk> moments;
    chunk.moments(v, sums, moments.data());
    for (std::size_t i = 0; i < chunk.count; ++i) {
      const double w = weight[first + i];
      if (w > 0) add_row(moments[i], chunk.at(i, static_cast<std::size_t>(rows.label[first + i])), w, unit, parts[c]);
    }
  });
  Totals all;
  for (const auto& p : parts) all.merge(p);
  return all;
}

}  // namespace

TemperedNll tempered_nll(const LogitRows& rows, double v, double range, RowSums sums, int threads) {
  const double unit = unit_of(range);
  return finish(pass(rows, v, unit, sums, threads), v, unit);
}

void TemperedPass::add(const LogitRows& part, int threads) {
  struct Look {
    double range = 0;
    bool all_right = true;
  };
  std::vector<Look> looks(chunk_count(part));
  for_chunks(part, threads, [&](std::size_t c, const auto& chunk, std::size_t first) {
    std::array<RowShape, rows_per_chunk> shapes;
    chunk.shape(shapes.data());
    for (std::size_t i = 0; i < chunk.count; ++i) {
      looks[c].range = std::max(looks[c].range, shapes[i].high - shapes[i].low);
      looks[c].all_right &= chunk.at(i, static_cast<std::size_t>(part.label[first + i])) == shapes[i].high;
    }
  });
  for (const Look& look : looks) {
    range = std::max(range, look.range);
    all_right &= look.all_right;
  }
  const Totals more = pass(part, v, moderate, RowSums::float64, threads);
  merge({.v = v,
         .rows = part.label.size(),
         .log_normaliser = more.log_normaliser.units(),
         .label = more.label.units(),
         .mean = more.mean.units(),
         .variance = more.variance.units()});
}

void TemperedPass::merge(const TemperedPass& other) {
  rows += other.rows;
  log_normaliser += other.log_normaliser;
  label += other.label;
  mean += other.mean;
  variance += other.variance;
  range = std::max(range, other.range);
  all_right &= other.all_right;
}

TemperedNll TemperedPass::nll() const {
  Totals all;
  all.weight.add(static_cast<double>(rows));
  all.log_normaliser.add_units(log_normaliser);
  all.label.add_units(label);
  all.mean.add_units(mean);
  all.variance.add_units(variance);
  return finish(all, v, moderate);
}

}  // namespace tare::detail::numeric
