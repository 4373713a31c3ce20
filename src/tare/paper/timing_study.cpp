// Seconds that fitting takes, one thread, the quickest of several. Guo et al. 2017, section 5, "computation time".
#include <algorithm>

#include "tare/fit/run.hpp"
#include "tare/paper/truths.hpp"

namespace tare::detail::paper {

Result<Frame> timing_study(const Settings& settings, const Context& context) {
  const auto all = networks(settings, context);
  const auto candidates = methods(settings);
  for (const NamedMethod& m : candidates)
    if (m.method == "uncalibrated") settings.wrong("nothing is fitted by 'uncalibrated'");
  const std::size_t repeats = settings.count("repeats", 3);
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  std::size_t done = 0;
  for (const NamedNetwork& network : all) {
    const auto validation = fold_of(network, "val", context);
    if (!validation) return validation.error();
    for (const NamedMethod& method : candidates) {
      if (context.cancel && context.cancel->load()) return interrupted();
      if (context.progress) context.progress("", done++, all.size() * candidates.size());
      double seconds = 0, iterations = 0;
      for (std::size_t i = 0; i < repeats; ++i) {
        const auto model =
            fit::run(*fit::find(method.method), *validation, {.bins = method.bins, .step = method.step, .threads = 1});
        if (!model) return model.error();
        seconds = i == 0 ? model->fit.seconds : std::min(seconds, model->fit.seconds);
        iterations = model->fit.iterations;
      }
      out.add(joined(network.labels, {{"method", method.name},
                                      {"k", static_cast<double>(validation->k)},
                                      {"n", static_cast<double>(validation->n)},
                                      {"milliseconds", 1000 * seconds},
                                      {"iterations", iterations}}));
    }
  }
  return out;
}

}  // namespace tare::detail::paper
