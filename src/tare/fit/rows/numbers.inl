// What maps do to single numbers. V is a double, or a vector of doubles.

constexpr double largest_log_odds = 36.04365338911715;  // of 1 - 2^-52: the clamp of probabilities
constexpr double log_of_zero = -1e300;                  // a probability of exactly 0: no shift brings it back

template <class V>
V finite(V z) {
  return between(z, 1e100);  // differences of logits, and products with parameters, may overflow
}
// Odds below the normal numbers, 0 among them, have the smallest log-odds.
template <class V>
V log_of_odds(V odds) {
  return between(log_of_normal(larger(odds, V(0x1p-1022))), largest_log_odds);
}
template <class V>
V log_odds_of(V p, V rest) {
  return log_of_odds(p / rest);
}
template <class V>
V log_odds(V p) {
  return log_odds_of(p, 1 - p);
}

// Log-odds that a temperature divides, and those of features; `least` is the smallest normal number of the input, and
// odds are no smaller.
template <class V>
V clipped_log_odds(V p, double least) {
  return log_of_normal(larger(p, V(least)) / larger(1 - p, V(least)));
}
template <class V>
V clipped_log(V p, double least) {
  return log_of_normal(larger(p, V(least)));
}

// sigma(v z). The sign of z is kept: what is above 1/2 stays above it.
template <class V>
V tempered_odds(V z, double v) {
  const V e = exp(-v * magnitude(z)), q = choose(V(0) < z, V(1), e) / (1 + e);
  return choose(V(0) < z, larger(q, V(0.5 + 0x1p-53)), q);
}
// The exponent of a class that is `a` from the largest: z - top, or ln(p / top) of the ratio. exp(-2^-50) is a few
// units in the last place under 1, and stays so after division: a smaller logit never gets the same probability as the
// largest.
template <class V>
V tempered_power(V a, double v) {
  return choose(a < 0, smaller(v * a, V(-0x1p-50)), V(0));
}
template <class V>
V tempered_ratio(V ratio, double v) {
  return choose(ratio < 1, smaller(v * log_of_normal(ratio), V(-0x1p-50)), V(0));
}

// Of ln p. Rounding may carry it above 0; a class that is not the largest has at most 1/2.
template <class V>
V class_probability(V log_p) {
  return smaller(exp(log_p), V(1));
}
template <class V>
V class_odds(V log_p) {
  return finite(log_p - log1p(-smaller(exp(log_p), V(0.5))));
}

// Class 1 of softmax(u, v): of two numbers the exponential of the larger is 1.
template <class V>
V second_of_two(V u, V v) {
  const V e = exp(-magnitude(v - u));
  return choose(v < u, e, V(1)) * (1 / (1 + e));
}

// ln p, and ln(1 - p) with all its digits.
template <class V>
V log_or_none(V p) {
  return choose(V(0) < p, log(p), V(log_of_zero));
}
template <class V>
V exact_log_of_rest(V p) {
  return choose(p < V(0.5), log1p(-smaller(p, V(0.5))), log_or_none(1 - p));
}

template <class V>
V sigmoid_curve(V z, double a, double b) {
  return sigma(a * z + b);
}
// e is exp(-|z|).
template <class V>
V beta_of_power(V z, V e, double a, double b, double c) {
  const V less = log1p_of_positive(e);  // in log_sigma(z) and in log_sigma(-z)
  return a * (smaller(z, V(0)) - less) - b * (smaller(-z, V(0)) - less) + c;
}
template <class V>
V beta_log_odds(V z, double a, double b, double c) {
  return beta_of_power(z, exp(-magnitude(z)), a, b, c);
}
