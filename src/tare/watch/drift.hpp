// Have the scores drifted? The two-sample test of Kolmogorov and Smirnov: the largest difference D between the shares
// of rows with a score up to x, and the tail of Kolmogorov's distribution at (sqrt(m) + 0.12 + 0.11 / sqrt(m)) D with
// m = n0 n1 / (n0 + n1) (Stephens 1970). Equal scores make the p-value larger than need be, never smaller.
#pragma once

#include "tare/core/watch.hpp"
#include "tare/watch/period.hpp"

namespace tare::inner::watch {

Drift drift(const Period& before, const Period& today);

// The probability that Kolmogorov's distribution exceeds x.
double kolmogorov_tail(double x);

}  // namespace tare::inner::watch
