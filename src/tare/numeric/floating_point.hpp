// The floating-point environment of the machine belongs to the caller; numbers here are those of the default one.
#pragma once

#include <cfenv>

namespace tare::detail::numeric {

// While it lives, this thread rounds to nearest, keeps subnormal numbers and traps nothing, whatever the caller has set
// (a program linked with -ffast-math flushes them to zero). Afterwards everything is as the caller had it.
class FloatingPoint {
 public:
  FloatingPoint() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatingPoint() { std::fesetenv(&callers_); }
  FloatingPoint(const FloatingPoint&) = delete;
  FloatingPoint& operator=(const FloatingPoint&) = delete;

 private:
  std::fenv_t callers_ = {};
};

}  // namespace tare::detail::numeric
