// Sanitizers slow simulations tenfold and look at memory and threads, not at frequencies: there, a tenth of the
// samples.
#pragma once

// Of the sanitizers' own libraries: present where the program was linked with one.
extern "C" __attribute__((weak)) void __asan_init();
extern "C" __attribute__((weak)) void __tsan_init();

namespace tare::detail::testing {

inline const bool sanitized = __asan_init != nullptr || __tsan_init != nullptr;

template <class Count>
Count samples(Count count) {
  return sanitized ? count / 10 : count;
}

}  // namespace tare::detail::testing
