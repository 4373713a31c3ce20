#include "tare/infer/input_info.hpp"

#include "tare/numeric/order.hpp"

namespace tare::infer {

InputInfo input_info(const Predictions& predictions, Reduction reduction) {
  InputInfo out{.n = predictions.n,
                .k = predictions.k,
                .kind = predictions.kind,
                .reduction = reduction,
                .source = predictions.source};
  const auto weight = predictions.matrix ? predictions.matrix->weight() : predictions.confidences->weight();
  out.weighted = !weight.empty();
  out.total_weight = static_cast<double>(predictions.n);
  if (out.weighted) {
    const std::uint64_t unit = numeric::mass_unit(weight);
    std::uint64_t mass = 0;
    for (const double w : weight) mass += numeric::to_mass(w, unit);
    out.total_weight = static_cast<double>(mass) / static_cast<double>(unit);
  }
  return out;
}

}  // namespace tare::infer
