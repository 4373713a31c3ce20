// ln |Gamma(x)| that any thread may call: std::lgamma writes the sign to a global variable.
#pragma once

#include <math.h>  // lgamma_r is POSIX, and not in namespace std

namespace tare::detail::numeric {

inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace tare::detail::numeric
