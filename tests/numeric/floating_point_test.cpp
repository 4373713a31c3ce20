#include "tare/numeric/floating_point.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <limits>
#include <thread>

#include "tare/numeric/parallel.hpp"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using namespace tare::detail::numeric;

// Volatile: the compiler may not do these sums itself, nor once for several environments.
bool rounds_to_nearest() {
  const volatile double one = 1, small = std::numeric_limits<double>::epsilon() / 4;
  return one + small == one && one - small / 2 == one;  // upwards the first is larger, downwards the second smaller
}

bool keeps_subnormals() {
  const volatile double least = std::numeric_limits<double>::min();
  return least / 2 > 0;
}

// An environment as a caller may have it. What was before comes back at the end.
class Strange {
 public:
  Strange() {
    std::fegetenv(&before_);
    std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, subnormals are zero: what -ffast-math sets when it links
#endif
  }
  ~Strange() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_ = {};
};

bool strange() {
#if defined(__x86_64__)
  return !rounds_to_nearest() && !keeps_subnormals();
#else
  return !rounds_to_nearest();
#endif
}

TEST(floating_point, is_the_default_inside_and_the_callers_afterwards) {
  const Strange environment;
  ASSERT_TRUE(strange());
  {
    const FloatingPoint normal;
    EXPECT_TRUE(rounds_to_nearest() && keeps_subnormals());
  }
  EXPECT_TRUE(strange());
}

TEST(floating_point, is_the_default_in_threads_whatever_the_caller_has) {
  const Strange environment;
  const auto caller = std::this_thread::get_id();
  std::atomic<int> helpers = 0;
  std::atomic<bool> normal = true;
  parallel_for(3, 3, [&](std::size_t) {
    if (std::this_thread::get_id() == caller) {
      while (helpers == 0) std::this_thread::yield();
      return;
    }
    normal = normal && rounds_to_nearest() && keeps_subnormals();
    ++helpers;
  });
  EXPECT_TRUE(normal);
  EXPECT_TRUE(strange());
}

}  // namespace
