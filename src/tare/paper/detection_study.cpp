// How often a test misses: its critical value is a quantile of the statistic on calibrated samples of the same scores,
// its miss rate the share of samples of a given true error that stay at or below it. Roelofs et al. 2022, section 7.2.
// In percent.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/paper/truths.hpp"
#include "tare/simulate/curves.hpp"
#include "tare/simulate/tce.hpp"

namespace tare::detail::paper {
namespace {

constexpr std::uint32_t null_stream = 0x6e756c6c, other_stream = 0x6d697373;  // "null", "miss"

// [task][replicate]; a sample without a value rejects nothing
using Statistics = std::vector<std::vector<double>>;
Statistics statistics(const simulate::Sampler& sampler, const std::vector<NamedTask>& named, std::size_t n,
                      const simulate::Replicates& replicates, int threads) {
  Statistics out(named.size(), std::vector<double>(replicates.count, -HUGE_VAL));
  simulate::for_each_sample(sampler, n, replicates, threads, [&](std::size_t i, const measure::Sample& sample) {
    for (std::size_t t = 0; t < named.size(); ++t) {
      const auto estimate = named[t].task.estimator->run(sample, named[t].task.options);
      if (!estimate) continue;
      double& value = out[t][i - replicates.first];
      value = estimate->value;
      for (const Component& part : estimate->parts)
        if (part.name == named[t].part) value = part.value;
    }
  });
  return out;
}

// The d at which the true error of c^d is the target, in percent.
Result<simulate::Truth> power_with(const simulate::Scores& scores, double target) {
  double low = 1, high = 1000;
  simulate::Truth truth{.name = {}, .scores = scores, .curve = {}};
  for (int i = 0; i < 60; ++i) {
    const double d = std::sqrt(low * high);
    auto curve = simulate::parse_curve(fmt::format("power:{}", d));
    if (!curve) return curve.error();
    truth.curve = *std::move(curve);
    const auto error = simulate::true_error(truth, 2);
    if (!error) return error.error();
    (100 * *error < target ? low : high) = d;
  }
  return truth;
}

}  // namespace

Result<Frame> detection_study(const Settings& settings, const Context& context) {
  const auto all = truths(settings, "truths");
  const auto named = tasks(settings);
  const auto ns = sizes(settings);
  const auto errors = settings.numbers("true_errors");
  const double level = settings.number("level", 0.05);
  const std::size_t m = settings.count("replicates", 1000);
  if (!settings.problem().empty()) return settings.error();
  Frame out;
  std::size_t done = 0;
  for (const NamedTruth& given : all) {
    const auto null = simulate::Sampler::of({.name = {}, .scores = given.truth.scores, .curve = simulate::identity()});
    if (!null) return null.error();
    for (std::size_t s = 0; s < ns.size(); ++s) {
      auto calibrated = statistics(
          *null, named, ns[s],
          {.count = m, .seed = context.seed, .stream = null_stream + static_cast<std::uint32_t>(s)}, context.threads);
      for (auto& values : calibrated) std::sort(values.begin(), values.end());
      const auto rank = static_cast<std::size_t>(std::ceil((1 - level) * static_cast<double>(m))) - 1;
      for (std::size_t e = 0; e < errors.size(); ++e) {
        if (context.cancel && context.cancel->load()) return interrupted();
        if (context.progress) context.progress("", done++, all.size() * ns.size() * errors.size());
        const auto truth = power_with(given.truth.scores, errors[e]);
        if (!truth) return truth.error();
        const auto values = statistics(null->with(truth->curve), named, ns[s],
                                       {.count = m,
                                        .seed = context.seed,
                                        .stream = other_stream + static_cast<std::uint32_t>(s * errors.size() + e)},
                                       context.threads);
        for (std::size_t t = 0; t < named.size(); ++t) {
          const double critical = calibrated[t][rank];
          const double miss = static_cast<double>(std::count_if(values[t].begin(), values[t].end(),
                                                                [&](double v) { return v <= critical; })) /
                              static_cast<double>(m);
          out.add(joined(joined(given.labels, named[t].labels),
                         {{"n", static_cast<double>(ns[s])},
                          {"tce", errors[e]},
                          {"d", truth->curve.coefficients[0]},
                          {"critical", critical},
                          {"miss", 100 * miss},
                          {"se", 100 * std::sqrt(std::max(miss * (1 - miss), 0.25 / static_cast<double>(m)) /
                                                 static_cast<double>(m))},
                          {"replicates", static_cast<double>(m)}}));
        }
      }
    }
  }
  return out;
}

}  // namespace tare::detail::paper
