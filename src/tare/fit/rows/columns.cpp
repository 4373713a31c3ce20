#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/fit/rows/columns.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/fit/rows/kernels.hpp"
#include "tare/fit/rows/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tare::detail::fit::rows::HWY_NAMESPACE {
namespace {

HWY_FLATTEN void LogOfOdds(double* odds, std::size_t n) {
  each_wide(odds, n, odds, [](auto x) HWY_ATTR { return log_of_odds(x); });
}
HWY_FLATTEN void ClassProbabilities(double* log_p, std::size_t n) {
  each_wide(log_p, n, log_p, [](auto x) HWY_ATTR { return class_probability(x); });
}
HWY_FLATTEN void ClassOdds(double* log_p, std::size_t n) {
  each_wide(log_p, n, log_p, [](auto x) HWY_ATTR { return class_odds(x); });
}

HWY_FLATTEN void LogOddsF32(const float* p, std::size_t n, double* out) {
  each_wide(p, n, out, [](auto x) HWY_ATTR { return log_odds(x); });
}
HWY_FLATTEN void LogOddsF64(const double* p, std::size_t n, double* out) {
  each_wide(p, n, out, [](auto x) HWY_ATTR { return log_odds(x); });
}
HWY_FLATTEN void SigmaF32(const float* z, std::size_t n, double* out) {
  each_wide(z, n, out, [](auto x) HWY_ATTR { return sigma(x); });
}
HWY_FLATTEN void SigmaF64(const double* z, std::size_t n, double* out) {
  each_wide(z, n, out, [](auto x) HWY_ATTR { return sigma(x); });
}
HWY_FLATTEN void SigmoidF32(const float* z, std::size_t n, double a, double b, double* out) {
  each_wide(z, n, out, [&](auto x) HWY_ATTR { return sigmoid_curve(x, a, b); });
}
HWY_FLATTEN void SigmoidF64(const double* z, std::size_t n, double a, double b, double* out) {
  each_wide(z, n, out, [&](auto x) HWY_ATTR { return sigmoid_curve(x, a, b); });
}

template <class T>
HWY_INLINE void beta_of(const T* z, std::size_t n, double a, double b, double c, double* out) {
  double powers[near];
  for_near(n, [&](std::size_t from, std::size_t count) HWY_ATTR {
    each_wide(z + from, count, powers, [](auto x) HWY_ATTR { return exp(-magnitude(x)); });
    double* const to = out + from;
    each_wide(z + from, powers, count, to, [&](auto x, auto e) HWY_ATTR { return beta_of_power(x, e, a, b, c); });
    each_wide(to, count, to, [](auto x) HWY_ATTR { return sigma(x); });
  });
}
HWY_FLATTEN void BetaF32(const float* z, std::size_t n, double a, double b, double c, double* out) {
  beta_of(z, n, a, b, c, out);
}
HWY_FLATTEN void BetaF64(const double* z, std::size_t n, double a, double b, double c, double* out) {
  beta_of(z, n, a, b, c, out);
}

// Features of at most `near` rows: x[0] of class 0, x[1] of class 1.
struct TwoFeatures {
  double x[2][near];
};
template <class T>
HWY_INLINE void features_of(const T* in, std::size_t n, bool probabilities, ColumnFeatures kind, TwoFeatures& out) {
  double* const x = out.x[1];
  if (probabilities && kind == ColumnFeatures::exact_logarithms) {
    each_wide(in, n, out.x[0], [](auto p) HWY_ATTR { return exact_log_of_rest(p); });
    return each_wide(in, n, x, [](auto p) HWY_ATTR { return log_or_none(p); });
  }
  double z[near];
  if (probabilities)
    each_wide(in, n, z, [](auto p) HWY_ATTR { return finite(clipped_log_odds(p, least<T>())); });
  else
    each(in, n, z, [](Lanes y) HWY_ATTR { return finite(y); });
  if (kind == ColumnFeatures::log_probabilities)
    each_wide(z, n, x, [](auto y) HWY_ATTR { return log_sigma(y); });
  else
    each(z, n, x, [](Lanes y) HWY_ATTR { return y / Lanes(2); });
  for (std::size_t i = 0; i < n; ++i) out.x[0][i] = x[i] - z[i];
}

HWY_INLINE void combine(const TwoFeatures& f, std::size_t n, const ColumnMap& map, double* out) {
  const auto& w = map.w;
  const auto& b = map.b;
  if (map.difference)
    each_wide(f.x[0], f.x[1], n, out,
              [&](auto x, auto y) HWY_ATTR { return second_of_two(decltype(x)(0), (y - x) * w[0][0] + b[0]); });
  else
    each_wide(f.x[0], f.x[1], n, out, [&](auto x, auto y) HWY_ATTR {
      return second_of_two(x * w[0][0] + y * w[0][1] + b[0], x * w[1][0] + y * w[1][1] + b[1]);
    });
}

template <class T>
HWY_INLINE void affine_of(const T* in, std::size_t n, bool probabilities, const ColumnMap& map, double* out) {
  TwoFeatures some;
  for_near(n, [&](std::size_t from, std::size_t count) HWY_ATTR {
    features_of(in + from, count, probabilities, map.features, some);
    combine(some, count, map, out + from);
  });
}
HWY_FLATTEN void AffineF32(const float* in, std::size_t n, bool probabilities, const ColumnMap& map, double* out) {
  affine_of(in, n, probabilities, map, out);
}
HWY_FLATTEN void AffineF64(const double* in, std::size_t n, bool probabilities, const ColumnMap& map, double* out) {
  affine_of(in, n, probabilities, map, out);
}

// The members of pieces, as vectors.
struct Pieces {
  Lanes from, width, low, high;
};

#if HWY_MAX_BYTES == 32 || HWY_MAX_BYTES == 64
// The piece of row i; of eight rows also that of row i + 4.
HWY_INLINE hn::Vec<Doubles> row_of(const std::uint32_t* place, const Piece* piece, std::size_t i) {
  const hn::CappedTag<double, 4> d;
  const auto one = hn::LoadU(d, &piece[place[i]].from);
#if HWY_MAX_BYTES == 32
  return one;
#else
  return hn::Combine(Doubles(), hn::LoadU(d, &piece[place[i + 4]].from), one);
#endif
}
HWY_INLINE Pieces pieces_of(const std::uint32_t* place, const Piece* piece) {
  const Doubles d;
  const auto r0 = row_of(place, piece, 0), r1 = row_of(place, piece, 1), r2 = row_of(place, piece, 2),
             r3 = row_of(place, piece, 3);
  const auto even01 = hn::InterleaveLower(d, r0, r1), even23 = hn::InterleaveLower(d, r2, r3);
  const auto odd01 = hn::InterleaveUpper(d, r0, r1), odd23 = hn::InterleaveUpper(d, r2, r3);
  return {hn::OddEvenBlocks(hn::SwapAdjacentBlocks(even23), even01),
          hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd23), odd01),
          hn::OddEvenBlocks(even23, hn::SwapAdjacentBlocks(even01)),
          hn::OddEvenBlocks(odd23, hn::SwapAdjacentBlocks(odd01))};
}
#else
HWY_INLINE Pieces pieces_of(const std::uint32_t* place, const Piece* piece) {
  double from[lanes], width[lanes], low[lanes], high[lanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    const Piece& p = piece[place[l]];
    from[l] = p.from;
    width[l] = p.width;
    low[l] = p.low;
    high[l] = p.high;
  }
  return {load(from), load(width), load(low), load(high)};
}
#endif

HWY_INLINE Lanes on_piece(Lanes score, const Pieces& p) {
  return smaller(p.low + (p.high - p.low) * ((score - p.from) / p.width), p.high);
}

template <class T>
HWY_INLINE void on_all(const T* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(on_piece(load(score + i), pieces_of(place + i, piece)), out + i);
  if (i == n) return;
  std::uint32_t last[lanes];
  for (std::size_t l = 0; l < lanes; ++l) last[l] = place[i + l < n ? i + l : i];
  store_some(on_piece(load_some(score + i, n - i), pieces_of(last, piece)), out + i, n - i);
}
HWY_FLATTEN void OnPiecesF32(const float* score, const std::uint32_t* place, std::size_t n, const Piece* piece,
                             double* out) {
  on_all(score, place, n, piece, out);
}
HWY_FLATTEN void OnPiecesF64(const double* score, const std::uint32_t* place, std::size_t n, const Piece* piece,
                             double* out) {
  on_all(score, place, n, piece, out);
}

template <class T>
HWY_INLINE void find_all(const T* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  const hn::Rebind<std::int32_t, Doubles> whole;
  const Lanes count = static_cast<double>(parts), last = static_cast<double>(parts - 1);
  // In this order a score that is none, not even a number, is in the first part or in the last.
  const auto found = [&](Lanes s)
                         HWY_ATTR { return hn::DemoteTo(whole, larger(Lanes(0.0), smaller(s * count, last)).v); };
  std::int32_t* const to = reinterpret_cast<std::int32_t*>(part);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(found(load(score + i)), whole, to + i);
  if (i == n) return;
  std::int32_t some[lanes];
  hn::StoreU(found(load_some(score + i, n - i)), whole, some);
  for (std::size_t l = 0; i + l < n; ++l) to[i + l] = some[l];
}
HWY_FLATTEN void FindPartsF32(const float* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  find_all(score, n, parts, part);
}
HWY_FLATTEN void FindPartsF64(const double* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  find_all(score, n, parts, part);
}

}  // namespace
}  // namespace tare::detail::fit::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::fit::rows {

HWY_EXPORT(LogOfOdds);
HWY_EXPORT(ClassProbabilities);
HWY_EXPORT(ClassOdds);
HWY_EXPORT(LogOddsF32);
HWY_EXPORT(LogOddsF64);
HWY_EXPORT(SigmaF32);
HWY_EXPORT(SigmaF64);
HWY_EXPORT(SigmoidF32);
HWY_EXPORT(SigmoidF64);
HWY_EXPORT(BetaF32);
HWY_EXPORT(BetaF64);
HWY_EXPORT(AffineF32);
HWY_EXPORT(AffineF64);
HWY_EXPORT(OnPiecesF32);
HWY_EXPORT(OnPiecesF64);
HWY_EXPORT(FindPartsF32);
HWY_EXPORT(FindPartsF64);

ColumnMap::ColumnMap(const Recipe::Affine& map) : features(map.features), difference(map.w.size() == 1) {
  if (difference) w[0][0] = map.w[0];
  for (std::size_t c = 0; c < 2 && map.w.size() == 2; ++c) w[c][c] = map.w[c];
  for (std::size_t i = 0; i < 4 && map.w.size() == 4; ++i) w[i / 2][i % 2] = map.w[i];
  for (std::size_t c = 0; c < map.b.size(); ++c) b[c] = map.b[c];
}

void take_log_of_odds(double* odds, std::size_t n) { HWY_DYNAMIC_DISPATCH(LogOfOdds)(odds, n); }
void take_class_probabilities(double* log_p, std::size_t n) { HWY_DYNAMIC_DISPATCH(ClassProbabilities)(log_p, n); }
void take_class_odds(double* log_p, std::size_t n) { HWY_DYNAMIC_DISPATCH(ClassOdds)(log_p, n); }
void log_odds_rows(const float* p, std::size_t n, double* out) { HWY_DYNAMIC_DISPATCH(LogOddsF32)(p, n, out); }
void log_odds_rows(const double* p, std::size_t n, double* out) { HWY_DYNAMIC_DISPATCH(LogOddsF64)(p, n, out); }
void sigma_rows(const float* z, std::size_t n, double* out) { HWY_DYNAMIC_DISPATCH(SigmaF32)(z, n, out); }
void sigma_rows(const double* z, std::size_t n, double* out) { HWY_DYNAMIC_DISPATCH(SigmaF64)(z, n, out); }
void sigmoid_rows(const float* z, std::size_t n, double a, double b, double* out) {
  HWY_DYNAMIC_DISPATCH(SigmoidF32)(z, n, a, b, out);
}
void sigmoid_rows(const double* z, std::size_t n, double a, double b, double* out) {
  HWY_DYNAMIC_DISPATCH(SigmoidF64)(z, n, a, b, out);
}
void beta_rows(const float* z, std::size_t n, double a, double b, double c, double* out) {
  HWY_DYNAMIC_DISPATCH(BetaF32)(z, n, a, b, c, out);
}
void beta_rows(const double* z, std::size_t n, double a, double b, double c, double* out) {
  HWY_DYNAMIC_DISPATCH(BetaF64)(z, n, a, b, c, out);
}
void affine_column(const float* in, std::size_t n, bool probabilities, const ColumnMap& map, double* out) {
  HWY_DYNAMIC_DISPATCH(AffineF32)(in, n, probabilities, map, out);
}
void affine_column(const double* in, std::size_t n, bool probabilities, const ColumnMap& map, double* out) {
  HWY_DYNAMIC_DISPATCH(AffineF64)(in, n, probabilities, map, out);
}
void on_pieces(const float* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out) {
  HWY_DYNAMIC_DISPATCH(OnPiecesF32)(score, place, n, piece, out);
}
void on_pieces(const double* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out) {
  HWY_DYNAMIC_DISPATCH(OnPiecesF64)(score, place, n, piece, out);
}
void find_parts(const float* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  HWY_DYNAMIC_DISPATCH(FindPartsF32)(score, n, parts, part);
}
void find_parts(const double* score, std::size_t n, std::size_t parts, std::uint32_t* part) {
  HWY_DYNAMIC_DISPATCH(FindPartsF64)(score, n, parts, part);
}

}  // namespace tare::detail::fit::rows
#endif
