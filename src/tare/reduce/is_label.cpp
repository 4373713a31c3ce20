#include "tare/reduce/is_label.hpp"

#include <algorithm>

#include "tare/numeric/parallel.hpp"

namespace tare::detail {

std::vector<std::uint8_t> is_label(std::span<const std::int32_t> label, std::int32_t wanted, int threads) {
  constexpr std::size_t chunk = 65536, many = std::size_t{1} << 21;  // fewer are done before a thread is there
  std::vector<std::uint8_t> out(label.size());
  numeric::parallel_for((out.size() + chunk - 1) / chunk, out.size() < many ? 1 : threads, [&](std::size_t c) {
    // Plain arrays and numbers, so that the compiler makes vectors of the loop: a byte that is written might be
    // anything.
    const std::int32_t* const from = label.data() + c * chunk;
    std::uint8_t* const to = out.data() + c * chunk;
    const std::int32_t one = wanted;
    const std::size_t n = std::min(chunk, out.size() - c * chunk);
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i] == one;
  });
  return out;
}

}  // namespace tare::detail
