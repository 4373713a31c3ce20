// Functions with the same bits everywhere: compile without -ffast-math and without fused multiply-add. V is a double,
// or a vector of doubles with the same operators.

// ln 2 in two parts; the product of the first with a whole number of eleven bits is exact.
constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
constexpr double to_whole = 0x1.8p52;  // adding it rounds to the nearest whole number and leaves it in the last bits

template <class V>
V smaller(V a, V b) {
  return choose(b < a, b, a);
}
template <class V>
V larger(V a, V b) {
  return choose(a < b, b, a);
}
template <class V>
V between(V x, double most) {
  return smaller(larger(x, V(-most)), V(most));
}
template <class V>
V magnitude(V x) {
  return larger(x, -x);
}

// exp(x) of x <= 600, to about 1 unit in the last place: x = n ln 2 + r with |r| <= ln 2 / 2, and 1 + r + r^2 q(r)
// with the q of degree 9 whose largest relative error is least (3e-18). Times 2^(n + 64) by way of the exponent, then
// 2^-64: results below the normal numbers round once.
template <class V>
V exp(V x) {
  constexpr double to_exponents = to_whole + 64;  // leaves n + 64
  const V t = larger(x, V(-750)) * 1.4426950408889634 + to_exponents, n = t - to_exponents;
  const V r = plus_exact(larger(x, V(-750)), n, V(-ln2_high)) - n * ln2_low, r2 = r * r;
  const V even = 0.5000000000000012 +
                 r2 * (0.04166666666651542 +
                       r2 * (0.0013888888947016294 + r2 * (2.4801489941986953e-05 + r2 * 2.763128037806136e-07)));
  const V odd = 0.166666666666667 +
                r2 * (0.008333333333307217 +
                      r2 * (0.00019841269917354886 + r2 * (2.755721632951509e-06 + r2 * 2.511785118876895e-08)));
  const V p = 1 + (r + r2 * (even + r * odd));
  return of_bits(bits_of(p) + to_exponent(bits_of(t))) * 0x1p-64;
}

// k ln 2 + ln(1 + f), with 1 + f between the roots of 1/2 and 2. With s = f / (2 + f), ln(1 + f) = 2 artanh(s) =
// s (2 + R) = f - (f^2 / 2 - s (f^2 / 2 + R)), where R is s^2 times the polynomial in s^2 of degree 6 whose largest
// error is least (2.5e-18 of 2 + R).
template <class V>
V log_near_one(V k, V f) {
  const V s = f / (2 + f), z = s * s, half_square = 0.5 * f * f;
  const V series =
      z * (0.6666666666666734 +
           z * (0.39999999999414315 +
                z * (0.28571428742475385 +
                     z * (0.2222219856344929 +
                          z * (0.18183564867954755 + z * (0.15314035814324084 + z * 0.14796105555957476))))));
  return plus_exact(f - (half_square - (s * (half_square + series) + k * ln2_low)), k, V(ln2_high));
}

// ln(x) of x from the smallest normal number on, to less than 1 unit in the last place. k + 1023 are the upper bits: as
// the last bits of 2^52 they are a number, without a conversion.
template <class V>
V log_of_normal(V x) {
  constexpr std::uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd, mantissa = 0x000fffffffffffff;
  const auto above = bits_of(x) + (one - root_half);
  const V k = of_bits(from_exponent(above) | std::uint64_t{0x4330000000000000}) - (0x1p52 + 1023);
  return log_near_one(k, of_bits((above & mantissa) + root_half) - 1);
}

// ln(x) of x >= 0.
template <class V>
V log(V x) {
  constexpr double normal = 0x1p-1022, ln_of_2_54 = 37.42994775023705;
  const V y = log_of_normal(choose(x < normal, x * 0x1p54, x));
  return choose(V(0) < x, choose(x < normal, y - ln_of_2_54, y), V(-std::numeric_limits<double>::infinity()));
}

// ln(1 + x) of x from -1/2 to 1, to less than 1.5 units in the last place: 1 + x, 2 (1 + x) or (1 + x) / 2 is near 1,
// and what it has above 1 is exact.
template <class V>
V log1p(V x) {
  const auto low = x < -0.2928932, high = V(0.4142135) < x;
  return log_near_one(choose(low, V(-1), choose(high, V(1), V(0))),
                      choose(low, 1 + 2 * x, choose(high, (x - 1) * 0.5, x)));
}

// Of x from 0 to 1, the same.
template <class V>
V log1p_of_positive(V x) {
  const auto high = V(0.4142135) < x;
  return log_near_one(choose(high, V(1), V(0)), choose(high, (x - 1) * 0.5, x));
}

template <class V>
V sigma(V z) {
  const V e = exp(-magnitude(z));
  return choose(z < 0, e, V(1)) / (1 + e);
}
template <class V>
V log_sigma(V z) {
  return smaller(z, V(0)) - log1p_of_positive(exp(-magnitude(z)));
}

// In eight sums, which are added in pairs: those of the first half to those of the second, and so on.
inline double sum_of_eight(const double* s) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}
