#include "tare/numeric/simd/tempered.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/coarse_rows.hpp"

namespace tare::detail::numeric {
namespace {

constexpr std::size_t rows_per_chunk = 64;
constexpr double moderate = most_coarse_range;  // sums of squares of such logits fit without a unit

template <class T>
double log_of(T p) {
  return std::log(static_cast<double>(std::max(p, std::numeric_limits<T>::min())));
}
template <class T>
double odds_of(T p) {
  constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
  const auto x = static_cast<double>(p);
  return std::log(std::max(x, least) / std::max(1 - x, least));  // a ratio: its sign is that of p - 1/2
}

template <class T>
void logarithms_of(std::span<const T> probabilities, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<double>(std::max(probabilities[i], std::numeric_limits<T>::min()));
  take_logarithms(out);
}

// One chunk of rows as logits: the input itself, or a converted copy.
template <class T>
class Chunk {
 public:
  Chunk(std::span<const T> values, const LogitRows& rows, std::size_t first, std::size_t n)
      : count(n), width(rows.k == 1 ? 2 : rows.k), raw_(values.data() + first * rows.k) {
    if (rows.k != 1 && !rows.probabilities) return;
    copy_.assign(count * width, 0.0);
    if (rows.k == 1) {
      for (std::size_t i = 0; i < count; ++i)
        copy_[2 * i + 1] = rows.probabilities ? odds_of(raw_[i]) : static_cast<double>(raw_[i]);
      return;
    }
    logarithms_of(std::span(raw_, copy_.size()), copy_);
  }

  void moments(double v, RowSums sums, RowMoments* out) const {
    visit([&](const auto* z) { moments_of_rows(z, count, width, v, sums, out); });
  }
  void shape(RowShape* out) const {
    visit([&](const auto* z) { shapes_of_rows(z, count, width, out); });
  }
  // Calls f(rows of `width` numbers).
  template <class F>
  void visit(const F& f) const {
    if (copy_.empty())
      f(raw_);
    else
      f(copy_.data());
  }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const {
    return copy_.empty() ? static_cast<double>(raw_[i * width + j]) : copy_[i * width + j];
  }

  std::size_t count, width;

 private:
  const T* raw_;
  std::vector<double> copy_ = {};
};

// Calls body(chunk number, rows of the chunk, first row) in parallel.
template <class Body>
void for_chunks(const LogitRows& rows, int threads, const Body& body) {
  const std::size_t n = rows.label.size(), chunks = (n + rows_per_chunk - 1) / rows_per_chunk;
  rows.values.visit([&]<class S>(S values) {
    parallel_for(chunks, threads, [&](std::size_t c) {
      const std::size_t first = c * rows_per_chunk, count = std::min(rows_per_chunk, n - first);
      body(c, Chunk<typename S::value_type>(values, rows, first, count), first);
    });
  });
}

std::size_t chunk_count(const LogitRows& rows) { return (rows.label.size() + rows_per_chunk - 1) / rows_per_chunk; }

// Slopes in units of a power of two not below the range, so that every term of the exact sums is at most 1.
double unit_of(double range) { return range > 0 ? std::exp2(std::ceil(std::log2(range))) : 1; }

struct Totals {
  ExactSum weight, log_normaliser, label, mean, variance, tied;
  void merge(const Totals& o) {
    weight.merge(o.weight);
    log_normaliser.merge(o.log_normaliser);
    label.merge(o.label);
    mean.merge(o.mean);
    variance.merge(o.variance);
    tied.merge(o.tied);
  }
};

// Weights in a unit near the largest of them, a power of two: whatever they are counted in, the sums round alike.
class Weights {
 public:
  explicit Weights(const LogitRows& rows) : weight_(rows.weight) {
    if (!weight_.empty()) inverse_ = 1 / power_of_two_above(*std::max_element(weight_.begin(), weight_.end()));
  }
  double operator[](std::size_t i) const { return weight_.empty() ? 1 : weight_[i] * inverse_; }

 private:
  std::span<const double> weight_;
  double inverse_ = 1;
};

// One row of a pass at v; slopes in `unit`.
void add_row(const RowMoments& m, double label, double w, double unit, Totals& t) {
  const double mean = m.s1 / m.s0 / unit;
  t.weight.add_quickly(w);
  t.log_normaliser.add_quickly(std::log(m.s0), w);
  t.label.add_quickly((label - m.top) / unit, w);
  t.mean.add_quickly(mean, w);
  t.variance.add_quickly(std::max(0.0, m.s2 / m.s0 / unit / unit - mean * mean), w);
}

TemperedNll finish(const Totals& all, double v, double unit) {
  const double n = all.weight.value(), label = all.label.value();
  return {(all.log_normaliser.value() - v * unit * label) / n, (all.mean.value() - label) / n * unit,
          all.variance.value() / n * unit * unit};
}

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

LogitSurvey survey(const LogitRows& rows, RowSums sums, int threads) {
  const LogitSurvey out = survey_in(rows, sums, 1, nullptr, threads);
  const bool huge = out.range > moderate && std::isfinite(out.range);
  return huge ? survey_in(rows, RowSums::float64, unit_of(out.range), nullptr, threads) : out;
}

LogitSurvey survey(const LogitRows& rows, CoarseRows& coarse, int threads) {
  coarse = CoarseRows(rows.label.size(), rows.k == 1 ? 2 : rows.k);
  return survey_in(rows, RowSums::float64, 1, &coarse, threads);
}

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
