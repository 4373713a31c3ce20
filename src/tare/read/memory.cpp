#include "tare/read/memory.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "tare/platform/platform.hpp"

namespace tare::inner::read {

std::size_t usable_memory() {
  const std::size_t out = platform::available_memory();
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return out;
  return std::min<std::size_t>(out, limit.rlim_cur);
}

}  // namespace tare::inner::read
