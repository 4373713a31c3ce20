// For wheels: two calls that would ask for a newer glibc than everything else does (2.36 and 2.35 instead of 2.34). The
// linker turns them into these (--wrap, cmake/TareStatic.cmake).
#include <unistd.h>

#include <cstdint>

extern "C" {

double hypot_of_2_2_5(double x, double y);
__asm__(".symver hypot_of_2_2_5, hypot@GLIBC_2.2.5");

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
double __wrap_hypot(double x, double y) { return hypot_of_2_2_5(x, y); }

// libstdc++ has its std::random_device ask for these bits; tare itself never does.
std::uint32_t __wrap_arc4random() {
  std::uint32_t out = 0;
  while (::getentropy(&out, sizeof out) != 0) {
  }
  return out;
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"
