#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/fit/rows/kernels.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/fit/rows/kernels.hpp"
#include "tare/fit/rows/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tare::detail::fit::rows::HWY_NAMESPACE {
namespace {

// Rows of many numbers, some of them at once: what they have in common is done without gaps between rows. `powers`
// makes exponentials of what `first` makes of each number and the largest of its row.
template <class T, class First, class Powers>
HWY_INLINE void softmax_of_many(const T* in, std::size_t n, std::size_t k, double* out, const First& first,
                                const Powers& powers) {
  constexpr std::size_t numbers = 2048;  // stay in the nearest cache
  const std::size_t some = numbers < k ? 1 : numbers / k;
  for (std::size_t from = 0; from < n; from += some) {
    const std::size_t count = n - from < some ? n - from : some;
    double* const to = out + from * k;
    for (std::size_t i = 0; i < count; ++i) {
      const T* row = in + (from + i) * k;
      const Lanes top = largest_of(row, k, [](Lanes z, std::size_t) HWY_ATTR { return z; });
      each(row, k, to + i * k, [&](Lanes z) HWY_ATTR { return first(z, top); });
    }
    each_wide(to, count * k, to, powers);
    for (std::size_t i = 0; i < count; ++i) {
      double* const row = to + i * k;
      const Lanes inverse = 1 / sum_of(row, k, [](Lanes e, std::size_t) HWY_ATTR { return e; });
      each(row, k, row, [&](Lanes e) HWY_ATTR { return e * inverse; });
    }
  }
}

// Rows of a few numbers: many of them at once, without gaps. `powers` makes exponentials of what `first` made of them.
constexpr std::size_t few = 16, few_rows = 64;

template <class T, class First, class Powers>
HWY_INLINE void softmax_of_few(const T* in, std::size_t n, std::size_t k, double* out, const First& first,
                               const Powers& powers) {
  for (std::size_t from = 0; from < n; from += few_rows) {
    const std::size_t count = n - from < few_rows ? n - from : few_rows;
    double* const to = out + from * k;
    for (std::size_t i = 0; i < count; ++i) {
      const T* row = in + (from + i) * k;
      T top = row[0];
      for (std::size_t j = 1; j < k; ++j) top = top < row[j] ? row[j] : top;
      for (std::size_t j = 0; j < k; ++j) to[i * k + j] = first(static_cast<double>(row[j]), static_cast<double>(top));
    }
    each_wide(to, count * k, to, powers);
    for (std::size_t i = 0; i < count; ++i) {
      const double inverse = 1 / rows::sum(to + i * k, k);
      for (std::size_t j = 0; j < k; ++j) to[i * k + j] *= inverse;
    }
  }
}

// Rows of many numbers are a function of their own: GCC makes slower loops of those of a few beside them.
template <class T>
HWY_NOINLINE HWY_FLATTEN void tempered_many(const T* in, std::size_t n, std::size_t k, bool probabilities, double v,
                                            double* out) {
  if (probabilities)
    softmax_of_many(
        in, n, k, out, [](Lanes p, Lanes top) HWY_ATTR { return larger(p, Lanes(least<T>())) / top; },
        [&](auto ratio) HWY_ATTR { return exp(tempered_ratio(ratio, v)); });
  else
    softmax_of_many(
        in, n, k, out, [](Lanes z, Lanes top) HWY_ATTR { return z - top; },
        [&](auto a) HWY_ATTR { return exp(tempered_power(a, v)); });
}

template <class T>
HWY_INLINE void tempered_rows_of(const T* in, std::size_t n, std::size_t k, bool probabilities, double v, double* out) {
  if (k > 1 && k < few && probabilities) {
    softmax_of_few(
        in, n, k, out, [](double p, double top) HWY_ATTR { return (p < least<T>() ? least<T>() : p) / top; },
        [&](auto ratio) HWY_ATTR { return exp(tempered_ratio(ratio, v)); });
  } else if (k > 1 && k < few) {
    softmax_of_few(
        in, n, k, out, [](double z, double top) HWY_ATTR { return z - top; },
        [&](auto a) HWY_ATTR { return exp(tempered_power(a, v)); });
  } else if (probabilities) {
    for_near(n, [&](std::size_t from, std::size_t count) HWY_ATTR {
      each_wide(in + from, count, out + from, [](auto p) HWY_ATTR { return clipped_log_odds(p, least<T>()); });
      each_wide(out + from, count, out + from, [&](auto z) HWY_ATTR { return tempered_odds(z, v); });
    });
  } else {
    each_wide(in, n, out, [&](auto z) HWY_ATTR { return tempered_odds(z, v); });
  }
}
HWY_FLATTEN void TemperedF32(const float* in, std::size_t n, std::size_t k, bool probabilities, double v, double* out) {
  if (k >= few) return tempered_many(in, n, k, probabilities, v, out);
  tempered_rows_of(in, n, k, probabilities, v, out);
}
HWY_FLATTEN void TemperedF64(const double* in, std::size_t n, std::size_t k, bool probabilities, double v,
                             double* out) {
  if (k >= few) return tempered_many(in, n, k, probabilities, v, out);
  tempered_rows_of(in, n, k, probabilities, v, out);
}

HWY_FLATTEN void Softmax(double* rows, std::size_t n, std::size_t k) {
  if (k < few)
    return softmax_of_few(
        rows, n, k, rows, [](double z, double top) HWY_ATTR { return z - top; },
        [](auto a) HWY_ATTR { return exp(a); });
  softmax_of_many(
      rows, n, k, rows, [](Lanes z, Lanes top) HWY_ATTR { return z - top; }, [](auto a) HWY_ATTR { return exp(a); });
}

// x where its place is not `top` and inside of the row, else `other`.
HWY_INLINE Lanes without(Lanes x, std::size_t j, std::size_t top, std::size_t k, double other) {
  const Lanes place = hn::Iota(Doubles(), static_cast<double>(j));
  const Lanes inside = choose(place < static_cast<double>(k), x, Lanes(other));
  return hn::IfThenElse(hn::Eq(place.v, hn::Set(Doubles(), static_cast<double>(top))), hn::Set(Doubles(), other),
                        inside.v);
}

// Facts before the logarithms are taken: of `normaliser` and `rest`.
struct Sums {
  double top, second, normaliser, rest;
};
template <class T>
HWY_INLINE Sums sums_of_row(const T* row, std::size_t k, bool logits, bool odds, std::size_t& place) {
  Sums out{largest_of(row, k, [](Lanes z, std::size_t) HWY_ATTR { return z; }), 0, 1, 1};
  place = 0;
  while (static_cast<double>(row[place]) < out.top) ++place;
  if (logits) {
    const Lanes m = out.top;
    out.normaliser = sum_of(row, k, [&](Lanes z, std::size_t) HWY_ATTR { return exp(z - m); });
  }
  if (odds && logits) {
    constexpr double none = -std::numeric_limits<double>::infinity();
    out.second = largest_of(row, k, [&](Lanes z, std::size_t j) HWY_ATTR { return without(z, j, place, k, none); });
    const Lanes m = out.second;
    out.rest = sum_of(row, k, [&](Lanes z, std::size_t j) HWY_ATTR { return without(exp(z - m), j, place, k, 0); });
  } else if (odds) {
    out.rest = sum_of(row, k, [&](Lanes p, std::size_t j) HWY_ATTR { return without(p, j, place, k, 0); });
  }
  return out;
}

template <class T>
HWY_INLINE void normalisers_of_few(const T* in, std::size_t n, std::size_t k, RowFacts* out) {
  double powers[few_rows * few], totals[few_rows];
  for (std::size_t from = 0; from < n; from += few_rows) {
    const std::size_t count = n - from < few_rows ? n - from : few_rows;
    for (std::size_t i = 0; i < count; ++i) {
      const T* row = in + (from + i) * k;
      out[from + i].top = place_of_largest(row, k);
      const double top = static_cast<double>(row[out[from + i].top]);
      for (std::size_t j = 0; j < k; ++j) powers[i * k + j] = static_cast<double>(row[j]) - top;
    }
    each_wide(powers, count * k, powers, [](auto a) HWY_ATTR { return exp(a); });
    for (std::size_t i = 0; i < count; ++i) totals[i] = rows::sum(powers + i * k, k);
    each_wide(totals, count, totals, [](auto x) HWY_ATTR { return log(x); });
    for (std::size_t i = 0; i < count; ++i) {
      RowFacts& row = out[from + i];
      row.log_normaliser = static_cast<double>(in[(from + i) * k + row.top]) + totals[i];
    }
  }
}

template <class T>
HWY_INLINE void facts(const T* in, std::size_t n, std::size_t k, bool logits, bool odds, RowFacts* out) {
  if (k < few && logits && !odds) return normalisers_of_few(in, n, k, out);
  constexpr std::size_t block = 128;
  double top[block], second[block], normaliser[block], rest[block];
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = n - first < block ? n - first : block;
    for (std::size_t i = 0; i < count; ++i) {
      const Sums s = sums_of_row(in + (first + i) * k, k, logits, odds, out[first + i].top);
      top[i] = s.top;
      second[i] = s.second;
      normaliser[i] = s.normaliser;
      rest[i] = logits ? s.rest : s.top / s.rest;
    }
    if (logits) each_wide(normaliser, count, normaliser, [](auto x) HWY_ATTR { return log(x); });
    if (odds) each_wide(rest, count, rest, [&](auto x) HWY_ATTR { return logits ? log(x) : log_of_odds(x); });
    for (std::size_t i = 0; i < count; ++i) {
      if (logits) out[first + i].log_normaliser = top[i] + normaliser[i];
      if (odds) out[first + i].top_odds = logits ? rows::finite(top[i] - second[i] - rest[i]) : rest[i];
    }
  }
}
HWY_FLATTEN void FactsF32(const float* in, std::size_t n, std::size_t k, bool logits, bool odds, RowFacts* out) {
  facts(in, n, k, logits, odds, out);
}
HWY_FLATTEN void FactsF64(const double* in, std::size_t n, std::size_t k, bool logits, bool odds, RowFacts* out) {
  facts(in, n, k, logits, odds, out);
}

template <class T>
HWY_INLINE void features(const T* in, std::size_t n, bool probabilities, double* out) {
  if (probabilities)
    each_wide(in, n, out, [](auto p) HWY_ATTR { return clipped_log(p, least<T>()); });
  else
    each(in, n, out, [](Lanes z) HWY_ATTR { return finite(z); });
}
HWY_FLATTEN void FeaturesF32(const float* in, std::size_t n, bool probabilities, double* out) {
  features(in, n, probabilities, out);
}
HWY_FLATTEN void FeaturesF64(const double* in, std::size_t n, bool probabilities, double* out) {
  features(in, n, probabilities, out);
}

// `count` rows (at most four) from class c on, as many classes as a vector has lanes.
template <std::size_t count>
HWY_INLINE void affine_block(const double* x, std::size_t k, std::size_t c, std::size_t classes, const double* w,
                             const double* b, double* out) {
  Lanes u[count];
  const bool whole = classes == lanes;
  for (std::size_t j = 0; j < k; ++j) {
    const double* from = w + j * k + c;
    const Lanes w_j = whole ? load(from) : load_some(from, classes);
    for (std::size_t i = 0; i < count; ++i) u[i] = u[i] + Lanes(x[i * k + j]) * w_j;
  }
  const Lanes shift = load_some(b + c, classes);
  for (std::size_t i = 0; i < count; ++i) store_some(u[i] + shift, out + i * k + c, classes);
}
void Affine(const double* x, std::size_t n, std::size_t k, const double* w, const double* b, double* out) {
  for (std::size_t c = 0; c < k; c += lanes) {
    const std::size_t classes = c + lanes < k ? lanes : k - c;
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) affine_block<8>(x + i * k, k, c, classes, w, b, out + i * k);
    for (; i < n; ++i) affine_block<1>(x + i * k, k, c, classes, w, b, out + i * k);
  }
}

}  // namespace
}  // namespace tare::detail::fit::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::fit::rows {

HWY_EXPORT(TemperedF32);
HWY_EXPORT(TemperedF64);
HWY_EXPORT(Softmax);
HWY_EXPORT(FactsF32);
HWY_EXPORT(FactsF64);
HWY_EXPORT(FeaturesF32);
HWY_EXPORT(FeaturesF64);
HWY_EXPORT(Affine);

void tempered_rows(const float* in, std::size_t n, std::size_t k, bool probabilities, double v, double* out) {
  HWY_DYNAMIC_DISPATCH(TemperedF32)(in, n, k, probabilities, v, out);
}
void tempered_rows(const double* in, std::size_t n, std::size_t k, bool probabilities, double v, double* out) {
  HWY_DYNAMIC_DISPATCH(TemperedF64)(in, n, k, probabilities, v, out);
}
void softmax_rows(double* rows, std::size_t n, std::size_t k) { HWY_DYNAMIC_DISPATCH(Softmax)(rows, n, k); }
void facts_of_rows(const float* in, std::size_t n, std::size_t k, bool logits, bool odds, RowFacts* out) {
  HWY_DYNAMIC_DISPATCH(FactsF32)(in, n, k, logits, odds, out);
}
void facts_of_rows(const double* in, std::size_t n, std::size_t k, bool logits, bool odds, RowFacts* out) {
  HWY_DYNAMIC_DISPATCH(FactsF64)(in, n, k, logits, odds, out);
}
void features_of_logits(const float* in, std::size_t n, bool probabilities, double* out) {
  HWY_DYNAMIC_DISPATCH(FeaturesF32)(in, n, probabilities, out);
}
void features_of_logits(const double* in, std::size_t n, bool probabilities, double* out) {
  HWY_DYNAMIC_DISPATCH(FeaturesF64)(in, n, probabilities, out);
}
void affine_rows(const double* x, std::size_t n, std::size_t k, const double* w, const double* b, double* out) {
  HWY_DYNAMIC_DISPATCH(Affine)(x, n, k, w, b, out);
}

}  // namespace tare::detail::fit::rows
#endif
