// Vectors that the functions of numeric/strict and rows/numbers.inl take for numbers: the same operations in the same
// order, in every lane. Compiled once per instruction set (Highway's convention for -inl files).
#if defined(TARE_FIT_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TARE_FIT_LANES_INL
#undef TARE_FIT_LANES_INL
#else
#define TARE_FIT_LANES_INL
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tare::detail::fit::rows::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Words = hn::RebindToUnsigned<Doubles>;

struct Bits {
  using Number = std::uint64_t;
  hn::Vec<Words> v;
  HWY_INLINE Bits(hn::Vec<Words> x) : v(x) {}
  HWY_INLINE Bits(std::uint64_t x) : v(hn::Set(Words(), x)) {}
  friend HWY_INLINE Bits operator+(Bits a, Bits b) { return hn::Add(a.v, b.v); }
  friend HWY_INLINE Bits operator&(Bits a, Bits b) { return hn::And(a.v, b.v); }
  friend HWY_INLINE Bits operator|(Bits a, Bits b) { return hn::Or(a.v, b.v); }
  friend HWY_INLINE Bits to_exponent(Bits a) { return hn::ShiftLeft<52>(a.v); }
  friend HWY_INLINE Bits from_exponent(Bits a) { return hn::ShiftRight<52>(a.v); }
};

struct Where {
  hn::Mask<Doubles> m;
};

struct Lanes {
  using Number = double;
  hn::Vec<Doubles> v;
  HWY_INLINE Lanes() : v(hn::Zero(Doubles())) {}
  HWY_INLINE Lanes(hn::Vec<Doubles> x) : v(x) {}
  HWY_INLINE Lanes(double x) : v(hn::Set(Doubles(), x)) {}
  friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return hn::Add(a.v, b.v); }
  friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return hn::Sub(a.v, b.v); }
  friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return hn::Mul(a.v, b.v); }
  friend HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return hn::Div(a.v, b.v); }
  friend HWY_INLINE Lanes operator-(Lanes a) { return hn::Neg(a.v); }
  friend HWY_INLINE Where operator<(Lanes a, Lanes b) { return Where{hn::Lt(a.v, b.v)}; }
  friend HWY_INLINE Bits bits_of(Lanes a) { return hn::BitCast(Words(), a.v); }
  friend HWY_INLINE Lanes choose(Where w, Lanes yes, Lanes no) { return hn::IfThenElse(w.m, yes.v, no.v); }
};
HWY_INLINE Lanes of_bits(Bits a) { return hn::BitCast(Doubles(), a.v); }

// Fused where it can be: the product is exact either way.
HWY_INLINE Lanes plus_exact(Lanes sum, Lanes a, Lanes b) { return hn::MulAdd(a.v, b.v, sum.v); }
// Of -0 it is 0: exponentials, which are all that is made of it, are the same.
HWY_INLINE Lanes magnitude(Lanes x) { return hn::Abs(x.v); }
#if HWY_ARCH_X86
// Where the two are equal the instruction gives the second, as the functions of two numbers give the first.
HWY_INLINE Lanes smaller(Lanes a, Lanes b) { return hn::Min(b.v, a.v); }
HWY_INLINE Lanes larger(Lanes a, Lanes b) { return hn::Max(b.v, a.v); }
#else
HWY_INLINE Lanes smaller(Lanes a, Lanes b) { return choose(b < a, b, a); }
HWY_INLINE Lanes larger(Lanes a, Lanes b) { return choose(a < b, b, a); }
#endif

constexpr std::size_t lanes = hn::MaxLanes(Doubles());
static_assert(8 % lanes == 0);

// Two side by side: vectors, or pairs of them. A function is a chain of operations each of which waits for the one
// before; while it waits, the others run.
template <class V>
struct Pair;
template <class V>
HWY_INLINE Pair<V> pair_of(V one, V two) {
  return {one, two};
}
template <class W>
struct WherePair {
  W one, two;
};
template <class V>
struct Pair {
  using Number = typename V::Number;
  V one, two;
  HWY_INLINE Pair(V a, V b) : one(a), two(b) {}
  HWY_INLINE Pair(Number x) : one(x), two(x) {}
  friend HWY_INLINE Pair operator+(Pair a, Pair b) { return {a.one + b.one, a.two + b.two}; }
  friend HWY_INLINE Pair operator-(Pair a, Pair b) { return {a.one - b.one, a.two - b.two}; }
  friend HWY_INLINE Pair operator*(Pair a, Pair b) { return {a.one * b.one, a.two * b.two}; }
  friend HWY_INLINE Pair operator/(Pair a, Pair b) { return {a.one / b.one, a.two / b.two}; }
  friend HWY_INLINE Pair operator-(Pair a) { return {-a.one, -a.two}; }
  friend HWY_INLINE Pair operator&(Pair a, Pair b) { return {a.one & b.one, a.two & b.two}; }
  friend HWY_INLINE Pair operator|(Pair a, Pair b) { return {a.one | b.one, a.two | b.two}; }
  friend HWY_INLINE Pair to_exponent(Pair a) { return {to_exponent(a.one), to_exponent(a.two)}; }
  friend HWY_INLINE Pair from_exponent(Pair a) { return {from_exponent(a.one), from_exponent(a.two)}; }
  friend HWY_INLINE auto bits_of(Pair a) { return pair_of(bits_of(a.one), bits_of(a.two)); }
  friend HWY_INLINE auto of_bits(Pair a) { return pair_of(of_bits(a.one), of_bits(a.two)); }
  friend HWY_INLINE Pair smaller(Pair a, Pair b) { return {smaller(a.one, b.one), smaller(a.two, b.two)}; }
  friend HWY_INLINE Pair larger(Pair a, Pair b) { return {larger(a.one, b.one), larger(a.two, b.two)}; }
  friend HWY_INLINE Pair magnitude(Pair a) { return {magnitude(a.one), magnitude(a.two)}; }
  friend HWY_INLINE Pair plus_exact(Pair sum, Pair a, Pair b) {
    return {plus_exact(sum.one, a.one, b.one), plus_exact(sum.two, a.two, b.two)};
  }
  friend HWY_INLINE auto operator<(Pair a, Pair b) {
    return WherePair<decltype(a.one < b.one)>{a.one < b.one, a.two < b.two};
  }
  template <class W>
  friend HWY_INLINE Pair choose(WherePair<W> w, Pair yes, Pair no) {
    return {choose(w.one, yes.one, no.one), choose(w.two, yes.two, no.two)};
  }
};
using Wide = Pair<Pair<Lanes>>;
constexpr std::size_t wide = 4 * lanes;

// What is called for every vector, and again where a row ends, is to be part of the loop: the files below are also read
// by others, and say nothing about it.
#define TARE_LANES_ONE(name) \
  template <class V>         \
  HWY_INLINE V name(V x);
TARE_LANES_ONE(exp)
TARE_LANES_ONE(log)
TARE_LANES_ONE(log_of_normal)
TARE_LANES_ONE(log1p)
TARE_LANES_ONE(log1p_of_positive)
TARE_LANES_ONE(sigma)
TARE_LANES_ONE(log_sigma)
TARE_LANES_ONE(log_of_odds)
TARE_LANES_ONE(log_odds)
TARE_LANES_ONE(class_probability)
TARE_LANES_ONE(class_odds)
TARE_LANES_ONE(log_or_none)
TARE_LANES_ONE(exact_log_of_rest)
#undef TARE_LANES_ONE
template <class V>
HWY_INLINE V log_near_one(V k, V f);
template <class V>
HWY_INLINE V log_odds_of(V p, V rest);
template <class V>
HWY_INLINE V clipped_log_odds(V p, double least);
template <class V>
HWY_INLINE V clipped_log(V p, double least);
template <class V>
HWY_INLINE V tempered_odds(V z, double v);
template <class V>
HWY_INLINE V tempered_power(V a, double v);
template <class V>
HWY_INLINE V tempered_ratio(V ratio, double v);
template <class V>
HWY_INLINE V second_of_two(V u, V v);
template <class V>
HWY_INLINE V sigmoid_curve(V z, double a, double b);
template <class V>
HWY_INLINE V beta_log_odds(V z, double a, double b, double c);
template <class V>
HWY_INLINE V beta_of_power(V z, V e, double a, double b, double c);

#include "tare/numeric/strict/functions.inl"
// after it
#include "tare/fit/rows/numbers.inl"

HWY_INLINE Lanes load(const double* at) { return hn::LoadU(Doubles(), at); }
HWY_INLINE Lanes load(const float* at) { return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), at)); }
HWY_INLINE void store(Lanes x, double* at) { hn::StoreU(x.v, Doubles(), at); }
template <class T>
HWY_INLINE Wide load_wide(const T* at) {
  return {{load(at), load(at + lanes)}, {load(at + 2 * lanes), load(at + 3 * lanes)}};
}
HWY_INLINE void store(Wide x, double* at) {
  store(x.one.one, at);
  store(x.one.two, at + lanes);
  store(x.two.one, at + 2 * lanes);
  store(x.two.two, at + 3 * lanes);
}

// `count` numbers, fewer than a vector has; the first stands for those that are not there.
#if HWY_MEM_OPS_MIGHT_FAULT
template <class T>
HWY_INLINE Lanes load_some(const T* at, std::size_t count) {
  double some[lanes];
  for (std::size_t l = 0; l < lanes; ++l) some[l] = static_cast<double>(at[l < count ? l : 0]);
  return load(some);
}
HWY_INLINE void store_some(Lanes x, double* at, std::size_t count) {
  double some[lanes];
  store(x, some);
  for (std::size_t l = 0; l < count; ++l) at[l] = some[l];
}
#else
template <class T>
HWY_INLINE Lanes load_some(const T* at, std::size_t count) {
  const hn::Rebind<T, Doubles> d;
  const auto there = hn::FirstN(d, count);
  const auto some = hn::IfThenElse(there, hn::MaskedLoad(there, d, at), hn::Set(d, at[0]));
  if constexpr (sizeof(T) == sizeof(double))
    return some;
  else
    return hn::PromoteTo(Doubles(), some);
}
HWY_INLINE void store_some(Lanes x, double* at, std::size_t count) {
  hn::BlendedStore(x.v, hn::FirstN(Doubles(), count), Doubles(), at);
}
#endif

// Of all numbers, one vector after the other.
template <class T, class Op>
HWY_INLINE void each(const T* in, std::size_t n, double* out, const Op& op) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(op(load(in + i)), out + i);
  if (i < n) store_some(op(load_some(in + i, n - i)), out + i, n - i);
}

// What takes longer: some side by side. op takes both kinds.
template <class T, class Op>
HWY_INLINE void each_wide(const T* in, std::size_t n, double* out, const Op& op) {
  std::size_t i = 0;
  for (; i + wide <= n; i += wide) store(op(load_wide(in + i)), out + i);
  if (i < n) each(in + i, n - i, out + i, op);
}
// Of two numbers each.
template <class T, class Op>
HWY_INLINE void each_wide(const T* in, const double* with, std::size_t n, double* out, const Op& op) {
  std::size_t i = 0;
  for (; i + wide <= n; i += wide) store(op(load_wide(in + i), load_wide(with + i)), out + i);
  for (; i + lanes <= n; i += lanes) store(op(load(in + i), load(with + i)), out + i);
  if (i < n) store_some(op(load_some(in + i, n - i), load_some(with + i, n - i)), out + i, n - i);
}

// Calls body(first, count) for some at a time: between two passes over them they stay in the nearest cache. A pass for
// each function of a few is faster than one for all: more of its numbers are under way at once.
constexpr std::size_t near = 1024;
template <class Body>
HWY_INLINE void for_near(std::size_t n, const Body& body) {
  for (std::size_t from = 0; from < n; from += near) body(from, n - from < near ? n - from : near);
}

// sum(), of what op makes of each number of a row and its place.
class Eight {
 public:
  HWY_INLINE Eight() {
    for (Lanes& part : part_) part = 0.0;
  }
  HWY_INLINE void add(std::size_t j, Lanes x) { part_[j / lanes % parts] = part_[j / lanes % parts] + x; }
  HWY_INLINE void add_some(std::size_t j, Lanes x, std::size_t count) {
    add(j, hn::IfThenElseZero(hn::FirstN(Doubles(), count), x.v));
  }
  HWY_INLINE double sum() const {
    double s[8];
    for (std::size_t p = 0; p < parts; ++p) store(part_[p], s + p * lanes);
    return sum_of_eight(s);
  }

 private:
  static constexpr std::size_t parts = 8 / lanes;
  Lanes part_[parts];
};
template <class T, class Op>
HWY_INLINE double sum_of(const T* row, std::size_t k, const Op& op) {
  Eight out;
  std::size_t j = 0;
  for (; j + lanes <= k; j += lanes) out.add(j, op(load(row + j), j));
  if (j < k) out.add_some(j, op(load_some(row + j, k - j), j), k - j);
  return out.sum();
}

// The largest of what op makes of each number of a row and its place.
template <class T, class Op>
HWY_INLINE double largest_of(const T* row, std::size_t k, const Op& op) {
  Lanes out = k < lanes ? op(load_some(row, k), 0) : op(load(row), 0);
  std::size_t j = lanes;
  for (; j + lanes <= k; j += lanes) out = hn::Max(out.v, op(load(row + j), j).v);
  if (j < k) out = hn::Max(out.v, op(load_some(row + j, k - j), j).v);
  return hn::GetLane(hn::MaxOfLanes(Doubles(), out.v));
}

}  // namespace
}  // namespace tare::detail::fit::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
