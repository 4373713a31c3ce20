#include "tare/numeric/softmax.hpp"

#include <array>
#include <cmath>

#include "tare/numeric/parallel.hpp"

namespace tare::numeric {
namespace {

template <class T>
void run(std::span<const T> z, std::size_t k, std::span<const std::int32_t> label, const SoftmaxRows& out,
         int threads) {
  const std::size_t n = k == 0 ? 0 : z.size() / k;
  constexpr std::size_t chunk = 1024;
  parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) {
      const T* row = z.data() + i * k;
      const std::array<T, 2> pair{0, row[0]};
      const std::size_t width = k == 1 ? 2 : k;
      if (k == 1) row = pair.data();
      std::size_t top = 0;
      for (std::size_t j = 1; j < width; ++j)
        if (row[j] > row[top]) top = j;
      const auto m = static_cast<double>(row[top]);
      double rest = 0;
      for (std::size_t j = 0; j < width; ++j)
        if (j != top) rest += std::exp(static_cast<double>(row[j]) - m);
      if (out.confidence) out.confidence[i] = 1 / (1 + rest);
      if (out.complement) out.complement[i] = rest / (1 + rest);
      if (out.log_normaliser) out.log_normaliser[i] = m + std::log1p(rest);
      if (out.nll) out.nll[i] = std::log1p(rest) + (m - static_cast<double>(row[static_cast<std::size_t>(label[i])]));
      if (out.argmax) out.argmax[i] = static_cast<std::int32_t>(top);
    }
  });
}

}  // namespace

void softmax_rows(std::span<const float> z, std::size_t k, std::span<const std::int32_t> label, const SoftmaxRows& out,
                  int threads) {
  run(z, k, label, out, threads);
}
void softmax_rows(std::span<const double> z, std::size_t k, std::span<const std::int32_t> label,
                  const SoftmaxRows& out, int threads) {
  run(z, k, label, out, threads);
}

}  // namespace tare::numeric
