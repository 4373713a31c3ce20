#include "tare/fit/affine/features.hpp"

#include "tare/fit/rows/kernels.hpp"

namespace tare::detail::fit {
namespace {

void subtract_log_sums(double* x, std::size_t n, std::size_t k) {
  constexpr std::size_t block = 64;
  rows::RowFacts facts[block];
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first);
    rows::facts_of_rows(x + first * k, count, k, true, false, facts);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < k; ++j) x[(first + i) * k + j] -= facts[i].log_normaliser;
  }
}

}  // namespace

std::size_t feature_count(std::size_t columns) { return std::max<std::size_t>(columns, 2); }

void fill_features(const Reals& in, std::size_t columns, Kind kind, Features features, std::span<double> out,
                   std::size_t stride) {
  const bool probs = kind != Kind::logits, exact = features == Features::exact_logarithms && probs;
  in.visit([&](auto values) {
    const std::size_t n = values.size() / columns;
    if (columns > 1 && !exact && stride == columns) {
      rows::features_of_logits(values.data(), values.size(), probs, out.data());
      if (features == Features::log_probabilities && !probs) subtract_log_sums(out.data(), n, columns);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto* row = values.data() + i * columns;
      double* to = out.data() + i * stride;
      if (features == Features::log_probabilities)
        rows::log_features(row, columns, probs, to);
      else if (exact)
        rows::exact_log_features(row, columns, to);
      else
        rows::logit_features(row, columns, probs, to);
    }
  });
}

}  // namespace tare::detail::fit
