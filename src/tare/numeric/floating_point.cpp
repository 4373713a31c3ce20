#include "tare/numeric/floating_point.hpp"

namespace tare::detail::numeric {

FloatingPoint::FloatingPoint() {
  std::fegetenv(&callers_);
  std::fesetenv(FE_DFL_ENV);
}

FloatingPoint::~FloatingPoint() { std::fesetenv(&callers_); }

}  // namespace tare::detail::numeric
