#include "tare/analysis/named_curve.hpp"

#include <utility>

#include "tare/analysis/input_info.hpp"
#include "tare/infer/band/curve_band.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {

Result<NamedCurve> named_curve(const Predictions& predictions, std::string name, const NamedCurveOptions& options) {
  if (const auto fine = all_of({in_range(options::bins, options.bins), in_range(options::threads, options.threads)});
      !fine)
    return fine.error();
  const auto one = one_problem(predictions, options.reduction, options.threads,
                               "every class has a curve of its own, and this picture shows one for each model",
                               "take top_label or positive as `reduction`");
  if (!one) return one.error();
  const measure::Sample sample(one->data.view(), options.threads);
  NamedCurve out{.name = std::move(name), .input = input_info(predictions, one->reduction)};
  out.curve = infer::curve_band(sample.ordered());
  out.histogram = measure::diagram(sample.bins(Binning::width, static_cast<std::size_t>(options.bins)), Binning::width,
                                   sample.unit());
  return out;
}

}  // namespace tare::detail::analysis
