// Sanitizers slow simulations tenfold and look at memory and threads, not at frequencies: there, a tenth of the samples.
#pragma once

namespace tare::testing {

#ifdef TARE_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

template <class Count>
constexpr Count samples(Count count) {
  return sanitized ? count / 10 : count;
}

}  // namespace tare::testing
