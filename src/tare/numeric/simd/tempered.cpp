#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/simd/tempered.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/cache_control.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

#ifndef TARE_NUMERIC_TEMPERED_ONCE
#define TARE_NUMERIC_TEMPERED_ONCE

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::inner::numeric {

struct RowMoments {
  double s0, s1, s2;  // sums of exp(v a), a exp(v a), a^2 exp(v a)
  double top;         // the largest logit
};
struct RowShape {
  double low, high, mean, variance;
};

inline constexpr std::size_t rows_per_chunk_tempered = 64;

}  // namespace tare::inner::numeric
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::inner::numeric::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of W, filled from numbers of type T (the same, or float32 into float64).
template <class W>
HWY_INLINE hn::Vec<hn::ScalableTag<W>> load(const W* at) {
  return hn::LoadU(hn::ScalableTag<W>(), at);
}
template <class W>
HWY_INLINE hn::Vec<hn::ScalableTag<double>> load(const float* at) requires std::is_same_v<W, double> {
  const hn::ScalableTag<double> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), at));
}

// Calls body(vector, mask of real lanes) over a row; what is missing in the last vector is `fill`.
template <class W, class T, class Body>
HWY_INLINE void over(const T* HWY_RESTRICT row, std::size_t k, T fill, const Body& body) {
  const hn::ScalableTag<W> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  const auto all = hn::FirstN(d, lanes);
  for (; j + lanes <= k; j += lanes) body(load<W>(row + j), all);
  if (j == k) return;
  T tail[HWY_MAX_BYTES / sizeof(W)];
  for (std::size_t l = 0; l < lanes; ++l) tail[l] = j + l < k ? row[j + l] : fill;
  body(load<W>(tail), hn::FirstN(d, k - j));
}

template <class T>
HWY_INLINE T largest(const T* HWY_RESTRICT row, std::size_t k) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto m0 = hn::Set(d, row[0]), m1 = m0, m2 = m0, m3 = m0;
  std::size_t j = 0;
  for (; j + 4 * lanes <= k; j += 4 * lanes) {
    m0 = hn::Max(m0, hn::LoadU(d, row + j));
    m1 = hn::Max(m1, hn::LoadU(d, row + j + lanes));
    m2 = hn::Max(m2, hn::LoadU(d, row + j + 2 * lanes));
    m3 = hn::Max(m3, hn::LoadU(d, row + j + 3 * lanes));
  }
  for (; j + lanes <= k; j += lanes) m0 = hn::Max(m0, hn::LoadU(d, row + j));
  T m = hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(m0, m1), hn::Max(m2, m3))));
  for (; j < k; ++j) m = std::max(m, row[j]);
  return m;
}

// exp(x) for x <= 0, good to 1e-7 or 1e-15 and never below exp(-87) or exp(-708), which no sum here can see.
// x = n ln 2 + r; adding 1.5 times 2^23 or 2^52 rounds to the integer n and leaves it in the low bits.
HWY_INLINE hn::Vec<hn::ScalableTag<float>> exp_negative(hn::Vec<hn::ScalableTag<float>> x) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> bits;
  const auto magic = hn::Set(d, 12582912.0F);
  x = hn::Max(x, hn::Set(d, -87.0F));
  const auto t = hn::MulAdd(x, hn::Set(d, 1.44269504F), magic), n = hn::Sub(t, magic);
  const auto r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), hn::NegMulAdd(n, hn::Set(d, 0.693359375F), x));
  const auto r2 = hn::Mul(r, r);
  const auto c23 = hn::MulAdd(hn::Set(d, 0.16666520F), r, hn::Set(d, 0.49999993F));
  const auto c45 = hn::MulAdd(hn::Set(d, 0.0083687451F), r, hn::Set(d, 0.041668391F));
  const auto high = hn::MulAdd(hn::MulAdd(hn::Set(d, 0.0013814539F), r2, c45), r2, c23);
  const auto p = hn::MulAdd(high, r2, hn::Add(r, hn::Set(d, 1.0F)));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, p), hn::ShiftLeft<23>(hn::BitCast(bits, t))));
}
HWY_INLINE hn::Vec<hn::ScalableTag<double>> exp_negative(hn::Vec<hn::ScalableTag<double>> x) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> bits;
  const auto magic = hn::Set(d, 0x1.8p52);
  x = hn::Max(x, hn::Set(d, -708.0));
  const auto t = hn::MulAdd(x, hn::Set(d, 1.4426950408889634), magic), n = hn::Sub(t, magic);
  const auto r =
      hn::NegMulAdd(n, hn::Set(d, 5.7699990475432854e-08), hn::NegMulAdd(n, hn::Set(d, 0.6931471228599548), x));
  const auto r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
  const auto c23 = hn::MulAdd(hn::Set(d, 0.1666666666664829), r, hn::Set(d, 0.5));
  const auto c45 = hn::MulAdd(hn::Set(d, 0.008333333353729397), r, hn::Set(d, 0.04166666666665136));
  const auto c67 = hn::MulAdd(hn::Set(d, 0.00019841208732536384), r, hn::Set(d, 0.0013888888905881542));
  const auto c89 = hn::MulAdd(hn::Set(d, 2.762511557828763e-06), r, hn::Set(d, 2.4801536388690766e-05));
  const auto low = hn::MulAdd(c45, r2, c23);
  const auto high = hn::MulAdd(hn::MulAdd(hn::Set(d, 2.761380686153829e-07), r2, c89), r2, c67);
  const auto p = hn::MulAdd(hn::MulAdd(high, r4, low), r2, hn::Add(r, hn::Set(d, 1.0)));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, p), hn::ShiftLeft<52>(hn::BitCast(bits, t))));
}

template <class W>
struct Sums {
  hn::Vec<hn::ScalableTag<W>> s0, s1, s2;
};
template <class W, class V>
HWY_INLINE void add(V a, V e, Sums<W>& sums) {
  sums.s0 = hn::Add(sums.s0, e);
  const V ae = hn::Mul(a, e);
  sums.s1 = hn::Add(sums.s1, ae);
  sums.s2 = hn::MulAdd(a, ae, sums.s2);
}

template <class W, class T>
HWY_INLINE RowMoments moments(const T* HWY_RESTRICT row, std::size_t k, double v) {
  const hn::ScalableTag<W> d;
  const std::size_t lanes = hn::Lanes(d);
  const T top = largest(row, k);
  const auto m = hn::Set(d, static_cast<W>(top)), vv = hn::Set(d, static_cast<W>(v));
  const auto zero = hn::Zero(d);
  Sums<W> even{zero, zero, zero}, odd = even;
  std::size_t j = 0;
  for (; j + 2 * lanes <= k; j += 2 * lanes) {
    hwy::Prefetch(row + k + j);  // the next row, which would otherwise be waited for
    hwy::Prefetch(row + k + j + lanes);
    const auto a = hn::Sub(load<W>(row + j), m), b = hn::Sub(load<W>(row + j + lanes), m);
    add<W>(a, exp_negative(hn::Mul(vv, a)), even);
    add<W>(b, exp_negative(hn::Mul(vv, b)), odd);
  }
  over<W>(row + j, k - j, top, [&](auto z, auto real) HWY_ATTR {
    const auto a = hn::Sub(z, m);
    add<W>(a, hn::IfThenElseZero(real, exp_negative(hn::Mul(vv, a))), even);
  });
  const auto sum = [&](auto x, auto y)
                       HWY_ATTR { return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, hn::Add(x, y)))); };
  return {sum(even.s0, odd.s0), sum(even.s1, odd.s1), sum(even.s2, odd.s2), static_cast<double>(top)};
}

// Range exactly; mean and variance in the precision of the input: they only start a search.
template <class T>
HWY_INLINE RowShape shape(const T* HWY_RESTRICT row, std::size_t k) {
  const hn::ScalableTag<T> d;
  const auto base = hn::Set(d, row[0]);
  auto low = base, high = base, s1 = hn::Zero(d), s2 = s1;
  over<T>(row, k, row[0], [&](auto z, auto) HWY_ATTR {
    low = hn::Min(low, z);
    high = hn::Max(high, z);
    const auto a = hn::Sub(z, base);
    s1 = hn::Add(s1, a);
    s2 = hn::MulAdd(a, a, s2);
  });
  const auto n = static_cast<double>(k);
  const double mean = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, s1))) / n;
  const double square = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, s2))) / n;
  return {static_cast<double>(hn::GetLane(hn::MinOfLanes(d, low))),
          static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, high))), mean + static_cast<double>(row[0]),
          std::max(0.0, square - mean * mean)};
}

void MomentsF32(const float* rows, std::size_t n, std::size_t k, double v, RowMoments* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = moments<float>(rows + i * k, k, v);
}
void MomentsMixed(const float* rows, std::size_t n, std::size_t k, double v, RowMoments* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = moments<double>(rows + i * k, k, v);
}
void MomentsF64(const double* rows, std::size_t n, std::size_t k, double v, RowMoments* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = moments<double>(rows + i * k, k, v);
}
void ShapeF32(const float* rows, std::size_t n, std::size_t k, RowShape* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = shape(rows + i * k, k);
}
void ShapeF64(const double* rows, std::size_t n, std::size_t k, RowShape* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = shape(rows + i * k, k);
}

template <class Op>
HWY_INLINE void map_in_place(double* HWY_RESTRICT x, std::size_t n, const Op& op) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) hn::StoreU(op(hn::LoadU(d, x + j)), d, x + j);
  if (j == n) return;
  double tail[HWY_MAX_BYTES / sizeof(double)];
  for (std::size_t l = 0; l < lanes; ++l) tail[l] = j + l < n ? x[j + l] : 1.0;
  hn::StoreU(op(hn::LoadU(d, tail)), d, tail);
  for (std::size_t l = 0; j + l < n; ++l) x[j + l] = tail[l];
}

void Logarithms(double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  map_in_place(x, n, [&](auto v) HWY_ATTR { return hn::Log(d, v); });
}

void SoftmaxInPlace(double* rows, std::size_t n, std::size_t k, double* log_normaliser) {
  const hn::ScalableTag<double> d;
  for (std::size_t i = 0; i < n; ++i) {
    double* row = rows + i * k;
    const double top = largest(row, k);
    const auto m = hn::Set(d, top);
    map_in_place(row, k, [&](auto x) HWY_ATTR { return hn::Exp(d, hn::Sub(x, m)); });
    auto total = hn::Zero(d);
    over<double>(row, k, 0.0, [&](auto e, auto) HWY_ATTR { total = hn::Add(total, e); });
    const double sum = hn::GetLane(hn::SumOfLanes(d, total));
    if (log_normaliser) log_normaliser[i] = top + std::log(sum);
    const auto inverse = hn::Set(d, 1 / sum);
    map_in_place(row, k, [&](auto e) HWY_ATTR { return hn::Mul(e, inverse); });
  }
}

}  // namespace
}  // namespace tare::inner::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::inner::numeric {

HWY_EXPORT(MomentsF32);
HWY_EXPORT(MomentsMixed);
HWY_EXPORT(MomentsF64);
HWY_EXPORT(ShapeF32);
HWY_EXPORT(ShapeF64);
HWY_EXPORT(Logarithms);
HWY_EXPORT(SoftmaxInPlace);

namespace {

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
    for (std::size_t i = 0; i < copy_.size(); ++i)
      copy_[i] = static_cast<double>(std::max(raw_[i], std::numeric_limits<T>::min()));
    HWY_DYNAMIC_DISPATCH(Logarithms)(copy_.data(), copy_.size());
  }

  void moments(double v, RowSums sums, RowMoments* out) const {
    if (!copy_.empty())
      HWY_DYNAMIC_DISPATCH(MomentsF64)(copy_.data(), count, width, v, out);
    else if constexpr (std::is_same_v<T, double>)
      HWY_DYNAMIC_DISPATCH(MomentsF64)(raw_, count, width, v, out);
    else if (sums == RowSums::float32)
      HWY_DYNAMIC_DISPATCH(MomentsF32)(raw_, count, width, v, out);
    else
      HWY_DYNAMIC_DISPATCH(MomentsMixed)(raw_, count, width, v, out);
  }
  void shape(RowShape* out) const {
    if (!copy_.empty())
      HWY_DYNAMIC_DISPATCH(ShapeF64)(copy_.data(), count, width, out);
    else if constexpr (std::is_same_v<T, double>)
      HWY_DYNAMIC_DISPATCH(ShapeF64)(raw_, count, width, out);
    else
      HWY_DYNAMIC_DISPATCH(ShapeF32)(raw_, count, width, out);
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
  const std::size_t n = rows.label.size(), chunks = (n + rows_per_chunk_tempered - 1) / rows_per_chunk_tempered;
  rows.values.visit([&]<class S>(S values) {
    parallel_for(chunks, threads, [&](std::size_t c) {
      const std::size_t first = c * rows_per_chunk_tempered, count = std::min(rows_per_chunk_tempered, n - first);
      body(c, Chunk<typename S::value_type>(values, rows, first, count), first);
    });
  });
}

std::size_t chunk_count(const LogitRows& rows) {
  return (rows.label.size() + rows_per_chunk_tempered - 1) / rows_per_chunk_tempered;
}

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

constexpr double moderate = 0x1p10;  // sums of squares of such logits fit without a unit

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
  part.totals.mean.add_quickly(std::clamp((s.mean - label) / unit, -most, most), w);
  part.totals.variance.add_quickly(std::isfinite(s.variance) ? std::min(s.variance / unit / unit, most) : most, w);
  if (part.all_right) part.totals.tied.add_quickly(std::log(static_cast<double>(tied)), w);
}

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

struct ChunkSurvey {
  SurveyPart shape = {};
  Totals at_one = {};
};

LogitSurvey survey_in(const LogitRows& rows, RowSums sums, double unit, int threads) {
  const Weights weight(rows);
  std::vector<ChunkSurvey> parts(chunk_count(rows));
  for_chunks(rows, threads, [&](std::size_t c, const auto& chunk, std::size_t first) {
    std::array<RowShape, rows_per_chunk_tempered> shapes;
    std::array<RowMoments, rows_per_chunk_tempered> moments;
    chunk.shape(shapes.data());
    chunk.moments(1, sums, moments.data());
    SurveyPart& part = parts[c].shape;
    for (std::size_t i = 0; i < chunk.count; ++i) {
      const double label = chunk.at(i, static_cast<std::size_t>(rows.label[first + i])), w = weight[first + i];
      std::size_t tied = 0;
      for (std::size_t j = 0; j < chunk.width && part.all_right; ++j) tied += chunk.at(i, j) == shapes[i].high;
      add_row(shapes[i], label, w, unit, tied, part);
      // in a unit that is too small the sums could overflow: that pass is repeated
      if (w > 0 && shapes[i].high - shapes[i].low <= moderate * unit)
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
  out.at_one = finish(at_one, 1, unit);
  if (out.all_right) out.limit = shape.tied.value() / out.total_weight;
  return out;
}

}  // namespace

double log_clipped(float p) { return log_of(p); }
double log_clipped(double p) { return log_of(p); }
double log_odds_clipped(float p) { return odds_of(p); }
double log_odds_clipped(double p) { return odds_of(p); }

LogitSurvey survey(const LogitRows& rows, RowSums sums, int threads) {
  const LogitSurvey out = survey_in(rows, sums, 1, threads);
  const bool huge = out.range > moderate && std::isfinite(out.range);
  return huge ? survey_in(rows, RowSums::float64, unit_of(out.range), threads) : out;
}

TemperedNll tempered_nll(const LogitRows& rows, double v, double range, RowSums sums, int threads) {
  const double unit = unit_of(range);
  const Weights weight(rows);
  std::vector<Totals> parts(chunk_count(rows));
  for_chunks(rows, threads, [&](std::size_t c, const auto& chunk, std::size_t first) {
    std::array<RowMoments, rows_per_chunk_tempered> moments;
    chunk.moments(v, sums, moments.data());
    for (std::size_t i = 0; i < chunk.count; ++i) {
      const double w = weight[first + i];
      if (w > 0) add_row(moments[i], chunk.at(i, static_cast<std::size_t>(rows.label[first + i])), w, unit, parts[c]);
    }
  });
  Totals all;
  for (const auto& p : parts) all.merge(p);
  return finish(all, v, unit);
}

void softmax_in_place(std::span<double> rows, std::size_t k, double* log_normaliser) {
  HWY_DYNAMIC_DISPATCH(SoftmaxInPlace)(rows.data(), rows.size() / k, k, log_normaliser);
}

void tempered_softmax(const Reals& in, std::size_t k, bool probabilities, double v, std::span<double> out) {
  constexpr double below =
      0x1p-50;  // exp(-below) is a few units in the last place under 1, and stays so after division
  in.visit([&]<class S>(S values) {
    using T = typename S::value_type;
    if (k == 1) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double z = probabilities ? odds_of(values[i]) : static_cast<double>(values[i]);
        const double e = std::exp(-v * std::abs(z));
        out[i] = z > 0 ? std::max(1 / (1 + e), 0.5 + 0x1p-53) : e / (1 + e);
      }
      return;
    }
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
    for (std::size_t i = 0; i < values.size(); i += k) {
      const auto row = values.subspan(i, k);
      const auto top = static_cast<double>(*std::max_element(row.begin(), row.end()));
      for (std::size_t j = 0; j < k; ++j) {
        const auto z = static_cast<double>(row[j]);
        if (probabilities)
          out[i + j] = std::max(z, least) / top;
        else
          out[i + j] = z < top ? std::min(v * (z - top), -below) : 0;
      }
      if (!probabilities) continue;
      HWY_DYNAMIC_DISPATCH(Logarithms)(out.data() + i, k);
      for (std::size_t j = 0; j < k; ++j)
        out[i + j] = static_cast<double>(row[j]) < top ? std::min(v * out[i + j], -below) : 0;
    }
    softmax_in_place(out.subspan(0, values.size()), k);
  });
}

}  // namespace tare::inner::numeric
#endif
