#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/fit/rows/columns.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/fit/rows/columns.hpp"
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

}  // namespace tare::detail::fit::rows
#endif
