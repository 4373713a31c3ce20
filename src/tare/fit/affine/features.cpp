#include "tare/fit/affine/features.hpp"

namespace tare::inner::fit {

std::size_t feature_count(std::size_t columns) { return std::max<std::size_t>(columns, 2); }

void fill_features(const Reals& in, std::size_t columns, Kind kind, Features features, std::span<double> out,
                   std::size_t stride) {
  constexpr double most = 1e100;  // products with any parameter stay finite
  const bool probs = kind != Kind::logits, logs = features == Features::log_probabilities;
  in.visit([&](auto values) {
    for (std::size_t i = 0; i * columns < values.size(); ++i) {
      const auto row = values.subspan(i * columns, columns);
      double* to = out.data() + i * stride;
      if (columns == 1) {
        const double z =
            std::clamp(probs ? numeric::log_odds_clipped(row[0]) : static_cast<double>(row[0]), -most, most);
        to[1] = logs ? std::min(z, 0.0) - std::log1p(std::exp(-std::abs(z))) : z / 2;
        to[0] = to[1] - z;
        continue;
      }
      for (std::size_t j = 0; j < columns; ++j)
        to[j] = probs ? numeric::log_clipped(row[j]) : std::clamp(static_cast<double>(row[j]), -most, most);
      if (!logs || probs) continue;
      const double top = *std::max_element(to, to + columns);
      double sum = 0;
      for (std::size_t j = 0; j < columns; ++j) sum += std::exp(to[j] - top);
      const double normaliser = top + std::log(sum);
      for (std::size_t j = 0; j < columns; ++j) to[j] -= normaliser;
    }
  });
}

}  // namespace tare::inner::fit
